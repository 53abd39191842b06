import { endOfDay } from './conditions.ts';
import type { Selection } from './select-rows.ts';
import { countValues, findRank, ranksOf, readValue, type TypedColumn } from './typed-columns.ts';

/** The first rank for which `holds` is no longer true; it is true up to some rank. */
function findEnd(column: TypedColumn, holds: (text: string) => boolean): number {
  let [low, high] = [0, countValues(column)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(String(readValue(column, middle)))) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Keeps the rows whose date of service has a day in common with these: the rule of `overlap` in SQL, in memory. */
export function narrowByOverlap(
  selection: Selection,
  columns: { readonly start: TypedColumn; readonly end: TypedColumn; readonly bounds: TypedColumn },
  days: { readonly from: string; readonly to: string },
): void {
  const { marks, level } = selection;
  const { start, end, bounds } = columns;
  const [starts, ends, kinds] = [ranksOf(start), ranksOf(end), ranksOf(bounds)];
  const [noStart, noEnd, noBounds] = [countValues(start), countValues(end), countValues(bounds)];
  const texts = Array.from({ length: noBounds + 1 }, (_none, rank) =>
    rank === noBounds ? '' : String(readValue(bounds, rank)),
  );
  const closedUpTo = findRank(start, endOfDay(days.to), true);
  const openUpTo = findEnd(start, (text) => text.slice(0, 10) < days.to);
  const upTo = Uint32Array.from(texts, (text) => (text.startsWith('(') ? openUpTo : closedUpTo));
  const closedFrom = findRank(end, days.from, false);
  const openFrom = findRank(end, endOfDay(days.from), true);
  const from = Uint32Array.from(texts, (text) => (text.endsWith(')') ? openFrom : closedFrom));
  for (let place = 0; place < marks.length; place += 1) {
    if (marks[place] !== level) continue;
    const [startRank, endRank] = [starts[place] as number, ends[place] as number];
    const kind = kinds[place] as number;
    if (startRank === noStart && endRank === noEnd) continue;
    if (startRank !== noStart && startRank >= (upTo[kind] as number)) continue;
    if (endRank !== noEnd && endRank < (from[kind] as number)) continue;
    marks[place] = level + 1;
  }
  selection.level += 1;
}
