const plainInteger = /^-?\d+$/;
/** The number of digits of an exponent up to which a double can add to it exactly. */
const maxPlainDigits = 15;
/** A longer exponent is compared as text, because adding to it would take longer than reading it. */
const maxExponentDigits = 1_000;

/**
 * Whether a double holds the number that a JSON text spells. Integers beyond 2^53 do not count as held, although
 * some are: the neighbors of such an integer are not.
 */
export function isHeldByDouble(source: string, value: number): boolean {
  if (plainInteger.test(source)) return Number.isSafeInteger(value) && !Object.is(value, -0);
  return Number.isFinite(value) && normalizeDecimal(source) === normalizeDecimal(String(value));
}

/**
 * Sign, digits without zeros at the ends, and exponent (`-0.123e4`): the same text exactly for numbers that are
 * equal, however they are spelled. Linear in the length of the spelling, whatever it holds.
 */
export function normalizeDecimal(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const first = skipZeros(digits, 0, 1);
  if (first === digits.length) return '0';
  const last = skipZeros(digits, digits.length - 1, -1);
  const sign = source.startsWith('-') ? '-' : '';
  return `${sign}0.${digits.slice(first, last + 1)}e${addToExponent(exponent, whole.length - first)}`;
}

/** The index of the first character that is not a zero, counted from `from` in steps of `step`. */
function skipZeros(digits: string, from: number, step: 1 | -1): number {
  let at = from;
  while (digits[at] === '0') at += step;
  return at;
}

function addToExponent(exponent: string, by: number): string {
  if (exponent.length <= maxPlainDigits) return String(Number(exponent) + by);
  if (exponent.length <= maxExponentDigits) return String(BigInt(exponent) + BigInt(by));
  return `${exponent}+${by}`;
}
