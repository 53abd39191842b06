import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { publicBytesOf } from './derive-keys.ts';
import { protocolVersion } from './entry.ts';

// HPKE (RFC 9180) in base mode, for one message: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. By Node's crypto,
// because WebCrypto's X25519 is experimental in Node 20.

const keyBytes = 32;
const tagBytes = 16;
/** `KEM` and `HPKE` with the numbers of the suite (RFC 9180, sections 4.1 and 5.1). */
const kemSuite = Buffer.from('KEM\x00\x20', 'latin1');
const hpkeSuite = Buffer.from('HPKE\x00\x20\x00\x01\x00\x02', 'latin1');
const none = Buffer.alloc(0);

const hmac = (key: Uint8Array, ...parts: Uint8Array[]): Buffer =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest();

/** `LabeledExtract` (section 4). */
const extract = (suite: Buffer, salt: Uint8Array, label: string, bytes: Uint8Array): Buffer =>
  hmac(salt, Buffer.from('HPKE-v1'), suite, Buffer.from(label), bytes);

/** `LabeledExpand` (section 4), for at most 32 bytes: one block of HKDF. */
const expand = (suite: Buffer, key: Buffer, label: string, info: Uint8Array, length: number): Buffer =>
  hmac(
    key,
    Buffer.of(0, length),
    Buffer.from('HPKE-v1'),
    suite,
    Buffer.from(label),
    info,
    Buffer.of(1),
  ).subarray(0, length);

const readSealingKey = (key: Uint8Array): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: Buffer.from(key).toString('base64url') },
    format: 'jwk',
  });

/**
 * The key and nonce that seal a message: `shared` of X25519, the sender's public key for this message (`enc`), the
 * receiver's, and the context that both know.
 */
export function scheduleKey(shared: Uint8Array, enc: Uint8Array, receiver: Uint8Array, info: Uint8Array) {
  const extracted = extract(kemSuite, none, 'eae_prk', shared);
  const secret = expand(kemSuite, extracted, 'shared_secret', Buffer.concat([enc, receiver]), keyBytes);
  const context = Buffer.concat([
    Buffer.of(0),
    extract(hpkeSuite, none, 'psk_id_hash', none),
    extract(hpkeSuite, none, 'info_hash', info),
  ]);
  const scheduled = extract(hpkeSuite, secret, 'secret', none);
  return {
    key: expand(hpkeSuite, scheduled, 'key', context, keyBytes),
    nonce: expand(hpkeSuite, scheduled, 'base_nonce', context, 12),
  };
}

/**
 * Seals bytes for the holder of an X25519 key (32 bytes): the sender's public key for this message (32), the ciphertext
 * and the tag (16). Throws for a key with which the shared secret would be all zero (section 7.1.4): OpenSSL refuses it.
 */
export function sealTo(publicKey: Uint8Array, info: Uint8Array, text: Uint8Array): Buffer {
  const ephemeral = generateKeyPairSync('x25519');
  const enc = Buffer.from(publicBytesOf(ephemeral.publicKey), 'base64url');
  const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: readSealingKey(publicKey) });
  const { key, nonce } = scheduleKey(shared, enc, publicKey, info);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  return Buffer.concat([enc, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Opens what `sealTo` sealed for this X25519 key and context; null for any other bytes. */
export function openSealed(privateKey: KeyObject, sealed: Uint8Array, info: Uint8Array): Buffer | null {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const enc = bytes.subarray(0, keyBytes);
  const end = bytes.length - tagBytes;
  try {
    const shared = diffieHellman({ privateKey, publicKey: readSealingKey(enc) });
    const publicKey = Buffer.from(publicBytesOf(privateKey), 'base64url');
    const { key, nonce } = scheduleKey(shared, enc, publicKey, info);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAuthTag(bytes.subarray(end));
    return Buffer.concat([decipher.update(bytes.subarray(keyBytes, end)), decipher.final()]);
  } catch {
    return null;
  }
}

const teamKeyBytes = 32;

/** The subject of a grant: a team key's generation, and the computer (or recovery key) that receives it. */
interface GrantPosition {
  readonly team: string;
  readonly generation: number;
  readonly computer: string;
}

const infoOf = ({ team, generation, computer }: GrantPosition): Buffer =>
  Buffer.from(JSON.stringify(['claimdesk grant', protocolVersion, team, generation, computer]), 'utf8');

/** Seals a team key (32 bytes) for a computer's `sealingKey` (base64url); as base64url. */
export const sealGrant = ({
  key,
  sealingKey,
  ...position
}: GrantPosition & { readonly key: Uint8Array; readonly sealingKey: string }): string =>
  sealTo(Buffer.from(sealingKey, 'base64url'), infoOf(position), key).toString('base64url');

/** The team key in a grant; null where it was sealed for another key or position, and for any other text. */
export function openGrant(privateKey: KeyObject, position: GrantPosition, grant: string): Buffer | null {
  const key = openSealed(privateKey, Buffer.from(grant, 'base64url'), infoOf(position));
  return key?.length === teamKeyBytes ? key : null;
}
