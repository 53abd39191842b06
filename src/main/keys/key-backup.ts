import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import sshpk from 'sshpk';
import { minPassphraseLength } from '../keychain/passphrase-key.ts';
import { DeskError } from '../lib/errors.ts';
import type { PrivateJwk } from './private-jwk.ts';

/**
 * Writes a private key as an OpenSSH file with a passphrase (bcrypt_pbkdf, AES-256-CTR), readable by `ssh-keygen -y
 * -P`. There is no form without a passphrase.
 * @throws DeskError `key.weakPassphrase`
 */
export function writeOpenSshBackup(jwk: PrivateJwk, comment: string, passphrase: string): string {
  if (passphrase.length < minPassphraseLength) throw new DeskError('key.weakPassphrase');
  const pem = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' }).export({
    type: 'pkcs8',
    format: 'pem',
  });
  const key = sshpk.parsePrivateKey(pem.toString(), 'pem');
  key.comment = comment;
  // The published types of `toBuffer` lack these options for this format.
  const options = { passphrase, cipher: 'aes256-ctr' } as unknown as Parameters<typeof key.toBuffer>[1];
  return `${key.toBuffer('ssh-private', options).toString('latin1').trimEnd()}\n`;
}
