import type { Amount, Cell, Row } from '../query.ts';

/** The largest amount: about nine hundred billion dollars. No claim has a larger one. */
const largest = BigInt(Number.MAX_SAFE_INTEGER);

const decimal = /^([+-]?)\$?(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** Divides a number that is not negative; half and more is rounded up. */
const divide = (value: bigint, divisor: bigint): bigint => (2n * value + divisor) / (2n * divisor);

/**
 * Whether no amount was sent: null, or an empty text.
 * @example isBlankAmount(' ') // true
 */
export const isBlankAmount = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/**
 * Converts an amount as sent to ten-thousandths of a dollar, rounding finer ones, half away from zero. Columns, sums,
 * rules and pages all use this function. A decimal number may be sent as a number or as text ("200.50", "1e2",
 * "$1,200.50"). Null where it is blank or can't be a number (`isUnreadAmount`).
 * @example readTenThousandths('$1,200.50') // 12_005_000
 */
export function readTenThousandths(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const match = decimal.exec(String(value).trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole.replaceAll(',', '') + fraction);
  const places = 4 + Number(exponent) - fraction.length;
  const size = places >= 0 ? digits * 10n ** BigInt(places) : divide(digits, 10n ** BigInt(-places));
  if (size > largest) return null;
  return Number(sign === '-' ? -size : size);
}

/**
 * Dollars as typed, with up to four decimals, in ten-thousandths of a dollar; null for anything else.
 * @example readDollars('-12.5') // -125_000
 */
export const readDollars = (typed: string): number | null =>
  /^-?\d+(\.\d{1,4})?$/.test(typed) ? readTenThousandths(typed) : null;

/**
 * Whether something was sent that can't be a number: it is shown as sent, and no sum counts it.
 * @example isUnreadAmount('about 20') // true
 */
export const isUnreadAmount = (value: unknown): boolean =>
  !isBlankAmount(value) && readTenThousandths(value) === null;

/** A plain decimal number. The service may send one that a double cannot hold exactly. */
export const plainNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * An amount as sent, as the cell of a row or of an export: ten-thousandths of a dollar. A plain number with more
 * decimals than that stays text with all of them, and one that can't be a number is its text.
 * @example toAmountCell('$1,200.50') // 12_005_000
 */
export function toAmountCell(sent: string | number | boolean): string | number {
  const amount = readTenThousandths(sent);
  if (amount === null) return String(sent);
  const text = String(sent).trim();
  return plainNumber.test(text) && Number(text) !== amount / 10_000 ? text : amount;
}

/** The amount in such a cell, in ten-thousandths of a dollar; null where it is blank or can't be a number. */
export const amountOfCell = (cell: Cell | undefined): number | null =>
  typeof cell === 'number' ? cell : readTenThousandths(cell);

/** Whether the amount in such a cell can't be a number: it is shown as sent, and no sum counts it. */
export const isUnreadCell = (cell: Cell | undefined): boolean =>
  typeof cell !== 'number' && isUnreadAmount(cell);

/** The amount in such a cell as plain decimals, in dollars; null for any other text, which may be a formula. */
export function writeAmountCell(cell: Cell): string | null {
  if (typeof cell === 'number') return writeDecimals(cell);
  return plainNumber.test(String(cell)) && amountOfCell(cell) !== null ? String(cell) : null;
}

/**
 * A sum in the form that crosses the bridge: see `amountSchema`.
 * @example toAmount(10n ** 16n) // '10000000000000000'
 */
export const toAmount = (sum: bigint): Amount =>
  Number.isSafeInteger(Number(sum)) ? Number(sum) : String(sum);

/**
 * Adds two sums; null where neither is known.
 * @example addSums(12_500, null) // 12_500
 */
export function addSums(left: Amount | null, right: Amount | null): Amount | null {
  if (left === null || right === null) return left ?? right;
  // A sum beyond 2^53 never becomes a safe integer by rounding.
  if (typeof left === 'number' && typeof right === 'number' && Number.isSafeInteger(left + right))
    return left + right;
  return toAmount(BigInt(left) + BigInt(right));
}

/**
 * Splits ten-thousandths of a dollar into whole dollars and the rest, exactly. Only what is not a safe integer is
 * computed as a BigInt, which refuses fractions.
 */
export function splitAmount(amount: bigint | Amount): [isNegative: boolean, dollars: string, rest: number] {
  if (Number.isSafeInteger(amount)) {
    const size = Math.abs(amount as number);
    const rest = size % 10_000;
    return [(amount as number) < 0, String((size - rest) / 10_000), rest];
  }
  const exact = BigInt(amount);
  const size = exact < 0n ? -exact : exact;
  return [exact < 0n, String(size / 10_000n), Number(size % 10_000n)];
}

/** The two digits of each number of cents. */
const cents = Array.from({ length: 100 }, (_none, index) => String(index).padStart(2, '0'));

/** The decimals of up to 9,999 ten-thousandths: at least two digits. */
export const decimalsOf = (rest: number): string =>
  rest % 100 === 0 ? (cents[rest / 100] as string) : String(rest).padStart(4, '0').replace(/0$/, '');

/**
 * Ten-thousandths of a dollar as decimals without an exponent and without zeros at the end: -125000 is `-12.5`.
 * @example writeDecimals(-125_000) // '-12.5'
 */
export function writeDecimals(amount: bigint | Amount): string {
  const [isNegative, dollars, rest] = splitAmount(amount);
  const decimals = decimalsOf(rest);
  const shown = decimals.endsWith('0') ? decimals.replace(/0+$/, '') : decimals;
  return `${isNegative ? '-' : ''}${dollars}${shown === '' ? '' : `.${shown}`}`;
}

/** Sums without any cells. A sum is null if no cell has an amount; `notCounted` is how many can't be numbers. */
export const noCells = { sum: null as Amount | null, notCounted: 0 };

/** Adds the cells of a column exactly, optionally to a sum of earlier ones. */
export const sumCells = (cells: readonly (Cell | undefined)[], before = noCells): typeof noCells => ({
  sum: cells.reduce<Amount | null>((sum, cell) => addSums(sum, amountOfCell(cell)), before.sum),
  notCounted: before.notCounted + cells.filter(isUnreadCell).length,
});

type NamedSums<Name extends string> = Readonly<Partial<Record<Name, Amount | null>>> & {
  readonly notCounted?: Readonly<Partial<Record<Name, number>>> | undefined;
};

/**
 * Adds amounts of a row to sums by name, exactly: `fields` has the field of each. A missing amount adds nothing, and one
 * that can't be a number is counted in `notCounted`.
 */
export function addRow<Name extends string, Sums extends NamedSums<Name>>(
  sums: Sums,
  row: Row,
  fields: Readonly<Partial<Record<Name, string>>>,
): Sums {
  let next = sums;
  for (const [name, field] of Object.entries(fields) as [Name, string][]) {
    const amount = amountOfCell(row[field]);
    if (amount !== null) next = { ...next, [name]: addSums(next[name] ?? null, amount) };
    else if (isUnreadCell(row[field]))
      next = { ...next, notCounted: { ...next.notCounted, [name]: (next.notCounted?.[name] ?? 0) + 1 } };
  }
  return next;
}

export interface ExactSum {
  /** The sum in ten-thousandths of a dollar; null where there was no value. */
  readonly sum: bigint | null;
  readonly counted: number;
  readonly missing: number;
  readonly notCounted: number;
}

/**
 * Adds amounts without floating point; missing values are counted, not taken as zero.
 * @example sumExactly([0.1, '0.2', null, 'n/a']) // { sum: 3_000n, counted: 2, missing: 1, notCounted: 1 }
 */
export function sumExactly(values: readonly unknown[]): ExactSum {
  const amounts = values.map(readTenThousandths).filter((amount) => amount !== null);
  return {
    sum: amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + BigInt(amount), 0n),
    counted: amounts.length,
    missing: values.filter(isBlankAmount).length,
    notCounted: values.filter(isUnreadAmount).length,
  };
}
