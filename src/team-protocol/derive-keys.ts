import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';

/** Keys that follow from one secret: `signing` (Ed25519) signs entries, `sealing` (X25519) receives keys of a team. */
export interface DerivedKeys {
  readonly signing: KeyObject;
  readonly sealing: KeyObject;
}

/** The bytes before the 32 bytes of a private key in PKCS #8 (RFC 8410, section 7). */
const pkcs8Head = { Ed25519: '302e020100300506032b657004220420', X25519: '302e020100300506032b656e04220420' };

function deriveKey(secret: Uint8Array, type: keyof typeof pkcs8Head): KeyObject {
  const bytes = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `claimdesk computer ${type}`, 32));
  const key = Buffer.concat([Buffer.from(pkcs8Head[type], 'hex'), bytes]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** The keys of a computer, or of a team's recovery key, by their secret of 32 bytes. */
export const deriveKeys = (secret: Uint8Array): DerivedKeys => ({
  signing: deriveKey(secret, 'Ed25519'),
  sealing: deriveKey(secret, 'X25519'),
});

/** The 32 bytes of the public key as base64url, of a private or public key. */
export function publicBytesOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ format: 'jwk' }).x as string;
}
