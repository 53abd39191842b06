import type sshpk from 'sshpk';
import { createSshReader, type SshReader, toSshString, toSshUint32 } from '../../team-protocol/ssh-wire.ts';
import { DeskError } from '../lib/errors.ts';
import { acceptPrivateJwk, requireAcceptedSshType } from './accept-key.ts';
import { loadSshpk } from './load-sshpk.ts';
import { decryptOpenSsh, findOpenSshCipher } from './openssh-cipher.ts';
import type { PrivateJwk } from './private-jwk.ts';

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
 * Requires the two random numbers before the key to be equal: under CTR and CBC only they reveal a wrong passphrase.
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
  if (key.type === 'ed25519') {
    return { kty: 'OKP', crv: 'Ed25519', x: encode(bytes('A')), d: encode(bytes('k').subarray(0, 32)) };
  }
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
