import type { z } from 'zod';
import { bytesSchema } from './entry.ts';

const keyBytes = 32;
const masked = (hex: string): string => {
  const bytes = Buffer.from(hex, 'hex');
  // The highest bit is no part of a coordinate.
  bytes[keyBytes - 1] = (bytes[keyBytes - 1] ?? 0) & 0x7f;
  return bytes.toString('hex');
};

/** 0, 1, -1 modulo p, and the same written as p and p + 1. */
const smallest = [
  '00'.repeat(keyBytes),
  `01${'00'.repeat(keyBytes - 1)}`,
  ...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(keyBytes - 2)}7f`),
];

/**
 * The points of small order, with which anyone could sign, or a shared secret is public (RFC 7748, section
 * 6.1): of Ed25519 by their y, of X25519 by their u.
 */
const lowOrder = {
  signing: new Set([
    ...smallest,
    '26e8958fc2b227b045c3f489f298eff0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ]),
  sealing: new Set([
    ...smallest,
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  ]),
};

const isLowOrder = (bytes: Uint8Array, kind: keyof typeof lowOrder): boolean =>
  lowOrder[kind].has(masked(Buffer.from(bytes).toString('hex')));

const keySchema = (kind: keyof typeof lowOrder): z.ZodType<string> =>
  bytesSchema(keyBytes).refine((text) => !isLowOrder(Buffer.from(text, 'base64url'), kind));

/** The public keys of a computer or of a recovery key, 32 bytes each as base64url; none of small order. */
export const signingKeySchema = keySchema('signing');
export const sealingKeySchema = keySchema('sealing');

/** A team key that is sealed (`grant.ts`): a public key for this grant, 32 bytes, and 48 of ciphertext and tag. */
export const grantSchema = bytesSchema(80).refine(
  (text) => !isLowOrder(Buffer.from(text, 'base64url').subarray(0, keyBytes), 'sealing'),
);
