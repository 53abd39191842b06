import { createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEphemeralStore } from '../../../../src/main/keychain/secret-store.ts';
import { generatePrivateJwk } from '../../../../src/main/keys/generate-key.ts';
import { certify, openComputerKeys, signHeaders } from '../../../../src/main/team/computer-keys.ts';
import { certifiedComputer, readCertificateBody } from '../../../../src/team-protocol/certificate.ts';
import { isSignedBy } from '../../../../src/team-protocol/sign-entry.ts';
import vectors from '../../../fixtures/team-protocol-2.json' with { type: 'json' };

const person = { service: 'https://claims.example.com', email: 'dana@example.com', team: null };

test('a computer stores its keys per workspace, and is certified with the same text as long as nothing changes', async () => {
  const secrets = createEphemeralStore();
  const jwk = await generatePrivateJwk('ed25519');
  const keys = await openComputerKeys(secrets, 'a');
  const certificate = certify(keys, person, jwk);
  expect(certify(await openComputerKeys(secrets, 'a'), person, jwk)).toEqual(certificate);
  const other = certify(await openComputerKeys(secrets, 'b'), person, jwk);
  expect(other.body).not.toBe(certificate.body);
  const body = readCertificateBody(certificate.body);
  expect(body).toMatchObject(person);
  expect(body?.sealingKey).not.toBe(body?.signingKey);
  expect(body === null ? null : certifiedComputer(body)).toMatch(/^[\w-]{43}$/);
});

test('it signs headers of entries, and no other text', async () => {
  const keys = await openComputerKeys(createEphemeralStore(), 'a');
  const { header } = vectors;
  const [signature = ''] = await signHeaders(keys, [header]);
  const publicKey = createPublicKey(keys.signing);
  expect(await isSignedBy(header, Buffer.from(signature, 'base64url'), publicKey)).toBe(true);
  await expect(signHeaders(keys, [header, `${header} `])).rejects.toMatchObject({ code: 'internal.fault' });
});
