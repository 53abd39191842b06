import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { argon2d, argon2i, argon2id } from 'hash-wasm';
import { createSshReader, toSshString } from '../../team-protocol/ssh-wire.ts';
import { DeskError } from '../lib/errors.ts';
import { acceptPrivateJwk, requireAcceptedSshType } from './accept-key.ts';
import type { PrivateJwk } from './private-jwk.ts';
import { type PuttyFile, parsePuttyFile } from './putty-file.ts';

type PuttyKeys = { cipherKey: Buffer; iv: Buffer; macKey: Buffer };

const derivations = { Argon2id: argon2id, Argon2i: argon2i, Argon2d: argon2d } as const;
/** Limits, so that a forged file cannot use all memory or run for minutes. PuTTY's own default is 8 MiB. */
const maxArgonKib = 256 * 1024;
const maxArgonWork = 4 * 1024 * 1024;

/**
 * Reads a key file of PuTTY, version 2 or 3 (its manual, appendix C). `text` is decoded byte by byte (latin1), since
 * the checksum covers the bytes of the comment.
 * @throws DeskError `key.passphraseNeeded`, `key.wrongPassphrase`, `key.cipherUnsupported`, `key.dsaRefused`,
 *   `key.curveUnsupported`, `key.typeUnsupported`, `key.tooShort`, `key.notAKey`
 */
export async function importPuttyKey(
  text: string,
  passphrase: string | null,
): Promise<{ jwk: PrivateJwk; comment: string }> {
  const file = parsePuttyFile(text);
  requireAcceptedSshType(file.type);
  const isEncrypted = file.encryption !== 'none';
  if (isEncrypted && file.encryption !== 'aes256-cbc') throw new DeskError('key.cipherUnsupported');
  if (isEncrypted && passphrase === null) throw new DeskError('key.passphraseNeeded');
  const keys = await deriveKeys(file, isEncrypted ? (passphrase ?? '') : null);
  const plain = isEncrypted ? decrypt(file.privateBlob, keys) : file.privateBlob;
  if (!isMacRight(file, plain, keys.macKey))
    throw new DeskError(isEncrypted ? 'key.wrongPassphrase' : 'key.notAKey');
  return {
    jwk: acceptPrivateJwk(toJwkParts(file, plain)),
    comment: Buffer.from(file.comment, 'latin1').toString('utf8'),
  };
}

function decrypt(blob: Buffer, { cipherKey, iv }: PuttyKeys): Buffer {
  if (blob.length === 0 || blob.length % 16 !== 0) throw new DeskError('key.notAKey');
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv).setAutoPadding(false);
  return Buffer.concat([decipher.update(blob), decipher.final()]);
}

async function deriveKeys(file: PuttyFile, passphrase: string | null): Promise<PuttyKeys> {
  const none = Buffer.alloc(0);
  if (file.version === 2) {
    const pass = Buffer.from(passphrase ?? '', 'utf8');
    const hash = (...parts: Buffer[]) => createHash('sha1').update(Buffer.concat(parts)).digest();
    const half = (index: number) => hash(Buffer.from([0, 0, 0, index]), pass);
    return {
      cipherKey: Buffer.concat([half(0), half(1)]).subarray(0, 32),
      iv: Buffer.alloc(16),
      macKey: hash(Buffer.from('putty-private-key-file-mac-key'), pass),
    };
  }
  if (passphrase === null || file.argon === null) return { cipherKey: none, iv: none, macKey: none };
  const { flavor, memoryKib, passes, parallelism, salt } = file.argon;
  const derive = Object.hasOwn(derivations, flavor)
    ? derivations[flavor as keyof typeof derivations]
    : undefined;
  const isBearable = memoryKib <= maxArgonKib && memoryKib * passes <= maxArgonWork && parallelism <= 16;
  if (derive === undefined || !isBearable) throw new DeskError('key.cipherUnsupported');
  const derived = await derive({
    password: Buffer.from(passphrase, 'utf8'),
    salt,
    iterations: passes,
    memorySize: memoryKib,
    parallelism,
    hashLength: 80,
    outputType: 'binary',
  }).catch(() => {
    throw new DeskError('key.notAKey');
  });
  const bytes = Buffer.from(derived);
  return { cipherKey: bytes.subarray(0, 32), iv: bytes.subarray(32, 48), macKey: bytes.subarray(48) };
}

function isMacRight(file: PuttyFile, plain: Buffer, macKey: Buffer): boolean {
  const { type, encryption, comment, publicBlob } = file;
  const parts = [type, encryption, comment].map((text) => toSshString(Buffer.from(text, 'latin1')));
  const expected = createHmac(file.version === 2 ? 'sha1' : 'sha256', macKey)
    .update(Buffer.concat([...parts, toSshString(publicBlob), toSshString(plain)]))
    .digest();
  return expected.length === file.mac.length && timingSafeEqual(expected, file.mac);
}

function toJwkParts(file: PuttyFile, plain: Buffer): Record<string, unknown> {
  const publicPart = createSshReader(file.publicBlob);
  const privatePart = createSshReader(plain);
  if (publicPart.readText() !== file.type) throw new DeskError('key.notAKey');
  const read = (reader: { readString(): Buffer }) => reader.readString().toString('base64url');
  if (file.type === 'ssh-ed25519')
    return { kty: 'OKP', crv: 'Ed25519', x: read(publicPart), d: read(privatePart) };
  if (file.type === 'ssh-rsa') {
    const [e, n] = [read(publicPart), read(publicPart)];
    const [d, p, q] = [read(privatePart), read(privatePart), read(privatePart)];
    return { kty: 'RSA', n, e, d, p, q };
  }
  const curve = publicPart.readText();
  const point = publicPart.readString();
  const half = (point.length - 1) / 2;
  if (point[0] !== 4 || !Number.isInteger(half)) throw new DeskError('key.notAKey');
  return {
    kty: 'EC',
    crv: curve.replace(/^nistp/, 'P-'),
    x: point.subarray(1, 1 + half).toString('base64url'),
    y: point.subarray(1 + half).toString('base64url'),
    d: read(privatePart),
  };
}
