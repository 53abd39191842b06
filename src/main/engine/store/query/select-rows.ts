import type { Totals } from '../../../../contract/query.ts';
import { sumExactly, toTotals } from './exact-sums.ts';
import type { RankMatch } from './match-ranks.ts';
import { countValues, findRow, ranksOf, readValue, type TypedColumn } from './typed-columns.ts';

/**
 * The selected rows of a table: those whose mark is `level`. Each condition raises the marks of the rows that pass
 * it.
 */
export interface Selection {
  readonly marks: Uint8Array;
  level: number;
}

/** All rows. */
export const selectAll = (rows: number): Selection => ({ marks: new Uint8Array(rows), level: 0 });

/** How many rows are selected. */
export function countSelected({ marks, level }: Selection): number {
  let count = 0;
  for (let row = 0; row < marks.length; row += 1) if (marks[row] === level) count += 1;
  return count;
}

/** Keeps the rows whose value in this column matches. */
export function narrowByColumn(selection: Selection, column: TypedColumn, match: RankMatch): void {
  const { marks, level } = selection;
  const { order, starts } = column;
  const spans = match.ranges.map(([from, to]) => [starts[from] as number, starts[to] as number] as const);
  if (match.hasNull) spans.push([starts[countValues(column)] as number, order.length]);
  if (match.isNot) {
    const hits = new Uint8Array(marks.length);
    for (const [from, to] of spans) for (let at = from; at < to; at += 1) hits[order[at] as number] = 1;
    narrowByFlags(selection, hits, 0);
    return;
  }
  for (const [from, to] of spans) {
    for (let at = from; at < to; at += 1) {
      const row = order[at] as number;
      if (marks[row] === level) marks[row] = level + 1;
    }
  }
  selection.level += 1;
}

/** Keeps the rows whose flag is `wanted`. */
export function narrowByFlags(selection: Selection, flags: Uint8Array, wanted: number): void {
  const { marks, level } = selection;
  for (let row = 0; row < marks.length; row += 1) {
    if (marks[row] === level && flags[row] === wanted) marks[row] = level + 1;
  }
  selection.level += 1;
}

/** Keeps the rows whose bit is set. */
export function narrowByBits(selection: Selection, bits: Uint8Array): void {
  const { marks, level } = selection;
  for (let row = 0; row < marks.length; row += 1) {
    if (marks[row] === level && ((bits[row >> 3] as number) >> (row & 7)) & 1) marks[row] = level + 1;
  }
  selection.level += 1;
}

/** Keeps the rows with these keys. */
export function narrowByKeys(selection: Selection, all: Float64Array, wanted: readonly number[]): void {
  const { marks, level } = selection;
  // Ids without a gap (common in long stretches) need no search: the index follows from the first key.
  const first = all[0] ?? 0;
  for (const key of wanted) {
    const guess = key - first;
    const row = all[guess] === key ? guess : findRow(all, key);
    if (row >= 0 && marks[row] === level) marks[row] = level + 1;
  }
  selection.level += 1;
}

/** One sort, with its column as ranks. */
export interface ColumnSort {
  readonly column: TypedColumn;
  readonly isDescending: boolean;
  readonly isNullsFirst: boolean;
}

/** The indexes of the selected rows in the requested order; ties by row index in the direction of the last sort. */
export function sortRows(selection: Selection, sorts: readonly ColumnSort[]): Uint32Array {
  const last = sorts.at(-1);
  let rowIndexes = last === undefined ? listByIndex(selection) : listByValue(selection, last);
  for (const sort of sorts.slice(0, -1).reverse()) rowIndexes = sortStably(rowIndexes, sort);
  return rowIndexes;
}

function listByIndex({ marks, level }: Selection, limit = marks.length): Uint32Array {
  const rowIndexes = new Uint32Array(Math.min(limit, marks.length));
  let count = 0;
  for (let row = 0; row < marks.length && count < limit; row += 1) {
    if (marks[row] === level) {
      rowIndexes[count] = row;
      count += 1;
    }
  }
  return rowIndexes.subarray(0, count);
}

function listByValue({ marks, level }: Selection, sort: ColumnSort, limit = marks.length): Uint32Array {
  const { order, starts } = sort.column;
  const rowIndexes = new Uint32Array(Math.min(limit, marks.length));
  let count = 0;
  const take = (from: number, to: number): void => {
    const step = sort.isDescending ? -1 : 1;
    let at = sort.isDescending ? to - 1 : from;
    for (let left = to - from; left > 0 && count < limit; left -= 1, at += step) {
      const row = order[at] as number;
      if (marks[row] === level) {
        rowIndexes[count] = row;
        count += 1;
      }
    }
  };
  const nullsFrom = starts[countValues(sort.column)] as number;
  if (sort.isNullsFirst) take(nullsFrom, order.length);
  take(0, nullsFrom);
  if (!sort.isNullsFirst) take(nullsFrom, order.length);
  return rowIndexes.subarray(0, count);
}

/** The position of each rank in the order of a sort; the last rank is that of null. */
function bucketsOf(sort: ColumnSort): Uint32Array {
  const distinct = countValues(sort.column);
  const shift = sort.isNullsFirst ? 1 : 0;
  const buckets = Uint32Array.from({ length: distinct + 1 }, (_none, rank) =>
    sort.isDescending ? distinct - 1 - rank + shift : rank + shift,
  );
  buckets[distinct] = sort.isNullsFirst ? 0 : distinct;
  return buckets;
}

/** Counting sort: time proportional to rows and values, and equal values keep their order. */
function sortStably(rowIndexes: Uint32Array, sort: ColumnSort): Uint32Array {
  const ranks = ranksOf(sort.column);
  const buckets = bucketsOf(sort);
  const next = new Uint32Array(buckets.length + 1);
  for (let index = 0; index < rowIndexes.length; index += 1) {
    const bucket = (buckets[ranks[rowIndexes[index] as number] as number] as number) + 1;
    next[bucket] = (next[bucket] as number) + 1;
  }
  for (let bucket = 1; bucket < next.length; bucket += 1) {
    next[bucket] = (next[bucket] as number) + (next[bucket - 1] as number);
  }
  const sorted = new Uint32Array(rowIndexes.length);
  for (let index = 0; index < rowIndexes.length; index += 1) {
    const row = rowIndexes[index] as number;
    const bucket = buckets[ranks[row] as number] as number;
    const at = next[bucket] as number;
    sorted[at] = row;
    next[bucket] = at + 1;
  }
  return sorted;
}

/** The first row indexes of the requested order without sorting the rest, for a first window. */
export function takeFirstRows(
  selection: Selection,
  sorts: readonly ColumnSort[],
  limit: number,
): Uint32Array {
  const [first] = sorts;
  if (first === undefined) return listByIndex(selection, limit);
  if (sorts.length === 1) return listByValue(selection, first, limit);
  // Takes as many values of the first sort as hold enough rows; only their rows are sorted by the other columns.
  const begun = listByValue(selection, first, limit);
  const ranks = ranksOf(first.column);
  const buckets = bucketsOf(first);
  const last = begun.at(-1);
  if (last === undefined) return begun;
  const lastBucket = buckets[ranks[last] as number] as number;
  const marks = new Uint8Array(selection.marks.length);
  for (let row = 0; row < marks.length; row += 1) {
    const isSelected = selection.marks[row] === selection.level;
    if (isSelected && (buckets[ranks[row] as number] as number) <= lastBucket) marks[row] = 1;
  }
  return sortRows({ marks, level: 1 }, sorts).subarray(0, limit);
}

/** Count and exact sums over these row indexes; a missing amount is NaN. */
export function totalOf(rowIndexes: Uint32Array, amounts: readonly Float64Array[]): Totals {
  return toTotals(
    rowIndexes.length,
    amounts.map((values) => sumExactly(rowIndexes, values)),
  );
}

/** How many selected rows have each value of a column, by rank; 0 for blank texts and for ranks outside the ranges. */
export function countByRank(
  { marks, level }: Selection,
  column: TypedColumn,
  ranges: RankMatch['ranges'],
): Uint32Array {
  const { order, starts } = column;
  const counts = new Uint32Array(countValues(column));
  for (const [from, to] of ranges) {
    for (let rank = from; rank < to; rank += 1) {
      const end = starts[rank + 1] as number;
      let count = 0;
      for (let at = starts[rank] as number; at < end; at += 1) {
        if (marks[order[at] as number] === level) count += 1;
      }
      counts[rank] = count;
    }
  }
  if (counts.length > 0 && readValue(column, 0) === '') counts[0] = 0;
  return counts;
}

/** The ranks with the highest counts, or the first with any, at most `limit`, ascending; and how many have any. */
export function pickRanks(
  counts: Uint32Array,
  limit: number,
  isByCount: boolean,
): { ranks: number[]; total: number } {
  const sorted = counts.filter((count) => count > 0);
  const total = sorted.length;
  // All above the smallest count that is picked, and as many with that count as there is space for.
  const smallest = isByCount && total > limit ? (sorted.sort()[total - limit] as number) : 0;
  let spare = limit;
  for (let at = total - 1; at >= 0 && smallest > 0 && (sorted[at] as number) > smallest; at -= 1) spare -= 1;
  const ranks: number[] = [];
  for (let rank = 0; rank < counts.length && ranks.length < limit; rank += 1) {
    const count = counts[rank] as number;
    if (count === 0 || count < smallest) continue;
    if (count === smallest) {
      if (spare === 0) continue;
      spare -= 1;
    }
    ranks.push(rank);
  }
  return { ranks, total };
}

/** Totals of each value of a column; rank −1 stands for the rows without one. Values without a row are left out. */
export function groupRows(
  { marks, level }: Selection,
  column: TypedColumn,
  amounts: readonly Float64Array[],
): { rank: number; totals: Totals }[] {
  const { order, starts } = column;
  const distinct = countValues(column);
  const groups: { rank: number; totals: Totals }[] = [];
  const scratch = new Uint32Array(order.length);
  /** A blank text counts as no value: it sorts first, and its rows join those without a value, which come last. */
  const hasBlank = column.values.kind === 'texts' && distinct > 0 && readValue(column, 0) === '';
  const gather = (from: number, to: number, count: number): number => {
    let after = count;
    for (let at = from; at < to; at += 1) {
      const row = order[at] as number;
      if (marks[row] === level) {
        scratch[after] = row;
        after += 1;
      }
    }
    return after;
  };
  const add = (rank: number, count: number): void => {
    if (count > 0) groups.push({ rank, totals: totalOf(scratch.subarray(0, count), amounts) });
  };
  for (let rank = hasBlank ? 1 : 0; rank < distinct; rank += 1) {
    add(rank, gather(starts[rank] as number, starts[rank + 1] as number, 0));
  }
  const blank = hasBlank ? gather(0, starts[1] as number, 0) : 0;
  add(-1, gather(starts[distinct] as number, order.length, blank));
  return groups;
}
