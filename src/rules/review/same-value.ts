import type { Cell } from '../query.ts';

/**
 * How the values of a field are compared. `exact`: as numbers where they are numbers. `text`: ignoring extra spaces,
 * case and the composition of accents. `npi`, `tin` and `ndc`: by their digits, with or without dashes. A number sent
 * as text is equal to the number.
 */
export type ValueComparison = 'exact' | 'text' | 'npi' | 'tin' | 'ndc';

/** Returns a text in lower case, with single spaces and composed accents, for comparison. */
export const plainText = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The shortest form of a decimal number of any length; null if the text is not a number. */
function shortestDecimal(text: string): string | null {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)0*(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (sign === undefined) return null;
  const parts = fraction.replace(/0+$/, '');
  const digits = parts === '' ? whole : `${whole}.${parts}`;
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}

/** The digits of an identifier that consists of digits, dashes and spaces; null for other texts. */
const digitsOf = (text: string): string | null =>
  /^[\d\s-]*\d[\d\s-]*$/.test(text) ? text.replace(/\D/g, '') : null;

/** The 11 digits (5-4-2) of an NDC: the parts of one with dashes, and a number, are padded with zeros. */
function ndcDigits(value: string | number): string | null {
  const parts = String(value)
    .trim()
    .split(/\s*-\s*/);
  if (parts.length === 3 && parts.every((part) => /^\d+$/.test(part)))
    return parts.map((part, at) => part.padStart([5, 4, 2][at] as number, '0')).join('');
  const digits = digitsOf(String(value));
  return typeof value === 'number' ? (digits?.padStart(11, '0') ?? null) : digits;
}

/** Returns a text that is equal for equal values; null for blank ones. */
export function comparableOf(value: Cell, comparison: ValueComparison): string | null {
  if (value === null) return null;
  const text = plainText(String(value));
  switch (comparison) {
    case 'text':
      return text;
    case 'exact':
      return shortestDecimal(text) ?? text;
    case 'npi':
      return digitsOf(text) ?? text;
    case 'tin':
      // A tax ID sent as a number has lost its leading zero.
      return digitsOf(text)?.padStart(9, '0') ?? text;
    case 'ndc':
      return (typeof value === 'boolean' ? null : ndcDigits(value)) ?? text;
  }
}

export const isSameValue = (left: Cell, right: Cell, comparison: ValueComparison): boolean =>
  comparableOf(left, comparison) === comparableOf(right, comparison);

/** Whether two values are equal as JSON, with the names of objects in the same order. */
export const isSameJson = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right);
