import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { keyTypes } from '../../../src/contract/ssh-keys.ts';
import { createTokenSigner } from '../../../src/main/auth/token-signer.ts';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { createKeyRing } from '../../../src/main/keys/key-ring.ts';
import { systemClock } from '../../../src/main/lib/clock.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';
import { findPython, runTool } from './interop-programs.ts';

const getProfileDir = givenTempProfile();
const verifier = fileURLToPath(new URL('verify_tokens.py', import.meta.url));
const email = 'Ada.Admin@example.test';
const baseUrl = 'https://claims.example.com';

type Verdict = { refused: string } | { header: object; claims: { iat: number; exp: number; email: string } };

function verifyInPython(items: { public_key: string; token: string }[]): Verdict[] {
  return JSON.parse(runTool(findPython(), [verifier], JSON.stringify(items))) as Verdict[];
}

function makePorts() {
  const keyRing = createKeyRing({
    profileDir: getProfileDir(),
    secrets: createEphemeralStore(),
    clock: systemClock,
  });
  return {
    keyRing,
    signer: createTokenSigner({ keyRing, originsOf: async () => [baseUrl], clock: systemClock }),
  };
}

/** Changes the first character of one part of a token; the last ones of a part can be padding bits. */
function tamper(token: string, part: 0 | 1 | 2): string {
  const parts = token.split('.');
  const text = parts[part] ?? '';
  const middle = Math.floor(text.length / 2);
  parts[part] = text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
  return parts.join('.');
}

test.each([
  ['ed25519', 'EdDSA'],
  ['rsa-3072', 'RS256'],
  ['rsa-4096', 'RS256'],
  ['ecdsa-256', 'ES256'],
  ['ecdsa-384', 'ES384'],
  ['ecdsa-521', 'ES512'],
] as const)('%s: python3-jwt takes the token, and ssh-keygen knows the key', async (type, algorithm) => {
  const { keyRing, signer } = makePorts();
  const key = await keyRing.generate({ type, name: 'Front desk', baseUrl });
  const other = await keyRing.generate({ type: type === 'rsa-4096' ? 'rsa-3072' : type });
  const { token } = await signer.getToken({ keyId: key.id, email, baseUrl, offsetSeconds: 0 });
  const late = await signer.getToken({
    keyId: key.id,
    email,
    baseUrl,
    offsetSeconds: -1000,
    acceptedOffsetSeconds: -1000,
  });
  const early = await signer.getToken({ keyId: key.id, email, baseUrl, offsetSeconds: 60 });

  const verdicts = verifyInPython([
    { public_key: key.publicKey, token },
    { public_key: key.publicKey, token: tamper(token, 1) },
    { public_key: key.publicKey, token: tamper(token, 2) },
    { public_key: other.publicKey, token },
    { public_key: key.publicKey, token: late.token },
    { public_key: key.publicKey, token: early.token },
  ]);
  const [good, ...refused] = verdicts;
  expect(good).toEqual({
    header: { alg: algorithm, typ: 'JWT' },
    claims: { email, iat: expect.any(Number), exp: expect.any(Number) },
  });
  if (good !== undefined && 'claims' in good) expect(good.claims.exp - good.claims.iat).toBe(900);
  expect(refused.map((verdict) => ('refused' in verdict ? verdict.refused : 'taken'))).toEqual([
    expect.stringMatching(/^(InvalidSignatureError|DecodeError)$/),
    'InvalidSignatureError',
    'InvalidSignatureError',
    'ExpiredSignatureError',
    'ImmatureSignatureError',
  ]);

  const path = join(getProfileDir(), 'key.pub');
  writeFileSync(path, `${key.publicKey}\n`);
  const label = { ed25519: 'ED25519', rsa: 'RSA', ecdsa: 'ECDSA' }[type.split('-')[0] ?? ''];
  expect(runTool('ssh-keygen', ['-lf', path]).trim()).toBe(
    `${key.bits} ${key.fingerprint} Front-desk (${label})`,
  );
});

test('every type that can be made is tried above', () => {
  expect(keyTypes).toHaveLength(6);
});
