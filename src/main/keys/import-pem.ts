import { createPrivateKey, type KeyObject } from 'node:crypto';
import { DeskError } from '../lib/errors.ts';
import { acceptPrivateJwk } from './accept-key.ts';
import type { ArmorBlock } from './import-armor.ts';
import type { PrivateJwk } from './private-jwk.ts';

export const pemLabels: ReadonlySet<string> = new Set([
  'PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'RSA PRIVATE KEY',
  'EC PRIVATE KEY',
]);

/** The ciphers of the old PEM encryption that both OpenSSL and BoringSSL support. */
const pemCiphers = new Set(['AES-128-CBC', 'AES-192-CBC', 'AES-256-CBC', 'DES-EDE3-CBC']);

/**
 * Reads PKCS#8, PKCS#1 and SEC1 keys with Node's own reader: for a wrong passphrase of these, sshpk throws an error
 * that cannot be caught. `passphrase` is ignored where the file is not encrypted.
 * @throws DeskError `key.passphraseNeeded`, `key.wrongPassphrase`, `key.cipherUnsupported`, `key.dsaRefused`,
 *   `key.curveUnsupported`, `key.typeUnsupported`, `key.tooShort`, `key.notAKey`
 */
export function importPemKey(block: ArmorBlock, passphrase: string | null): PrivateJwk {
  const isEncrypted = block.encryption !== 'none' || block.label === 'ENCRYPTED PRIVATE KEY';
  if (isEncrypted) requireReadable(block);
  if (isEncrypted && passphrase === null) throw new DeskError('key.passphraseNeeded');
  return acceptKeyObject(openPem(block, isEncrypted ? passphrase : null));
}

function openPem(block: ArmorBlock, passphrase: string | null): KeyObject {
  try {
    return createPrivateKey({
      key: toCanonicalPem(block),
      format: 'pem',
      ...(passphrase === null ? {} : { passphrase }),
    });
  } catch (error) {
    const text = `${(error as { code?: string }).code ?? ''} ${(error as Error).message}`;
    if (passphrase === null) throw explainUnreadable(block);
    // The decoder's 'unsupported' is excluded: one wrong passphrase in 256 decrypts to valid padding by chance.
    if (/unsupported|unknown/i.test(text) && !text.includes('DECODER'))
      throw new DeskError('key.cipherUnsupported');
    // The outer structure is complete, so the content was decrypted wrongly.
    throw new DeskError('key.wrongPassphrase');
  }
}

/** Electron's BoringSSL cannot parse DSA and some curves, so these are recognized by their object identifiers. */
function explainUnreadable(block: ArmorBlock): DeskError {
  if (!hasWholeShell(block.bytes)) return new DeskError('key.notAKey');
  if (block.bytes.includes(identifiers.dsa)) return new DeskError('key.dsaRefused');
  const isEc = block.label === 'EC PRIVATE KEY' || block.bytes.includes(identifiers.ec);
  const isKnownCurve = identifiers.curves.some((curve) => block.bytes.includes(curve));
  if (isEc && !isKnownCurve) return new DeskError('key.curveUnsupported');
  return new DeskError('key.notAKey');
}

const identifiers = {
  dsa: Buffer.from('2a8648ce380401', 'hex'),
  ec: Buffer.from('2a8648ce3d0201', 'hex'),
  curves: ['2a8648ce3d030107', '2b81040022', '2b81040023'].map((hex) => Buffer.from(hex, 'hex')),
};

const nodeCurves = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

function acceptKeyObject(key: KeyObject): PrivateJwk {
  switch (key.asymmetricKeyType) {
    case 'rsa':
    case 'ed25519':
      return acceptPrivateJwk(key.export({ format: 'jwk' }));
    case 'ec':
      if (!nodeCurves.has(key.asymmetricKeyDetails?.namedCurve ?? ''))
        throw new DeskError('key.curveUnsupported');
      return acceptPrivateJwk(key.export({ format: 'jwk' }));
    case 'dsa':
      throw new DeskError('key.dsaRefused');
    case 'ed448':
    case 'x25519':
    case 'x448':
      throw new DeskError('key.curveUnsupported');
    default:
      throw new DeskError('key.typeUnsupported');
  }
}

function requireReadable({ encryption, bytes }: ArmorBlock): void {
  if (encryption === 'none') {
    if (!hasWholeShell(bytes)) throw new DeskError('key.notAKey');
    return;
  }
  if (encryption === 'unknown' || !pemCiphers.has(encryption.algorithm))
    throw new DeskError('key.cipherUnsupported');
}

/** Whether the bytes are one ASN.1 sequence of exactly the length that it states. */
function hasWholeShell(bytes: Buffer): boolean {
  const first = bytes[1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (bytes[0] !== 0x30 || lengthBytes > 3 || bytes.length < 2 + lengthBytes) return false;
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes);
  return bytes.length === 2 + lengthBytes + length;
}

/** Formats the bytes as the PEM that OpenSSL writes, whatever the layout of the file was. */
function toCanonicalPem({ label, bytes, encryption }: ArmorBlock): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  const header =
    typeof encryption === 'string'
      ? []
      : ['Proc-Type: 4,ENCRYPTED', `DEK-Info: ${encryption.algorithm},${encryption.parameters}`, ''];
  return [`-----BEGIN ${label}-----`, ...header, ...lines, `-----END ${label}-----`, ''].join('\n');
}
