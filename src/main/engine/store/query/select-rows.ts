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

function inPlace({ marks, level }: Selection): Uint32Array {
  const places = new Uint32Array(marks.length);
  let count = 0;
  for (let place = 0; place < marks.length; place += 1) {
    if (marks[place] === level) {
      places[count] = place;
      count += 1;
    }
  }
  return places.subarray(0, count);
}

function inOrder({ marks, level }: Selection, sort: ColumnSort): Uint32Array {
  const { order, starts } = sort.column;
  const places = new Uint32Array(marks.length);
  let count = 0;
  const take = (from: number, to: number): void => {
    const step = sort.isDescending ? -1 : 1;
    for (let left = to - from, at = sort.isDescending ? to - 1 : from; left > 0; left -= 1, at += step) {
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

/** Counting sort: as many steps as rows and values, and equal values stay as they were. */
function sortStably(places: Uint32Array, sort: ColumnSort): Uint32Array {
  const ranks = ranksOf(sort.column);
  const distinct = countValues(sort.column);
  const shift = sort.isNullsFirst ? 1 : 0;
  const bucketOf = (rank: number): number => {
    if (rank === distinct) return sort.isNullsFirst ? 0 : distinct;
    return (sort.isDescending ? distinct - 1 - rank : rank) + shift;
  };
  const next = new Uint32Array(distinct + 2);
  for (const place of places) {
    const bucket = bucketOf(ranks[place] as number) + 1;
    next[bucket] = (next[bucket] as number) + 1;
  }
  for (let bucket = 1; bucket < next.length; bucket += 1) {
    next[bucket] = (next[bucket] as number) + (next[bucket - 1] as number);
  }
  const sorted = new Uint32Array(places.length);
  for (const place of places) {
    const bucket = bucketOf(ranks[place] as number);
    const at = next[bucket] as number;
    sorted[at] = place;
    next[bucket] = at + 1;
  }
  return sorted;
}

/** Count and exact sums over these places; an amount that is not there is NaN. */
export function totalOf(places: Uint32Array, amounts: readonly Float64Array[]): Totals {
  return toTotals(
    places.length,
    amounts.map((values) => sumExactly(places.length, (index) => values[places[index] as number] as number)),
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
