import { keyKinds } from '../../team-protocol/ssh-signature.ts';
import type { PrivateJwk } from './private-jwk.ts';

type KeyKind = (typeof keyKinds)[keyof typeof keyKinds];

export const kindOf = (jwk: PrivateJwk): KeyKind => keyKinds[jwk.kty === 'RSA' ? 'RSA' : jwk.crv];

/** The kind of a key type as in the facts of a key (`rsa-3072`); undefined for a type that no key here has. */
export const findKind = (type: string): KeyKind | undefined =>
  Object.values(keyKinds).find((kind) => kind.type === type.replace(/^rsa-\d+$/, 'rsa'));
