import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';

/** The prefix of what a computer signs, so that the signature of an entry is not valid for anything else. */
const signedPrefix = 'claimdesk entry\n';

export const signatureBytes = 64;

/** The bytes that a computer signs by Ed25519 for the header of an entry. */
export const toSignedBytes = (header: string): Buffer => Buffer.from(signedPrefix + header, 'utf8');

const verifyInPool = promisify(
  (
    data: Buffer,
    key: KeyObject,
    signature: Uint8Array,
    done: (error: Error | null, isValid: boolean) => void,
  ) => verify(null, data, key, signature, done),
);

/** Reads a public Ed25519 key of 32 bytes. */
export const readSigningKey = (key: Uint8Array): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') },
    format: 'jwk',
  });

/** Whether this key signed the header; on a thread of Node's pool. */
export const isSignedBy = (header: string, signature: Uint8Array, key: KeyObject): Promise<boolean> =>
  verifyInPool(toSignedBytes(header), key, signature);
