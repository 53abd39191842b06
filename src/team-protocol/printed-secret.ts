import { createHash } from 'node:crypto';

/** Crockford's alphabet: without I, L, O and U, so that no character is misread on paper. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const checkBytes = 3;

/** A kind of secret that is printed. With the checksum its length in bits is a multiple of 5. */
export interface PrintedKind {
  /** Part of the checksum, so that a secret of one kind is not read as one of another. */
  readonly name: string;
  readonly secretBytes: number;
}

const checkOf = ({ name }: PrintedKind, secret: Buffer): Buffer =>
  createHash('sha256').update(name).update(secret).digest().subarray(0, checkBytes);

/**
 * A secret and a checksum of 24 bits as groups of four characters.
 * @example writePrinted({ name: 'key', secretBytes: 2 }, Buffer.from([1, 2])) // '0414-RR1W'
 */
export function writePrinted(kind: PrintedKind, secret: Buffer): string {
  const bytes = Buffer.concat([secret, checkOf(kind, secret)]);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const text = (bits.match(/.{5}/g) ?? []).map((five) => letters[Number.parseInt(five, 2)]).join('');
  return (text.match(/.{4}/g) ?? []).join('-');
}

/**
 * The secret in a typed text; null for a typing error, by the checksum. Case, blanks and hyphens are ignored; O is read
 * as 0, I and L as 1.
 */
export function readPrinted(kind: PrintedKind, typed: string): Buffer | null {
  const text = typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  const values = [...text].map((letter) => letters.indexOf(letter));
  if (values.length * 5 !== (kind.secretBytes + checkBytes) * 8 || values.includes(-1)) return null;
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
  const secret = bytes.subarray(0, kind.secretBytes);
  return checkOf(kind, secret).equals(bytes.subarray(kind.secretBytes)) ? secret : null;
}
