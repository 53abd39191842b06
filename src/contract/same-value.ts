import type { Cell } from './query.ts';

/**
 * How the values of a field are compared. `exact`: as numbers where they are some. `text`: spaces, capitals and composed
 * accents do not count. `npi`, `tin` and `ndc`: by their digits, with or without dashes. A number sent as a string is
 * the same value.
 */
export type ValueComparison = 'exact' | 'text' | 'npi' | 'tin' | 'ndc';

/** Spaces, capitals and whether accents are composed do not count. */
export const plainText = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The shortest way to write a decimal number of any length; null: it is none. */
function shortestDecimal(text: string): string | null {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)0*(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (sign === undefined) return null;
  const parts = fraction.replace(/0+$/, '');
  const digits = parts === '' ? whole : `${whole}.${parts}`;
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}

/** The digits of an identifier that is written with digits, dashes and spaces only; null: it is none. */
const digitsOf = (text: string): string | null =>
  /^[\d\s-]*\d[\d\s-]*$/.test(text) ? text.replace(/\D/g, '') : null;

/** 11 digits (5-4-2) of an NDC: each part of one with dashes is filled up with zeros, as is a number. */
function ndcDigits(value: string | number): string | null {
  const parts = String(value)
    .trim()
    .split(/\s*-\s*/);
  if (parts.length === 3 && parts.every((part) => /^\d+$/.test(part)))
    return parts.map((part, at) => part.padStart([5, 4, 2][at] as number, '0')).join('');
  const digits = digitsOf(String(value));
  return typeof value === 'number' ? (digits?.padStart(11, '0') ?? null) : digits;
}

/** Equal texts of two values: they are the same value. Null: blank. */
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
      // A number has lost the zero that a tax ID may begin with.
      return digitsOf(text)?.padStart(9, '0') ?? text;
    case 'ndc':
      return (typeof value === 'boolean' ? null : ndcDigits(value)) ?? text;
  }
}

export const isSameValue = (left: Cell, right: Cell, comparison: ValueComparison): boolean =>
  comparableOf(left, comparison) === comparableOf(right, comparison);

/** Equal as JSON, with the names of objects in the same order. */
export const isSameJson = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right);
