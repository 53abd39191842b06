import { kindOf } from './key-types.ts';
import { loadSshpk } from './load-sshpk.ts';
import { type PrivateJwk, toPublicPem } from './private-jwk.ts';

/** The public facts of a key. `publicKey` is the one-line OpenSSH form, its comment last. */
type KeyFacts = { type: string; bits: number; fingerprint: string; publicKey: string };

/**
 * Reads the public facts of a private key: type and size (`rsa-4096`, `ecdsa-521`, `ed25519`), the fingerprint as
 * `ssh-keygen -l` prints it, and the line to register (docs/service.md, "SSH-JWT").
 */
export function readKeyFacts(jwk: PrivateJwk, name: string): KeyFacts {
  const key = loadSshpk().parseKey(toPublicPem(jwk), 'pem');
  const line = key.toString('ssh').trim().split(' ').slice(0, 2).join(' ');
  const { type } = kindOf(jwk);
  return {
    type: type === 'rsa' ? `rsa-${key.size}` : type,
    bits: key.size,
    fingerprint: key.fingerprint('sha256').toString(),
    publicKey: withComment(line, name),
  };
}

/** Replaces the comment of a one-line public key. */
export const withComment = (publicKey: string, name: string): string =>
  [...publicKey.split(' ').slice(0, 2), toComment(name)].join(' ');

/** A comment that any parser can read: printable ASCII without blanks, never empty. */
function toComment(name: string): string {
  const comment = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\x21-\x7e]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return comment === '' ? 'claimdesk' : comment;
}
