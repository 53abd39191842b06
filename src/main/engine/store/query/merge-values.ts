import { monthOf, readDays } from '../../../../contract/date-range.ts';
import { readNames } from '../record/claim-names.ts';
import { firstDayPath, monthPath } from './range-conditions.ts';
import { countValues, ranksOf, readValue, type TypedColumn } from './typed-columns.ts';

/** How a column is derived from one in memory; a value that becomes none is null. */
interface ColumnSource {
  readonly path: string;
  readonly toValues: (value: string) => readonly string[];
}

const days = 'date_of_service';
const sources: Readonly<Record<string, ColumnSource>> = {
  [firstDayPath]: { path: days, toValues: (text) => orNone(readDays(text)?.first) },
  [monthPath]: {
    path: days,
    toValues(text) {
      const found = readDays(text);
      return found === null ? [] : orNone(monthOf(found));
    },
  },
};

const orNone = (value: string | null | undefined): string[] =>
  value === null || value === undefined ? [] : [value];

const eachPrefix = '$each-';

/** The name under which the single names of a column of several (`isMany`) are held, by which it is filtered. */
export const eachPath = (path: string): string => `${eachPrefix}${path}`;

/** What a column is derived from; null for one that is read. */
export function sourceOf(path: string): ColumnSource | null {
  if (path.startsWith(eachPrefix)) return { path: path.slice(eachPrefix.length), toValues: readNames };
  return sources[path] ?? null;
}

/** A column of other values: a row is in order under each of those that its value becomes, or last without any. */
export function deriveColumn(column: TypedColumn, toValues: ColumnSource['toValues']): TypedColumn {
  const distinct = countValues(column);
  const derived = Array.from({ length: distinct }, (_none, rank) => [
    ...new Set(toValues(String(readValue(column, rank)))),
  ]);
  const sorted = [...new Set(derived.flat())].map((text) => Buffer.from(text)).sort(Buffer.compare);
  const rankOf = new Map(sorted.map((bytes, rank) => [bytes.toString(), rank]));
  const nulls = [sorted.length];
  /** By rank in the column, the ranks in the derived one; the last is that of null. */
  const into = [
    ...derived.map((values) =>
      values.length === 0 ? nulls : values.map((value) => rankOf.get(value) as number),
    ),
    nulls,
  ];
  const ranks = ranksOf(column);
  const next = new Uint32Array(sorted.length + 2);
  for (let row = 0; row < ranks.length; row += 1) {
    for (const rank of into[ranks[row] as number] as number[])
      next[rank + 1] = (next[rank + 1] as number) + 1;
  }
  for (let rank = 1; rank < next.length; rank += 1) {
    next[rank] = (next[rank] as number) + (next[rank - 1] as number);
  }
  const starts = next.slice(0, sorted.length + 1);
  const order = new Uint32Array(next.at(-1) as number);
  for (let row = 0; row < ranks.length; row += 1) {
    for (const rank of into[ranks[row] as number] as number[]) {
      order[next[rank] as number] = row;
      next[rank] = (next[rank] as number) + 1;
    }
  }
  const offsets = new Uint32Array(sorted.length + 1);
  for (const [index, { length }] of sorted.entries())
    offsets[index + 1] = (offsets[index] as number) + length;
  return {
    order,
    starts,
    values: { kind: 'texts', bytes: Buffer.concat(sorted), offsets },
    ranks: null,
  };
}
