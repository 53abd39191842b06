/// <reference path="./bcrypt-pbkdf.d.ts" />
import { createDecipheriv, timingSafeEqual } from 'node:crypto';
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { chacha20orig } from '@noble/ciphers/chacha.js';
import { pbkdf } from 'bcrypt-pbkdf';
import type sshpk from 'sshpk';
import { createSshReader, type SshReader, toSshString, toSshUint32 } from '../../team-protocol/ssh-wire.ts';
import { DeskError } from '../lib/errors.ts';
import { acceptPrivateJwk, requireAcceptedSshType } from './accept-key.ts';
import { loadSshpk } from './load-sshpk.ts';
import type { PrivateJwk } from './private-jwk.ts';

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
function findOpenSshCipher(name: string): CipherSpec & { node: string } {
  const spec = Object.hasOwn(ciphers, name) ? ciphers[name] : undefined;
  if (spec === undefined) throw new DeskError('key.cipherUnsupported');
  return spec;
}

/**
 * Decrypts the private section of an OpenSSH key file.
 * @throws DeskError `key.wrongPassphrase` where the cipher can detect it; `key.cipherUnsupported` for a derivation
 *   that would take minutes
 */
function decryptOpenSsh(
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
  if (pbkdf(pass, pass.length, salt, salt.length, out, out.length, rounds) !== 0)
    throw new DeskError('key.notAKey');
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

const magic = Buffer.from('openssh-key-v1\0', 'latin1');

/**
 * Reads a key in OpenSSH's own format (its PROTOCOL.key). The envelope is decrypted here, because sshpk supports
 * neither AES-GCM nor ChaCha20-Poly1305; sshpk then reads the key from an unencrypted envelope.
 * @throws DeskError `key.passphraseNeeded`, `key.wrongPassphrase`, `key.cipherUnsupported`, `key.dsaRefused`,
 *   `key.curveUnsupported`, `key.typeUnsupported`, `key.tooShort`, `key.notAKey`
 */
export function importOpenSshKey(
  bytes: Buffer,
  passphrase: string | null,
): { jwk: PrivateJwk; comment: string } {
  if (!bytes.subarray(0, magic.length).equals(magic)) throw new DeskError('key.notAKey');
  const reader = createSshReader(bytes.subarray(magic.length));
  const cipherName = reader.readText();
  const derivationName = reader.readText();
  const derivationOptions = reader.readString();
  if (reader.readUint32() !== 1) throw new DeskError('key.notAKey');
  const publicBlob = reader.readString();
  const section = reader.readString();
  requireAcceptedSshType(createSshReader(publicBlob).readText());

  const isEncrypted = cipherName !== 'none' || derivationName !== 'none';
  const plain = isEncrypted
    ? openSection({ cipherName, derivationName, derivationOptions, section, reader, passphrase })
    : section;
  requireMatchingChecks(plain, isEncrypted);
  return readPlainSection(publicBlob, plain);
}

function openSection(input: {
  cipherName: string;
  derivationName: string;
  derivationOptions: Buffer;
  section: Buffer;
  reader: SshReader;
  passphrase: string | null;
}): Buffer {
  const spec = findOpenSshCipher(input.cipherName);
  if (input.derivationName !== 'bcrypt') throw new DeskError('key.cipherUnsupported');
  if (input.passphrase === null) throw new DeskError('key.passphraseNeeded');
  const options = createSshReader(input.derivationOptions);
  const derivation = {
    salt: options.readString(),
    rounds: options.readUint32(),
    passphrase: input.passphrase,
  };
  // The tag follows the section.
  const tag = input.reader.readRest().subarray(0, spec.tagBytes);
  return decryptOpenSsh(spec, derivation, input.section, tag);
}

/**
 * Requires the two random numbers before the key to be equal: with CTR and CBC, only they reveal a wrong passphrase.
 */
function requireMatchingChecks(plain: Buffer, isEncrypted: boolean): void {
  const isMatching = plain.length >= 8 && plain.readUInt32BE(0) === plain.readUInt32BE(4);
  if (!isMatching) throw new DeskError(isEncrypted ? 'key.wrongPassphrase' : 'key.notAKey');
}

function readPlainSection(publicBlob: Buffer, plain: Buffer): { jwk: PrivateJwk; comment: string } {
  requireAcceptedSshType(createSshReader(plain.subarray(8)).readText());
  const envelope = Buffer.concat([
    magic,
    ...['none', 'none', ''].map(toSshString),
    toSshUint32(1),
    toSshString(publicBlob),
    toSshString(plain),
  ]).toString('base64');
  const pem = `-----BEGIN OPENSSH PRIVATE KEY-----\n${envelope}\n-----END OPENSSH PRIVATE KEY-----\n`;
  const key = parseWithSshpk(pem);
  if (!key.toPublic().toBuffer('rfc4253').equals(publicBlob)) throw new DeskError('key.notAKey');
  return { jwk: acceptPrivateJwk(toJwkParts(key)), comment: key.comment ?? '' };
}

function parseWithSshpk(pem: string): sshpk.PrivateKey {
  try {
    return loadSshpk().parsePrivateKey(pem, 'ssh-private');
  } catch (error) {
    throw new DeskError('key.notAKey', { cause: (error as Error).name });
  }
}

const jwkCurves: Readonly<Record<string, string>> = {
  nistp256: 'P-256',
  nistp384: 'P-384',
  nistp521: 'P-521',
};

/** The raw parts under their names in a JWK; `acceptPrivateJwk` checks them. */
function toJwkParts(key: sshpk.PrivateKey): Record<string, unknown> {
  const bytes = (name: string): Buffer => {
    const part = key.parts.find((candidate) => candidate.name === name);
    if (part === undefined) throw new DeskError('key.notAKey');
    return part.data;
  };
  const encode = (value: Buffer) => value.toString('base64url');
  if (key.type === 'ed25519')
    return { kty: 'OKP', crv: 'Ed25519', x: encode(bytes('A')), d: encode(bytes('k').subarray(0, 32)) };
  if (key.type === 'rsa') {
    const names = ['n', 'e', 'd', 'p', 'q'];
    return { kty: 'RSA', ...Object.fromEntries(names.map((name) => [name, encode(bytes(name))])) };
  }
  const point = bytes('Q');
  const half = (point.length - 1) / 2;
  if (point[0] !== 4 || !Number.isInteger(half)) throw new DeskError('key.notAKey');
  return {
    kty: 'EC',
    crv: jwkCurves[key.curve ?? ''],
    x: encode(point.subarray(1, 1 + half)),
    y: encode(point.subarray(1 + half)),
    d: encode(bytes('d')),
  };
}
