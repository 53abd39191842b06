import type { Predicate } from './conditions.ts';
import { countValues, findRank, readValue, type TypedColumn } from './typed-columns.ts';

/** The ranks `[from, to)` that match, and whether rows without a value do; `isNot` inverts both. */
export interface RankMatch {
  readonly ranges: readonly (readonly [number, number])[];
  readonly hasNull: boolean;
  readonly isNot: boolean;
}

const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());

/** Whether a text contains another, as `contains` compares. */
export const hasPart = (text: string, part: string): boolean => foldAscii(text).includes(foldAscii(part));

/**
 * The ranks that a condition matches in a column in memory: the same rows as its SQL, texts compared by their bytes
 * and parts of texts regardless of the case of ASCII letters.
 */
export function matchRanks(column: TypedColumn, predicate: Predicate): RankMatch {
  const distinct = countValues(column);
  if (predicate.kind === 'empty') {
    const hasBlank = predicate.countsBlank && distinct > 0 && readValue(column, 0) === '';
    return { ranges: hasBlank ? [[0, 1]] : [], hasNull: true, isNot: predicate.isNot };
  }
  if (predicate.kind === 'part')
    return { ranges: findParts(column, predicate), hasNull: false, isNot: false };
  const ranges = predicate.ranges.map(({ from, to, isFromOpen, isToOpen }): [number, number] => [
    from === null ? 0 : findRank(column, from, isFromOpen === true),
    to === null ? distinct : findRank(column, to, isToOpen !== true),
  ]);
  return { ranges: ranges.filter(([from, to]) => from < to), hasNull: false, isNot: predicate.isNot };
}

function findParts(column: TypedColumn, predicate: Extract<Predicate, { kind: 'part' }>): [number, number][] {
  const wanted = foldAscii(predicate.text);
  const { values } = column;
  if (values.kind === 'numbers') {
    const found: [number, number][] = [];
    for (let rank = 0; rank < values.numbers.length; rank += 1) {
      const digits = String(values.numbers[rank]);
      if (predicate.isPrefix ? digits.startsWith(wanted) : digits.includes(wanted))
        found.push([rank, rank + 1]);
    }
    return found;
  }
  return findInTexts(column, values, Buffer.from(wanted), predicate.isPrefix);
}

/**
 * Searches the texts as one run of bytes, lowercased a piece at a time so that no second copy is kept; a hit counts
 * only within one text. In UTF-8 no character begins inside another.
 */
function findInTexts(
  column: TypedColumn,
  values: Extract<TypedColumn['values'], { kind: 'texts' }>,
  wanted: Buffer,
  isPrefix: boolean,
): [number, number][] {
  const { bytes, offsets } = values;
  const distinct = countValues(column);
  if (wanted.length === 0) return distinct === 0 ? [] : [[0, distinct]];
  const folded = foldBytes(bytes);
  const found: [number, number][] = [];
  let rank = 0;
  let at = folded.indexOf(wanted);
  while (at >= 0) {
    rank = rankAt(offsets, at, rank, distinct);
    const end = offsets[rank + 1] as number;
    const isWithin = at + wanted.length <= end && (!isPrefix || at === offsets[rank]);
    if (isWithin) found.push([rank, rank + 1]);
    at = folded.indexOf(wanted, isWithin || isPrefix ? Math.max(end, at + 1) : at + 1);
  }
  return found;
}

/** The text that contains this byte: the last one that begins at or before it (empty texts contain none). */
function rankAt(offsets: Uint32Array, at: number, from: number, distinct: number): number {
  let [low, high] = [from, distinct - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((offsets[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The bytes with ASCII letters in lowercase; the same buffer where there are no capitals. */
function foldBytes(bytes: Buffer): Buffer {
  if (!hasCapital(bytes)) return bytes;
  const folded = Buffer.allocUnsafe(bytes.length);
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    folded[index] = byte >= 65 && byte <= 90 ? byte + 32 : byte;
  }
  return folded;
}

function hasCapital(bytes: Buffer): boolean {
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (byte >= 65 && byte <= 90) return true;
  }
  return false;
}
