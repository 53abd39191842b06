import type { IncomingRow } from '../incoming/incoming-table.ts';

/** The keys of a claim or member in a row of a file: ID, number or key, or one that may be either of the first two. */
export interface RowKeys {
  readonly id: string;
  readonly number: string;
  readonly either: string;
}

export const claimKeysOf = ({ textOf }: IncomingRow): RowKeys => ({
  id: textOf('claimId'),
  number: textOf('claimNumber'),
  either: textOf('claim'),
});
export const memberKeysOf = ({ textOf }: IncomingRow): RowKeys => ({
  id: textOf('memberId'),
  number: textOf('memberKey'),
  either: textOf('member'),
});

/** The first of the keys, which identifies the row. */
export const sayKeys = ({ id, number, either }: RowKeys): string => id || number || either;
export const isWithoutKeys = (keys: RowKeys): boolean => sayKeys(keys) === '';

/** `none`: nothing has one of the keys; `several`: more than one has all of them; `disagrees`: nothing has all of them. */
export type FoundByKeys<T> = { readonly one: T } | { readonly problem: 'none' | 'several' | 'disagrees' };

/**
 * Makes a function that finds the item with the keys of a row. An ID is compared only with IDs, and a number only with
 * numbers: as written, or without leading zeros, which a spreadsheet removes.
 */
export function indexKeys<T>(
  all: readonly { readonly value: T; readonly id: string | null; readonly number: string | null }[],
): (keys: RowKeys) => FoundByKeys<T> {
  const ids = Map.groupBy(all, ({ id }) => id ?? '');
  const numbers = Map.groupBy(all, ({ number }) => number ?? '');
  const cut = Map.groupBy(all, ({ number }) => (number ?? '').replace(/^0+(?=\d+$)/, ''));
  const withId = (id: string): T[] => (ids.get(id) ?? []).map(({ value }) => value);
  const withNumber = (number: string): T[] =>
    [...(numbers.get(number) ?? []), ...(cut.get(number) ?? [])].map(({ value }) => value);
  return ({ id, number, either }) => {
    const matches = [
      ...(id === '' ? [] : [withId(id)]),
      ...(number === '' ? [] : [withNumber(number)]),
      ...(either === '' ? [] : [[...withId(either), ...withNumber(either)]]),
    ].map((values) => new Set(values));
    const [first = new Set<T>(), ...others] = matches;
    const agreed = [...first].filter((value) => others.every((other) => other.has(value)));
    const [match, ...more] = agreed;
    if (match !== undefined) return more.length === 0 ? { one: match } : { problem: 'several' };
    return { problem: matches.some(({ size }) => size > 0) ? 'disagrees' : 'none' };
  };
}
