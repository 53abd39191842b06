import { createHash, randomBytes } from 'node:crypto';
import { DeskError } from '../lib/errors.ts';

/** Crockford's alphabet: without I, L, O and U, so that no character is misread on paper. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const secretBytes = 17;
const checkBytes = 3;
const length = ((secretBytes + checkBytes) * 8) / 5;

/** Makes a recovery code: 136 random bits and a checksum of 24 bits, as eight groups of four characters. */
export function makeRecoveryCode(): string {
  const secret = randomBytes(secretBytes);
  const bits = [...Buffer.concat([secret, checkOf(secret)])].map((byte) => byte.toString(2).padStart(8, '0'));
  const text = (bits.join('').match(/.{5}/g) ?? []).map((five) => letters[Number.parseInt(five, 2)]).join('');
  return (text.match(/.{4}/g) ?? []).join('-');
}

/**
 * Parses a typed code and returns its secret. Case, blanks and hyphens are ignored; O is read as 0, I and L as 1.
 * @throws DeskError `unlock.badCode` for a typing error, by the checksum: it is not counted as a failed attempt
 */
export function parseRecoveryCode(typed: string): Buffer {
  const text = typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  const values = [...text].map((letter) => letters.indexOf(letter));
  if (values.length !== length || values.includes(-1)) throw new DeskError('unlock.badCode');
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
  const secret = bytes.subarray(0, secretBytes);
  if (!checkOf(secret).equals(bytes.subarray(secretBytes))) throw new DeskError('unlock.badCode');
  return secret;
}

function checkOf(secret: Buffer): Buffer {
  return createHash('sha256')
    .update('claimdesk recovery code')
    .update(secret)
    .digest()
    .subarray(0, checkBytes);
}
