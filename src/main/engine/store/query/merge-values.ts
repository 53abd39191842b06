import { monthOf, readDays } from '../../../../contract/date-range.ts';
import { firstDayPath, monthPath } from './range-conditions.ts';
import { countValues, ranksOf, readValue, type TypedColumn } from './typed-columns.ts';

/** How a column is made in memory of one that is held already; `toValue` keeps the order of values. */
interface ColumnSource {
  readonly path: string;
  readonly toValue: (value: string) => string | null;
}

const sources: Readonly<Record<string, (text: string) => string | null>> = {
  [firstDayPath]: (text) => readDays(text)?.first ?? null,
  [monthPath]: (text) => {
    const days = readDays(text);
    return days === null ? null : monthOf(days);
  },
};

/** What a column is made of instead of being read; null for one that is read. */
export function sourceOf(path: string): ColumnSource | null {
  const toValue = sources[path];
  return toValue === undefined ? null : { path: 'date_of_service', toValue };
}

/** A column of fewer values: neighbors that become the same one are joined, null goes behind. */
export function mergeValues(column: TypedColumn, toValue: ColumnSource['toValue']): TypedColumn {
  const ranks = ranksOf(column);
  const distinct = countValues(column);
  const texts: string[] = [];
  const merged = Array.from({ length: distinct }, (_none, rank) => {
    const text = toValue(String(readValue(column, rank)));
    if (text === null) return -1;
    if (texts.at(-1) !== text) texts.push(text);
    return texts.length - 1;
  });
  const mergedOf = (place: number): number => {
    const found = merged[ranks[place] as number] ?? -1;
    return found < 0 ? texts.length : found;
  };
  const starts = new Uint32Array(texts.length + 2);
  for (let place = 0; place < ranks.length; place += 1) {
    const rank = mergedOf(place) + 1;
    starts[rank] = (starts[rank] as number) + 1;
  }
  for (let rank = 1; rank < starts.length; rank += 1) {
    starts[rank] = (starts[rank] as number) + (starts[rank - 1] as number);
  }
  const next = starts.slice();
  const order = new Uint32Array(ranks.length);
  for (let place = 0; place < ranks.length; place += 1) {
    const rank = mergedOf(place);
    order[next[rank] as number] = place;
    next[rank] = (next[rank] as number) + 1;
  }
  const buffers = texts.map((text) => Buffer.from(text));
  const offsets = new Uint32Array(texts.length + 1);
  for (const [index, { length }] of buffers.entries())
    offsets[index + 1] = (offsets[index] as number) + length;
  return {
    order,
    starts: starts.slice(0, texts.length + 1),
    values: { kind: 'texts', bytes: Buffer.concat(buffers), offsets },
    ranks: null,
  };
}
