import type { SqlValue } from '../record/decompose.ts';

/**
 * A column in memory. `order` holds row indexes (indexes into the list of keys) by value and key, rows without a
 * value last; `starts[r]` is where the r-th distinct value begins in it, and the last element is where the rows
 * without a value begin. 4 bytes a row and 4 to 12 a distinct value, plus the texts.
 */
export interface TypedColumn {
  readonly order: Uint32Array;
  readonly starts: Uint32Array;
  readonly values: ColumnValues;
  /** The rank of each row's value, where null has the rank after the last value; made when first needed. */
  ranks: Uint32Array | null;
}

/** Distinct values in ascending order: numbers, or texts as UTF-8 one after the other (as SQLite compares them). */
export type ColumnValues =
  | { readonly kind: 'numbers'; readonly numbers: Float64Array }
  | { readonly kind: 'texts'; readonly bytes: Buffer; readonly offsets: Uint32Array };

export const countValues = (column: TypedColumn): number => column.starts.length - 1;

/** Bytes that a column takes. */
export function sizeOf(column: TypedColumn): number {
  const { values } = column;
  const own =
    values.kind === 'numbers' ? values.numbers.byteLength : values.bytes.length + values.offsets.byteLength;
  return own + column.order.byteLength + column.starts.byteLength + (column.ranks?.byteLength ?? 0);
}

/** The index of a key in an ascending list of keys, or -1. */
export function findRow(keys: Float64Array, key: number): number {
  let [low, high] = [0, keys.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = keys[middle] as number;
    if (found === key) return middle;
    if (found < key) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

const firstBytes = 1 << 16;

/**
 * Builds a column from `[key, value]` in order of value and key, nulls last. Pure apart from consuming the rows;
 * `keys` is ascending. A key may occur under several values (the members of a claim).
 */
export function buildColumn(
  keys: Float64Array,
  rows: Iterable<readonly [number, SqlValue]>,
  isText: boolean,
): TypedColumn {
  let order = new Uint32Array(Math.max(16, keys.length));
  let starts = new Uint32Array(1024);
  let numbers = new Float64Array(isText ? 0 : 1024);
  let offsets = new Uint32Array(isText ? 1024 : 0);
  let bytes = Buffer.alloc(isText ? firstBytes : 0);
  let [count, distinct, used] = [0, 0, 0];
  let last: SqlValue = null;
  let nullsFrom = -1;
  for (const [key, value] of rows) {
    if (value === null) {
      if (nullsFrom < 0) nullsFrom = count;
    } else if (value !== last || distinct === 0) {
      last = value;
      if (distinct + 1 >= starts.length) starts = grow(starts, new Uint32Array(starts.length * 2));
      starts[distinct] = count;
      if (isText) {
        const text = String(value);
        const length = Buffer.byteLength(text);
        while (used + length > bytes.length) bytes = growBytes(bytes);
        if (distinct + 1 >= offsets.length) offsets = grow(offsets, new Uint32Array(offsets.length * 2));
        bytes.write(text, used);
        used += length;
        offsets[distinct + 1] = used;
      } else {
        if (distinct >= numbers.length) numbers = grow(numbers, new Float64Array(numbers.length * 2));
        numbers[distinct] = Number(value);
      }
      distinct += 1;
    }
    const row = findRow(keys, key);
    if (row < 0) continue;
    if (count >= order.length) order = grow(order, new Uint32Array(order.length * 2));
    order[count] = row;
    count += 1;
  }
  starts[distinct] = nullsFrom < 0 ? count : nullsFrom;
  return {
    order: order.slice(0, count),
    starts: starts.slice(0, distinct + 1),
    values: isText
      ? {
          kind: 'texts',
          bytes: Buffer.from(bytes.subarray(0, used)),
          offsets: offsets.slice(0, distinct + 1),
        }
      : { kind: 'numbers', numbers: numbers.slice(0, distinct) },
    ranks: null,
  };
}

function grow<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function growBytes(from: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const to = Buffer.alloc(from.length * 2);
  from.copy(to);
  return to;
}

/** The r-th distinct value. */
export function readValue(column: TypedColumn, rank: number): string | number {
  const { values } = column;
  if (values.kind === 'numbers') return values.numbers[rank] as number;
  return values.bytes.toString('utf8', values.offsets[rank], values.offsets[rank + 1]);
}

/** The rank of each row, by row index. */
export function ranksOf(column: TypedColumn): Uint32Array {
  if (column.ranks === null) {
    const ranks = new Uint32Array(column.order.length);
    const { order, starts } = column;
    const distinct = countValues(column);
    let rank = 0;
    for (let index = 0; index < order.length; index += 1) {
      while (rank < distinct && index >= (starts[rank + 1] as number)) rank += 1;
      ranks[order[index] as number] = rank;
    }
    column.ranks = ranks;
  }
  return column.ranks;
}

function compareAt(column: TypedColumn, rank: number, wanted: number | Buffer): number {
  const { values } = column;
  if (values.kind === 'numbers') return (values.numbers[rank] as number) - (wanted as number);
  return values.bytes.compare(
    wanted as Buffer,
    0,
    (wanted as Buffer).length,
    values.offsets[rank],
    values.offsets[rank + 1],
  );
}

/** The first rank whose value is not below `wanted` (`isAfter`: is above it). */
export function findRank(column: TypedColumn, wanted: SqlValue, isAfter: boolean): number {
  const sought = column.values.kind === 'numbers' ? Number(wanted) : Buffer.from(String(wanted));
  let [low, high] = [0, countValues(column)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareAt(column, middle, sought);
    if (order < 0 || (isAfter && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
