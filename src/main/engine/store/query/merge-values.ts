import { monthOf, readDays } from '../../../../contract/date-range.ts';
import { firstDayPath, monthPath } from './range-conditions.ts';
import { countValues, ranksOf, readValue, type TypedColumn } from './typed-columns.ts';

/** How a column is derived from one in memory; `toValue` keeps the order of values. */
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

/** What a column is derived from; null for one that is read. */
export function sourceOf(path: string): ColumnSource | null {
  const toValue = sources[path];
  return toValue === undefined ? null : { path: 'date_of_service', toValue };
}

/** A column of fewer values: neighbors that become equal are joined, null comes last. */
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
  const mergedOf = (row: number): number => {
    const found = merged[ranks[row] as number] ?? -1;
    return found < 0 ? texts.length : found;
  };
  const starts = new Uint32Array(texts.length + 2);
  for (let row = 0; row < ranks.length; row += 1) {
    const rank = mergedOf(row) + 1;
    starts[rank] = (starts[rank] as number) + 1;
  }
  for (let rank = 1; rank < starts.length; rank += 1) {
    starts[rank] = (starts[rank] as number) + (starts[rank - 1] as number);
  }
  const next = starts.slice();
  const order = new Uint32Array(ranks.length);
  for (let row = 0; row < ranks.length; row += 1) {
    const rank = mergedOf(row);
    order[next[rank] as number] = row;
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
