import { createPublicKey, type JsonWebKey as NodeJwk } from 'node:crypto';
import { z } from 'zod';
import { coordinateBytes } from '../../team-protocol/ssh-signature.ts';

const part = z.string().regex(/^[A-Za-z0-9_-]+$/);

const okpSchema = z.strictObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: part, d: part });
const ecSchema = z.strictObject({
  kty: z.literal('EC'),
  crv: z.enum(['P-256', 'P-384', 'P-521']),
  x: part,
  y: part,
  d: part,
});
const rsaSchema = z.strictObject({
  kty: z.literal('RSA'),
  n: part,
  e: part,
  d: part,
  p: part,
  q: part,
  dp: part,
  dq: part,
  qi: part,
});

/**
 * A private key as its raw parts: the one form that Node's crypto, Electron's BoringSSL and jose all accept. Only
 * these parts are allowed, so that no `use` or `ext` changes what a key may do.
 */
export const privateJwkSchema = z.discriminatedUnion('kty', [okpSchema, ecSchema, rsaSchema]);
export type PrivateJwk = z.infer<typeof privateJwkSchema>;

/**
 * Converts a JWK of any library to one form: EC parts padded to the size of the curve (66 bytes on P-521), RSA parts
 * without leading zeros and with `dp`, `dq`, `qi`. Throws a plain error if parts are missing or do not belong
 * together.
 */
export function normalizeJwk(jwk: Readonly<Record<string, unknown>>): PrivateJwk {
  if (jwk.kty === 'RSA') return normalizeRsa(jwk);
  if (jwk.kty === 'EC') {
    const { kty, crv, x, y, d } = jwk;
    const parsed = ecSchema.parse({ kty, crv, x, y, d });
    const pad = (value: string) => padPart(value, coordinateBytes[parsed.crv]);
    return { ...parsed, x: pad(parsed.x), y: pad(parsed.y), d: pad(parsed.d) };
  }
  const { kty, crv, x, d } = jwk;
  const parsed = okpSchema.parse({ kty, crv, x, d });
  return { ...parsed, x: padPart(parsed.x, 32), d: padPart(parsed.d, 32) };
}

/** The public half of a key, as PEM (SPKI). */
export const toPublicPem = (jwk: PrivateJwk): string =>
  createPublicKey({ key: jwk as NodeJwk, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();

function normalizeRsa(jwk: Readonly<Record<string, unknown>>): PrivateJwk {
  const number = (name: string): bigint => toBigInt(part.parse(jwk[name]));
  const [n, e, d, p, q] = [number('n'), number('e'), number('d'), number('p'), number('q')];
  if (p * q !== n || p < 3n || q < 3n)
    throw new Error('The primes of this RSA key are not those of its modulus.');
  return {
    kty: 'RSA',
    n: fromBigInt(n),
    e: fromBigInt(e),
    d: fromBigInt(d),
    p: fromBigInt(p),
    q: fromBigInt(q),
    dp: fromBigInt(d % (p - 1n)),
    dq: fromBigInt(d % (q - 1n)),
    qi: fromBigInt(invertModulo(q, p)),
  };
}

function padPart(value: string, bytes: number): string {
  const raw = Buffer.from(value, 'base64url');
  const significant = raw.subarray(Math.max(0, raw.length - bytes));
  if (raw.subarray(0, raw.length - significant.length).some((byte) => byte !== 0))
    throw new Error('A part of this key is larger than its curve.');
  return Buffer.concat([Buffer.alloc(bytes - significant.length), significant]).toString('base64url');
}

function toBigInt(value: string): bigint {
  const hex = Buffer.from(value, 'base64url').toString('hex');
  return hex === '' ? 0n : BigInt(`0x${hex}`);
}

function fromBigInt(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}

/** Extended Euclid. Not in constant time, which does not matter here: it runs once, when a key is imported. */
function invertModulo(value: bigint, modulus: bigint): bigint {
  let [previous, current] = [modulus, value % modulus];
  let [previousFactor, factor] = [0n, 1n];
  while (current > 1n) {
    const quotient = previous / current;
    [previous, current] = [current, previous % current];
    [previousFactor, factor] = [factor, previousFactor - quotient * factor];
  }
  if (current !== 1n) throw new Error('The primes of this RSA key have a common factor.');
  return ((factor % modulus) + modulus) % modulus;
}
