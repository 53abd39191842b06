import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, sign, verify } from 'node:crypto';
import { findArmorBlocks } from './import-armor.ts';
import { readKeyFacts } from './key-facts.ts';
import { keyKinds, kindOf } from './key-types.ts';
import { coordinateBytes, type PrivateJwk } from './private-jwk.ts';
import { createSshReader, toSshString, toSshUint32 } from './ssh-wire.ts';

/** Digests of a whole file. */
export type FileDigests = Readonly<Record<HashName, Buffer>>;
type HashName = 'sha256' | 'sha512';

const magic = Buffer.from('SSHSIG', 'latin1');
const label = 'SSH SIGNATURE';
/**
 * The namespace that ssh-keygen(1) reserves for files, so that a signature can be verified without knowing Claimdesk.
 */
const fileNamespace = 'file';
const charactersPerLine = 70;

type CurveName = keyof typeof coordinateBytes;

const signedBytes = (namespace: string, reserved: Uint8Array, hash: HashName, digest: Uint8Array): Buffer =>
  Buffer.concat([
    magic,
    toSshString(namespace),
    toSshString(reserved),
    toSshString(hash),
    toSshString(digest),
  ]);

/**
 * Signs a file by its SHA-512, as `ssh-keygen -Y sign -n file` does, or a text of another namespace, and returns the
 * text of the signature: SSHSIG, version 1 (OpenSSH, PROTOCOL.sshsig). RSA signs as rsa-sha2-512, other types under
 * their own name. The signed bytes begin with SSHSIG and the namespace, so the signature cannot be used as a sign-in, a
 * commit or a token.
 */
export function signFileDigest(jwk: PrivateJwk, sha512: Uint8Array, namespace = fileNamespace): string {
  const bytes = signedBytes(namespace, Buffer.alloc(0), 'sha512', sha512);
  const [, publicBlob = ''] = readKeyFacts(jwk, '').publicKey.split(' ');
  const content = Buffer.concat([
    magic,
    toSshUint32(1),
    toSshString(Buffer.from(publicBlob, 'base64')),
    toSshString(namespace),
    toSshString(''),
    toSshString('sha512'),
    toSshString(signBytes(jwk, bytes)),
  ]);
  const lines = content.toString('base64').match(new RegExp(`.{1,${charactersPerLine}}`, 'g')) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** A signature by its type's name. */
function signBytes(jwk: PrivateJwk, bytes: Buffer): Buffer {
  const key = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
  const kind = kindOf(jwk);
  const named = (signature: Uint8Array): Buffer =>
    Buffer.concat([toSshString(kind.signature), toSshString(signature)]);
  if (jwk.kty !== 'EC') return named(sign(kind.digest, bytes, key));
  const both = sign(kind.digest, bytes, { key, dsaEncoding: 'ieee-p1363' });
  const half = both.length / 2;
  return named(Buffer.concat([toSshInteger(both.subarray(0, half)), toSshInteger(both.subarray(half))]));
}

/** Encodes a positive number (RFC 4251, `mpint`): no leading zeros, except one before a first bit that is set. */
function toSshInteger(bytes: Buffer): Buffer {
  const digits = withoutZeros(bytes);
  return toSshString((digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), digits]) : digits);
}

function withoutZeros(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? Buffer.alloc(0) : bytes.subarray(first);
}

/** A signature of a file, by any key. */
export interface FileSignature {
  /** Fingerprint of the key that is named in it, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
  /** Whether that key signed the file with these digests. */
  isOf(digests: FileDigests): boolean;
}

/**
 * Reads the text of a signature, with SHA-256 or SHA-512 as ssh-keygen writes them. Null for a text that is not a
 * signature, for another namespace, and for a type of key that cannot be registered with the service.
 */
export function readFileSignature(text: string, namespace = fileNamespace): FileSignature | null {
  try {
    const block = findArmorBlocks(text).find((one) => one.label === label);
    if (block === undefined || !block.bytes.subarray(0, magic.length).equals(magic)) return null;
    const reader = createSshReader(block.bytes.subarray(magic.length));
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
  const curve = (Object.keys(coordinateBytes) as CurveName[]).find((one) => keyKinds[one].signature === type);
  if (curve === undefined || type !== `ecdsa-sha2-${reader.readText()}`)
    throw new Error('The key is of another type.');
  const point = reader.readString();
  const bytes = coordinateBytes[curve];
  // RFC 5656, section 3.1: an uncompressed point.
  if (point[0] !== 4 || point.length !== 1 + 2 * bytes) throw new Error('The key is not a point.');
  const part = (from: number): string => point.subarray(from, from + bytes).toString('base64url');
  return { kty: 'EC', crv: curve, x: part(1), y: part(1 + bytes) };
}
