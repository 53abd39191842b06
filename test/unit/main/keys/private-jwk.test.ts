import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { normalizeJwk, privateJwkSchema, toPublicPem } from '../../../../src/main/keys/private-jwk.ts';

const bytesOf = (part: string | undefined) => Buffer.from(part ?? '', 'base64url').length;

/** A P-521 key whose `d` or `x` begins with a zero byte: about every second one, so it is looked for. */
function findShortEcKey(namedCurve: string, bytes: number): { [name: string]: string } {
  for (;;) {
    const jwk = generateKeyPairSync('ec', { namedCurve }).privateKey.export({ format: 'jwk' });
    const parts = { x: String(jwk.x), y: String(jwk.y), d: String(jwk.d) };
    const isShort = Object.values(parts).some((part) => Buffer.from(part, 'base64url')[0] === 0);
    if (isShort && bytesOf(parts.x) === bytes) return { kty: 'EC', crv: String(jwk.crv), ...parts };
  }
}

const stripZeros = (part: string) => {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.subarray(bytes.findIndex((byte) => byte !== 0)).toString('base64url');
};

describe('EC parts', () => {
  test.each([
    ['P-256', 32],
    ['P-384', 48],
    ['P-521', 66],
  ])('are padded to the size of %s', (curve, bytes) => {
    const full = findShortEcKey(curve, bytes);
    const stripped = Object.fromEntries(
      Object.entries(full).map(([name, value]) => [name, name.length === 1 ? stripZeros(value) : value]),
    );
    expect(stripped).not.toEqual(full);
    expect(normalizeJwk(stripped)).toEqual(full);
    const padded = {
      ...full,
      d: Buffer.concat([Buffer.alloc(1), Buffer.from(full.d ?? '', 'base64url')]).toString('base64url'),
    };
    expect(normalizeJwk(padded)).toEqual(full);
  });

  test('larger than the curve are refused', () => {
    const d = Buffer.alloc(40, 7).toString('base64url');
    expect(() => normalizeJwk({ kty: 'EC', crv: 'P-256', x: 'AQ', y: 'AQ', d })).toThrow('larger');
  });
});

describe('RSA parts', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const full = privateKey.export({ format: 'jwk' });

  test('that are missing are computed', () => {
    const { n, e, d, p, q } = full;
    expect(normalizeJwk({ kty: 'RSA', n, e, d, p, q })).toEqual(full);
  });

  test('lose leading zeros', () => {
    const withZero = (part: string | undefined) =>
      Buffer.concat([Buffer.alloc(1), Buffer.from(part ?? '', 'base64url')]).toString('base64url');
    expect(normalizeJwk({ ...full, n: withZero(full.n), d: withZero(full.d) })).toEqual(full);
  });

  test('sign what their public half verifies', () => {
    const { n, e, d, p, q } = full;
    const jwk = normalizeJwk({ kty: 'RSA', n, e, d, p, q });
    const key = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
    const signature = sign('sha256', Buffer.from('text'), key);
    expect(verify('sha256', Buffer.from('text'), toPublicPem(jwk), signature)).toBe(true);
  });

  test('that do not belong together are refused', () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
    expect(() => normalizeJwk({ ...full, p: other.p })).toThrow('primes');
    expect(() => normalizeJwk({ ...full, p: 'AA', q: 'AA', n: 'AA' })).toThrow('primes');
  });
});

test.each([
  [{ kty: 'oct', k: 'AAAA' }],
  [{ kty: 'EC', crv: 'secp256k1', x: 'AQ', y: 'AQ', d: 'AQ' }],
  [{ kty: 'OKP', crv: 'X25519', x: 'AQ', d: 'AQ' }],
  [{ kty: 'OKP', crv: 'Ed25519', x: 'AQ' }],
  [{}],
])('refuses %o', (jwk) => {
  expect(() => normalizeJwk(jwk)).toThrow();
});

test('only the parts are copied', () => {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const extra = { ...jwk, key_ops: ['sign'], ext: true };
  expect(Object.keys(normalizeJwk(extra)).sort()).toEqual(['crv', 'd', 'kty', 'x']);
  expect(privateJwkSchema.safeParse(extra).success).toBe(false);
});
