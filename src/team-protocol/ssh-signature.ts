import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { createSshReader, toSshString } from './ssh-wire.ts';

/**
 * The names that follow from an SSH key's kind, by its curve: its type (that of RSA is followed by `-` and
 * its size); the algorithm of its tokens (docs/service.md, "SSH-JWT"); its signatures and their digest (RFC
 * 8709, RFC 5656, RFC 8332).
 */
export const keyKinds = {
  Ed25519: { type: 'ed25519', algorithm: 'EdDSA', signature: 'ssh-ed25519', digest: null },
  'P-256': { type: 'ecdsa-256', algorithm: 'ES256', signature: 'ecdsa-sha2-nistp256', digest: 'sha256' },
  'P-384': { type: 'ecdsa-384', algorithm: 'ES384', signature: 'ecdsa-sha2-nistp384', digest: 'sha384' },
  'P-521': { type: 'ecdsa-521', algorithm: 'ES512', signature: 'ecdsa-sha2-nistp521', digest: 'sha512' },
  RSA: { type: 'rsa', algorithm: 'RS256', signature: 'rsa-sha2-512', digest: 'sha512' },
} as const;

/** Bytes of a coordinate. RFC 7518 6.2.1.2 requires leading zeros; libraries differ, and WebCrypto checks. */
export const coordinateBytes = { 'P-256': 32, 'P-384': 48, 'P-521': 66 } as const;

/** Digests of what was signed. */
type Digests = Readonly<Record<HashName, Buffer>>;
type HashName = 'sha256' | 'sha512';

export const magic = Buffer.from('SSHSIG', 'latin1');
type CurveName = keyof typeof coordinateBytes;

/** Returns the bytes that an SSHSIG signature covers (OpenSSH, PROTOCOL.sshsig). */
export const signedBytes = (
  namespace: string,
  reserved: Uint8Array,
  hash: HashName,
  digest: Uint8Array,
): Buffer =>
  Buffer.concat([
    magic,
    toSshString(namespace),
    toSshString(reserved),
    toSshString(hash),
    toSshString(digest),
  ]);

/** @example withoutZeros(Buffer.from([0, 0, 7])) // Buffer.from([7]) */
export function withoutZeros(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? Buffer.alloc(0) : bytes.subarray(first);
}

/** A signature of a file or text, by any key. */
export interface SshSignature {
  /** Fingerprint of the key that is named in it, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
  /** Whether that key signed what has these digests. */
  isOf(digests: Digests): boolean;
}

/**
 * Reads a signature from its bytes; null for others, for another namespace, and for a type of key that the claims service
 * does not accept.
 */
export function readSshSignature(bytes: Buffer, namespace: string): SshSignature | null {
  try {
    if (!bytes.subarray(0, magic.length).equals(magic)) return null;
    const reader = createSshReader(bytes.subarray(magic.length));
    if (reader.readUint32() !== 1) return null;
    const publicBlob = reader.readString();
    if (reader.readText() !== namespace) return null;
    const reserved = reader.readString();
    const hash = reader.readText();
    if (hash !== 'sha256' && hash !== 'sha512') return null;
    const isSignatureOf = readSignature(reader.readString(), publicBlob);
    if (reader.readRest().length > 0) return null;
    return {
      fingerprint: `SHA256:${createHash('sha256').update(publicBlob).digest('base64').replace(/=+$/, '')}`,
      isOf: (digests) => isSignatureOf(signedBytes(namespace, reserved, hash, digests[hash])),
    };
  } catch {
    // A field that ends too early, a point that is not on its curve: parsers throw any error for damaged bytes.
    return null;
  }
}

/** Throws a plain Error where the parts do not belong together. */
function readSignature(blob: Buffer, publicBlob: Buffer): (bytes: Buffer) => boolean {
  const jwk = readPublicJwk(publicBlob);
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const reader = createSshReader(blob);
  const type = reader.readText();
  const signature = reader.readString();
  if (jwk.kty === 'OKP' && type === keyKinds.Ed25519.signature)
    return (bytes) => verify(null, bytes, key, signature);
  const rsa = /^rsa-sha2-(256|512)$/.exec(type)?.[1];
  if (jwk.kty === 'RSA' && rsa !== undefined) return (bytes) => verify(`sha${rsa}`, bytes, key, signature);
  const curve = jwk.crv as CurveName;
  if (jwk.kty !== 'EC' || type !== keyKinds[curve].signature)
    throw new Error('The signature is of another type than its key.');
  const parts = createSshReader(signature);
  const both = Buffer.concat([parts.readString(), parts.readString()].map((part) => padded(part, curve)));
  return (bytes) => verify(keyKinds[curve].digest, bytes, { key, dsaEncoding: 'ieee-p1363' }, both);
}

function padded(part: Buffer, curve: CurveName): Buffer {
  const digits = withoutZeros(part);
  return Buffer.concat([Buffer.alloc(coordinateBytes[curve] - digits.length), digits]);
}

/** Throws a plain Error for a type of key that the service does not accept. */
function readPublicJwk(blob: Buffer): JsonWebKey {
  const reader = createSshReader(blob);
  const type = reader.readText();
  const readPart = (): string => withoutZeros(reader.readString()).toString('base64url');
  if (type === keyKinds.Ed25519.signature)
    return { kty: 'OKP', crv: 'Ed25519', x: reader.readString().toString('base64url') };
  if (type === 'ssh-rsa') {
    const e = readPart();
    return { kty: 'RSA', e, n: readPart() };
  }
  const curve = (Object.keys(coordinateBytes) as CurveName[]).find(
    (curveName) => keyKinds[curveName].signature === type,
  );
  if (curve === undefined || type !== `ecdsa-sha2-${reader.readText()}`)
    throw new Error('The key is of another type.');
  const point = reader.readString();
  const bytes = coordinateBytes[curve];
  // RFC 5656, section 3.1: an uncompressed point.
  if (point[0] !== 4 || point.length !== 1 + 2 * bytes) throw new Error('The key is not a point.');
  const part = (from: number): string => point.subarray(from, from + bytes).toString('base64url');
  return { kty: 'EC', crv: curve, x: part(1), y: part(1 + bytes) };
}
