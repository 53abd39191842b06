/// <reference path="./bcrypt-pbkdf.d.ts" />
import { createDecipheriv, timingSafeEqual } from 'node:crypto';
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { chacha20orig } from '@noble/ciphers/chacha.js';
import { pbkdf } from 'bcrypt-pbkdf';
import { DeskError } from '../lib/errors.ts';

type CipherSpec = { mode: 'stream' | 'gcm' | 'chacha'; keyBytes: number; ivBytes: number; tagBytes: number };

const stream = (keyBytes: number, ivBytes = 16): CipherSpec => ({
  mode: 'stream',
  keyBytes,
  ivBytes,
  tagBytes: 0,
});

/** The ciphers that ssh-keygen -Z can write, with the sizes that OpenSSH derives by bcrypt_pbkdf for each. */
const ciphers: Readonly<Record<string, CipherSpec & { node: string }>> = {
  'aes128-ctr': { ...stream(16), node: 'aes-128-ctr' },
  'aes192-ctr': { ...stream(24), node: 'aes-192-ctr' },
  'aes256-ctr': { ...stream(32), node: 'aes-256-ctr' },
  'aes128-cbc': { ...stream(16), node: 'aes-128-cbc' },
  'aes192-cbc': { ...stream(24), node: 'aes-192-cbc' },
  'aes256-cbc': { ...stream(32), node: 'aes-256-cbc' },
  '3des-cbc': { ...stream(24, 8), node: 'des-ede3-cbc' },
  'aes128-gcm@openssh.com': { mode: 'gcm', keyBytes: 16, ivBytes: 12, tagBytes: 16, node: 'aes-128-gcm' },
  'aes256-gcm@openssh.com': { mode: 'gcm', keyBytes: 32, ivBytes: 12, tagBytes: 16, node: 'aes-256-gcm' },
  'chacha20-poly1305@openssh.com': { mode: 'chacha', keyBytes: 64, ivBytes: 0, tagBytes: 16, node: '' },
};

/** bcrypt_pbkdf in JavaScript takes a second for 30 to 100 rounds; ssh-keygen’s default is 16 or 24. */
const maxRounds = 1000;

/** @throws DeskError `key.cipherUnsupported` */
export function findOpenSshCipher(name: string): CipherSpec & { node: string } {
  const spec = Object.hasOwn(ciphers, name) ? ciphers[name] : undefined;
  if (spec === undefined) throw new DeskError('key.cipherUnsupported');
  return spec;
}

/**
 * Decrypts the private section of an OpenSSH key file.
 * @throws DeskError `key.wrongPassphrase` where the cipher can detect it; `key.cipherUnsupported` for a derivation
 *   that would take minutes
 */
export function decryptOpenSsh(
  spec: CipherSpec & { node: string },
  derivation: { salt: Buffer; rounds: number; passphrase: string },
  encrypted: Buffer,
  tag: Buffer,
): Buffer {
  const { key, iv } = deriveKey(spec, derivation);
  try {
    if (spec.mode === 'chacha') return openChacha(key, encrypted, tag);
    if (spec.mode === 'gcm') {
      const decipher = createDecipheriv(spec.node as 'aes-256-gcm', key, iv, { authTagLength: 16 });
      decipher.setAuthTag(tag);
      return Buffer.concat([decipher.update(encrypted), decipher.final()]);
    }
    const decipher = createDecipheriv(spec.node, key, iv).setAutoPadding(false);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch {
    throw new DeskError('key.wrongPassphrase');
  }
}

function deriveKey(
  spec: CipherSpec,
  { salt, rounds, passphrase }: { salt: Buffer; rounds: number; passphrase: string },
): { key: Buffer; iv: Buffer } {
  if (rounds > maxRounds) throw new DeskError('key.cipherUnsupported');
  const pass = Buffer.from(passphrase, 'utf8');
  const out = new Uint8Array(spec.keyBytes + spec.ivBytes);
  if (pbkdf(pass, pass.length, salt, salt.length, out, out.length, rounds) !== 0) {
    throw new DeskError('key.notAKey');
  }
  return { key: Buffer.from(out.subarray(0, spec.keyBytes)), iv: Buffer.from(out.subarray(spec.keyBytes)) };
}

/**
 * chacha20-poly1305@openssh.com with sequence number 0 and no additional data: the first block of the key stream is
 * the key of Poly1305, the text begins at block 1. Only the first half of the 64 bytes is used.
 */
function openChacha(key: Buffer, encrypted: Buffer, tag: Buffer): Buffer {
  const mainKey = key.subarray(0, 32);
  const nonce = new Uint8Array(8);
  const tagKey = chacha20orig(mainKey, nonce, new Uint8Array(32), undefined, 0);
  const expected = poly1305(encrypted, tagKey);
  if (tag.length !== expected.length || !timingSafeEqual(tag, expected))
    throw new Error('The tag does not match.');
  return Buffer.from(chacha20orig(mainKey, nonce, encrypted, undefined, 1));
}
