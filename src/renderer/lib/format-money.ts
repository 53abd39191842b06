/** Shown for a missing value. Never a zero. */
export const noValue = '—';

/**
 * A number's digits without an exponent, exactly as in the JSON ("12.5", "-0.0001"). Null for anything but a decimal
 * number.
 */
export function toDecimalText(value: unknown): string | null {
  if (typeof value !== 'number' && typeof value !== 'string' && typeof value !== 'bigint') return null;
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(String(value).trim());
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (!Number.isSafeInteger(exponent) || Math.abs(exponent) > 400) return null;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const padded = digits.padStart(digits.length + Math.max(0, 1 - point), '0').padEnd(Math.max(point, 1), '0');
  const cut = Math.max(point, 1);
  const left = padded.slice(0, cut).replace(/^0+(?=\d)/, '');
  const right = padded.slice(cut).replace(/0+$/, '');
  const isZero = /^0*$/.test(left + right);
  return `${sign === '-' && !isZero ? '-' : ''}${left}${right === '' ? '' : `.${right}`}`;
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * US dollars, exactly: at least two decimals, all of them where there are more, a minus sign before the dollar sign
 * for credits. Anything but a number is shown as received.
 */
export function formatExactMoney(value: unknown): string {
  return writeMoney(value, (text) => text);
}

/** US dollars to the cent, as on a statement: half a cent and more is rounded away from zero. */
export function formatMoney(value: unknown): string {
  return writeMoney(value, roundToCents);
}

/** The exact amount, where rounding to the cent omits digits; shown on hover. */
export function exactMoneyTitle(value: unknown): string | undefined {
  const exact = formatExactMoney(value);
  return exact === formatMoney(value) ? undefined : exact;
}

function writeMoney(value: unknown, round: (decimal: string) => string): string {
  if (value === null || value === undefined || value === '') return noValue;
  const exact = toDecimalText(value);
  if (exact === null) return typeof value === 'string' ? value : noValue;
  const text = round(exact);
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (isNegative ? text.slice(1) : text).split('.');
  return `${isNegative ? '−' : ''}$${groupThousands(whole)}.${fraction.padEnd(2, '0')}`;
}

function roundToCents(text: string): string {
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (isNegative ? text.slice(1) : text).split('.');
  if (fraction.length <= 2) return text;
  const cents = BigInt(whole + fraction.slice(0, 2)) + (fraction.charAt(2) >= '5' ? 1n : 0n);
  const digits = cents.toString().padStart(3, '0');
  return `${isNegative && cents > 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The exact amount in ten-thousandths of a dollar; null for a finer one or anything but a number. */
export function toTenThousandths(value: unknown): bigint | null {
  const text = toDecimalText(value);
  if (text === null) return null;
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (isNegative ? text.slice(1) : text).split('.');
  if (fraction.length > 4) return null;
  const amount = BigInt(whole + fraction.padEnd(4, '0'));
  return isNegative ? -amount : amount;
}

/** A total to the cent; totals cross the bridge as whole ten-thousandths of a dollar, beyond 2^53 as their digits. */
export function formatTenThousandths(amount: bigint | number | string | null): string {
  return formatMoney(toDollars(amount));
}

/** A total in dollars as decimal text, exactly. */
export function toDollars(amount: bigint | number | string | null): string | null {
  if (amount === null) return null;
  const whole = BigInt(amount);
  const digits = (whole < 0n ? -whole : whole).toString().padStart(5, '0');
  return `${whole < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

export interface ExactSum {
  /** Null where there was no value at all. */
  readonly sum: bigint | null;
  readonly counted: number;
  readonly missing: number;
  /** False where a value was finer than a ten-thousandth; the sum is then meaningless. */
  readonly isExact: boolean;
}

/** Adds amounts without floating point; missing values are counted, not taken as zero. */
export function sumExactly(values: readonly unknown[]): ExactSum {
  let sum = 0n;
  let counted = 0;
  let isExact = true;
  for (const value of values) {
    if (value === null || value === undefined) continue;
    const amount = toTenThousandths(value);
    counted += 1;
    if (amount === null) isExact = false;
    else sum += amount;
  }
  return { sum: counted === 0 ? null : sum, counted, missing: values.length - counted, isExact };
}
