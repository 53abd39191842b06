import type { JsonWebKey } from 'node:crypto';
import { createHash } from 'node:crypto';
import type { CryptoKey } from 'jose';
import { importJWK } from 'jose';
import sshpk from 'sshpk';

/** The five algorithms. docs/service.md, "SSH-JWT". */
export const ALGORITHMS = ['RS256', 'EdDSA', 'ES256', 'ES384', 'ES512'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

export type PublicKey = {
  readonly type: string;
  readonly algorithm: Algorithm;
  readonly fingerprint: string;
  readonly key: CryptoKey | Uint8Array;
};

/** A refused key, with the reason as a sentence for the person who pasted it. */
export class KeyRefused extends Error {}

const CURVES: Readonly<Record<string, { crv: string; alg: Algorithm; bytes: number; label: string }>> = {
  nistp256: { crv: 'P-256', alg: 'ES256', bytes: 32, label: 'ECDSA P-256' },
  nistp384: { crv: 'P-384', alg: 'ES384', bytes: 48, label: 'ECDSA P-384' },
  nistp521: { crv: 'P-521', alg: 'ES512', bytes: 66, label: 'ECDSA P-521' },
};

const MAX_LINE_LENGTH = 16_384;
const MIN_RSA_BITS = 2048;
/** Two length fields, the name `ssh-ed25519`, and 32 bytes. sshpk silently pads a key that is too short. */
const ED25519_BLOB_BYTES = 51;

/**
 * Reads one line with an OpenSSH public key.
 *
 * docs/service.md, "SSH-JWT": ed25519, RSA, ECDSA P-256, P-384 and P-521 are accepted; DSA and other curves are refused
 * here, at registration. RSA below 2048 bits is refused because RS256 does not allow it.
 *
 * @throws KeyRefused with a sentence
 */
export async function readPublicKey(text: string): Promise<PublicKey> {
  const line = text.trim();
  if (line.length === 0) throw new KeyRefused('Paste a public key.');
  if (line.includes('PRIVATE KEY'))
    throw new KeyRefused('This is a private key. Keep it; paste the public one.');
  if (line.length > MAX_LINE_LENGTH || /[\r\n]/.test(line))
    throw new KeyRefused('Paste one public key in the OpenSSH form, on one line.');
  const key = parseLine(line);
  const { jwk, algorithm, type } = toJwk(key);
  const imported = await importKey(jwk, algorithm);
  const blob = Buffer.from(line.split(/\s+/)[1] ?? '', 'base64');
  if (algorithm === 'EdDSA' && blob.length !== ED25519_BLOB_BYTES)
    throw new KeyRefused('The point of this key is odd.');
  const fingerprint = `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
  return { type, algorithm, fingerprint, key: imported };
}

function parseLine(line: string): sshpk.Key {
  if (/^(ssh-dss)\s/.test(line)) throw new KeyRefused('DSA keys are not accepted.');
  if (/^sk-/.test(line)) throw new KeyRefused('Keys held by a security device are not accepted.');
  try {
    return sshpk.parseKey(line, 'ssh');
  } catch {
    throw new KeyRefused(
      'This is not a public key that can be used: ed25519, RSA, or ECDSA P-256, P-384, P-521.',
    );
  }
}

function toJwk(key: sshpk.Key): { jwk: JsonWebKey; algorithm: Algorithm; type: string } {
  if (key.type === 'ed25519') {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: base64url(part(key, 'A'), 32) };
    return { jwk, algorithm: 'EdDSA', type: 'Ed25519' };
  }
  if (key.type === 'rsa') {
    if (key.size < MIN_RSA_BITS) throw new KeyRefused('RSA keys need 2048 bits or more.');
    const jwk = { kty: 'RSA', n: base64url(part(key, 'n')), e: base64url(part(key, 'e')) };
    return { jwk, algorithm: 'RS256', type: `RSA ${key.size}` };
  }
  const curve = key.type === 'ecdsa' ? CURVES[String(key.curve)] : undefined;
  if (curve === undefined) throw new KeyRefused(`Keys of the type ${key.type} are not accepted.`);
  const point = part(key, 'Q');
  if (point[0] !== 4 || point.length !== 1 + 2 * curve.bytes)
    throw new KeyRefused('The point of this key is odd.');
  const x = point.subarray(1, 1 + curve.bytes);
  const y = point.subarray(1 + curve.bytes);
  const jwk = { kty: 'EC', crv: curve.crv, x: base64url(x, curve.bytes), y: base64url(y, curve.bytes) };
  return { jwk, algorithm: curve.alg, type: curve.label };
}

async function importKey(jwk: JsonWebKey, algorithm: Algorithm): Promise<CryptoKey | Uint8Array> {
  try {
    return await importJWK(jwk as Parameters<typeof importJWK>[0], algorithm);
  } catch {
    throw new KeyRefused('The numbers in this key do not make a key.');
  }
}

type PartHolder = { readonly part: Readonly<Record<string, { readonly data: Buffer } | undefined>> };

function part(key: sshpk.Key, name: string): Buffer {
  const keyPart = (key as unknown as PartHolder).part[name];
  if (keyPart === undefined) throw new KeyRefused('A part of this key is missing.');
  return keyPart.data;
}

/** A number in a JWK has no sign byte; coordinates are padded on the left to their full length. */
function base64url(data: Buffer, length?: number): string {
  let start = 0;
  while (start < data.length - 1 && data[start] === 0) start += 1;
  const bare = length === undefined || data.length > length ? data.subarray(start) : data;
  const padded =
    length === undefined ? bare : Buffer.concat([Buffer.alloc(Math.max(0, length - bare.length)), bare]);
  return padded.toString('base64url');
}
