import { expect, it } from 'vitest';
import {
  certificateSchema,
  readCertificateBody,
  writeCertificateBody,
} from '../../../src/team-protocol/certificate.ts';
import { makeTeamId, nextBytes } from '../../support/team-computer.ts';

const body = {
  ...{
    protocol: 2 as const,
    team: makeTeamId(),
    service: 'https://claims.example',
    email: 'ada@acme.example',
  },
  signingKey: nextBytes(32).toString('base64url'),
  sealingKey: nextBytes(32).toString('base64url'),
};

it('reads a body as it was written', () => {
  expect(readCertificateBody(writeCertificateBody(body))).toEqual(body);
  expect(readCertificateBody(` ${writeCertificateBody(body)}`)).toBeNull();
});

it.each(['\0', '\u0007', '\n', '\u009b', '\u202e', '\ud800'])('refuses %j in any text', (character) => {
  const text = writeCertificateBody(body);
  for (const name of ['service', 'email'] as const)
    expect(readCertificateBody(writeCertificateBody({ ...body, [name]: `a${character}` }))).toBeNull();
  const isGood = (certificate: object): boolean => certificateSchema.safeParse(certificate).success;
  const armored = '-----BEGIN SSH SIGNATURE-----\nAAAA\r\n-----END SSH SIGNATURE-----\n';
  expect(isGood({ body: text, signature: armored })).toBe(true);
  expect(isGood({ body: text + character, signature: armored })).toBe(false);
  expect(isGood({ body: text, signature: armored + character })).toBe(character === '\n');
});
