import type { Totals } from '../../../../contract/query.ts';
import { sumExactly, toTotals } from './exact-sums.ts';
import type { RankMatch } from './match-ranks.ts';
import { countValues, findPlace, ranksOf, readValue, type TypedColumn } from './typed-columns.ts';

/** Which rows of a table are meant: those whose mark is `level`. Each condition lifts the marks of those it lets pass. */
export interface Selection {
  readonly marks: Uint8Array;
  level: number;
}

/** All rows. */
export const selectAll = (rows: number): Selection => ({ marks: new Uint8Array(rows), level: 0 });

/** How many rows are meant. */
export function countSelected({ marks, level }: Selection): number {
  let count = 0;
  for (let place = 0; place < marks.length; place += 1) if (marks[place] === level) count += 1;
  return count;
}

/** Keeps the rows whose value in this column is meant. */
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
      const place = order[at] as number;
      if (marks[place] === level) marks[place] = level + 1;
    }
  }
  selection.level += 1;
}

/** Keeps the rows whose flag is `wanted`. */
export function narrowByFlags(selection: Selection, flags: Uint8Array, wanted: number): void {
  const { marks, level } = selection;
  for (let place = 0; place < marks.length; place += 1) {
    if (marks[place] === level && flags[place] === wanted) marks[place] = level + 1;
  }
  selection.level += 1;
}

/** Keeps the rows whose bit is set. */
export function narrowByBits(selection: Selection, bits: Uint8Array): void {
  const { marks, level } = selection;
  for (let place = 0; place < marks.length; place += 1) {
    if (marks[place] === level && ((bits[place >> 3] as number) >> (place & 7)) & 1) marks[place] = level + 1;
  }
  selection.level += 1;
}

/** Keeps the rows with these keys. */
export function narrowByKeys(selection: Selection, all: Float64Array, wanted: readonly number[]): void {
  const { marks, level } = selection;
  // Keys without a gap (a generated million, most services' ids for long stretches) need no search.
  const first = all[0] ?? 0;
  for (const key of wanted) {
    const guess = key - first;
    const place = all[guess] === key ? guess : findPlace(all, key);
    if (place >= 0 && marks[place] === level) marks[place] = level + 1;
  }
  selection.level += 1;
}

/** One sort, read as ranks. */
export interface ColumnSort {
  readonly column: TypedColumn;
  readonly isDescending: boolean;
  readonly isNullsFirst: boolean;
}

/** The places of the meant rows in the wanted order; ties by place in the direction of the last sort. */
export function orderPlaces(selection: Selection, sorts: readonly ColumnSort[]): Uint32Array {
  const last = sorts.at(-1);
  let places = last === undefined ? inPlace(selection) : inOrder(selection, last);
  for (const sort of sorts.slice(0, -1).reverse()) places = sortStably(places, sort);
  return places;
}

function inPlace({ marks, level }: Selection, most = marks.length): Uint32Array {
  const places = new Uint32Array(Math.min(most, marks.length));
  let count = 0;
  for (let place = 0; place < marks.length && count < most; place += 1) {
    if (marks[place] === level) {
      places[count] = place;
      count += 1;
    }
  }
  return places.subarray(0, count);
}

function inOrder({ marks, level }: Selection, sort: ColumnSort, most = marks.length): Uint32Array {
  const { order, starts } = sort.column;
  const places = new Uint32Array(Math.min(most, marks.length));
  let count = 0;
  const take = (from: number, to: number): void => {
    const step = sort.isDescending ? -1 : 1;
    let at = sort.isDescending ? to - 1 : from;
    for (let left = to - from; left > 0 && count < most; left -= 1, at += step) {
      const place = order[at] as number;
      if (marks[place] === level) {
        places[count] = place;
        count += 1;
      }
    }
  };
  const nullsFrom = starts[countValues(sort.column)] as number;
  if (sort.isNullsFirst) take(nullsFrom, order.length);
  take(0, nullsFrom);
  if (!sort.isNullsFirst) take(nullsFrom, order.length);
  return places.subarray(0, count);
}

/** Where each rank goes in the order of a sort; the last rank is that of null. */
function bucketsOf(sort: ColumnSort): Uint32Array {
  const distinct = countValues(sort.column);
  const shift = sort.isNullsFirst ? 1 : 0;
  const buckets = Uint32Array.from({ length: distinct + 1 }, (_none, rank) =>
    sort.isDescending ? distinct - 1 - rank + shift : rank + shift,
  );
  buckets[distinct] = sort.isNullsFirst ? 0 : distinct;
  return buckets;
}

/** Counting sort: as many steps as rows and values, and equal values stay as they were. */
function sortStably(places: Uint32Array, sort: ColumnSort): Uint32Array {
  const ranks = ranksOf(sort.column);
  const buckets = bucketsOf(sort);
  const next = new Uint32Array(buckets.length + 1);
  for (let index = 0; index < places.length; index += 1) {
    const bucket = (buckets[ranks[places[index] as number] as number] as number) + 1;
    next[bucket] = (next[bucket] as number) + 1;
  }
  for (let bucket = 1; bucket < next.length; bucket += 1) {
    next[bucket] = (next[bucket] as number) + (next[bucket - 1] as number);
  }
  const sorted = new Uint32Array(places.length);
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] as number;
    const bucket = buckets[ranks[place] as number] as number;
    const at = next[bucket] as number;
    sorted[at] = place;
    next[bucket] = at + 1;
  }
  return sorted;
}

/** The first places of the wanted order, without ordering the rest: what a first window needs. */
export function firstPlaces(selection: Selection, sorts: readonly ColumnSort[], most: number): Uint32Array {
  const [first] = sorts;
  if (first === undefined) return inPlace(selection, most);
  if (sorts.length === 1) return inOrder(selection, first, most);
  // So many values of the first sort as hold enough rows; only these are ordered by the others.
  const begun = inOrder(selection, first, most);
  const ranks = ranksOf(first.column);
  const buckets = bucketsOf(first);
  const last = begun.at(-1);
  if (last === undefined) return begun;
  const lastBucket = buckets[ranks[last] as number] as number;
  const marks = new Uint8Array(selection.marks.length);
  for (let place = 0; place < marks.length; place += 1) {
    const isMeant = selection.marks[place] === selection.level;
    if (isMeant && (buckets[ranks[place] as number] as number) <= lastBucket) marks[place] = 1;
  }
  return orderPlaces({ marks, level: 1 }, sorts).subarray(0, most);
}

/** Count and exact sums over these places; an amount that is not there is NaN. */
export function totalOf(places: Uint32Array, amounts: readonly Float64Array[]): Totals {
  return toTotals(
    places.length,
    amounts.map((values) => sumExactly(places, values)),
  );
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
  /** A blank text is no value: it sorts first, and joins those without one, behind. */
  const hasBlank = column.values.kind === 'texts' && distinct > 0 && readValue(column, 0) === '';
  const gather = (from: number, to: number, count: number): number => {
    let after = count;
    for (let at = from; at < to; at += 1) {
      const place = order[at] as number;
      if (marks[place] === level) {
        scratch[after] = place;
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
