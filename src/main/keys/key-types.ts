import type { PrivateJwk } from './private-jwk.ts';

/**
 * What follows from the kind of a key, by its curve: the name of its type (that of RSA is followed by `-` and its size);
 * the algorithm of its tokens (docs/service.md, "SSH-JWT"); the name of its signatures and their digest (RFC 8709,
 * RFC 5656, RFC 8332). A curve that `private-jwk.ts` accepts and that is not here does not compile.
 */
export const keyKinds = {
  Ed25519: { type: 'ed25519', algorithm: 'EdDSA', signature: 'ssh-ed25519', digest: null },
  'P-256': { type: 'ecdsa-256', algorithm: 'ES256', signature: 'ecdsa-sha2-nistp256', digest: 'sha256' },
  'P-384': { type: 'ecdsa-384', algorithm: 'ES384', signature: 'ecdsa-sha2-nistp384', digest: 'sha384' },
  'P-521': { type: 'ecdsa-521', algorithm: 'ES512', signature: 'ecdsa-sha2-nistp521', digest: 'sha512' },
  RSA: { type: 'rsa', algorithm: 'RS256', signature: 'rsa-sha2-512', digest: 'sha512' },
} as const;
type KeyKind = (typeof keyKinds)[keyof typeof keyKinds];

export const kindOf = (jwk: PrivateJwk): KeyKind => keyKinds[jwk.kty === 'RSA' ? 'RSA' : jwk.crv];

/** The kind of a type as the facts of a key name it (`rsa-3072`); undefined for a type that no key here has. */
export const findKind = (type: string): KeyKind | undefined =>
  Object.values(keyKinds).find((kind) => kind.type === type.replace(/^rsa-\d+$/, 'rsa'));
