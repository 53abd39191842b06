import { createPrivateKey, type JsonWebKey, sign } from 'node:crypto';
import {
  magic,
  readSshSignature,
  type SshSignature,
  signedBytes,
  withoutZeros,
} from '../../team-protocol/ssh-signature.ts';
import { toSshString, toSshUint32 } from '../../team-protocol/ssh-wire.ts';
import { findArmorBlocks } from './import-armor.ts';
import { readKeyFacts } from './key-facts.ts';
import { kindOf } from './key-types.ts';
import type { PrivateJwk } from './private-jwk.ts';

export type FileDigests = Parameters<SshSignature['isOf']>[0];

const label = 'SSH SIGNATURE';
/**
 * The namespace that ssh-keygen(1) reserves for files, so that a signature can be verified without knowing Claimdesk.
 */
const fileNamespace = 'file';
const charactersPerLine = 70;

/**
 * Signs a file by its SHA-512, as `ssh-keygen -Y sign -n file` does, or a text in another namespace, and returns the
 * signature as text: SSHSIG, version 1 (OpenSSH, PROTOCOL.sshsig). RSA signs as rsa-sha2-512, other types under their
 * own name. The signed bytes begin with SSHSIG and the namespace, so the signature cannot be used as a sign-in, a
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

/** A signature and the name of its type. */
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

/**
 * Reads the text of a signature, with SHA-256 or SHA-512 as ssh-keygen writes them. Null for a text that is not a
 * signature, for another namespace, and for a type of key that cannot be registered with the service.
 */
export function readFileSignature(text: string, namespace = fileNamespace): SshSignature | null {
  try {
    const block = findArmorBlocks(text).find((armorBlock) => armorBlock.label === label);
    return block === undefined ? null : readSshSignature(block.bytes, namespace);
  } catch {
    return null;
  }
}
