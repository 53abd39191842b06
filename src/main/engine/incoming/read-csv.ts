import { CsvError, parse } from 'csv-parse/sync';
import { DeskError } from '../../lib/errors.ts';
import { limits, type RawRow, type RawTable } from './raw-table.ts';

const separators = [',', ';', '\t', '|'] as const;
/** How many lines are counted to find the separator. */
const counted = 50;
/** The most rows with an open quote; a file with more is not a CSV file. */
const maxBroken = 200;

function countOutside(line: string, character: string): number {
  let [count, isQuoted] = [0, false];
  for (const current of line) {
    if (current === '"') isQuoted = !isQuoted;
    else if (current === character && !isQuoted) count += 1;
  }
  return count;
}

/**
 * Finds the separator that occurs equally often in most lines, and the number of columns it makes; of several
 * candidates, the one that occurs most often.
 */
function findSeparator(all: readonly string[], offered: readonly string[]) {
  const lines = all
    .slice(0, counted * 2)
    .filter((line) => line.trim() !== '')
    .slice(0, counted);
  const scored = offered.map((separator) => {
    const counts = Map.groupBy(
      lines.map((line) => countOutside(line, separator)).filter((count) => count > 0),
      (count) => count,
    );
    const [most] = [...counts]
      .map(([count, all]) => ({ count, lines: all.length }))
      .sort((a, b) => b.lines - a.lines || b.count - a.count);
    return { separator, count: most?.count ?? 0, lines: most?.lines ?? 0 };
  });
  const [best] = scored.sort((a, b) => b.lines - a.lines || b.count - a.count);
  return { separator: best?.separator ?? ',', columns: (best?.count ?? 0) + 1 };
}

/**
 * Reads rows of a text until one with an open quote. `failed`: the indexes of the lines where that row begins and,
 * where a later quote seems to close it, ends; empty: there is no such row. Indexes start at 0, the lines of rows at 1.
 */
function readUntilBroken(
  lines: readonly string[],
  from: number,
  form: { separator: string; columns: number },
) {
  const rows: RawRow[] = [];
  let ended = from;
  let failed: number[] = [];
  const isWhole = (line: string | undefined): boolean =>
    line !== undefined && line.split(form.separator).length === form.columns;
  // If each line is a whole row, the line breaks are not part of a text, so the quote was left open.
  const isSwallowing = ([first, ...others]: readonly string[]): boolean =>
    form.columns > 1 && isWhole(first) && others.some(isWhole);
  const stop = new Error('stop');
  try {
    parse(lines.slice(from).join('\n'), {
      delimiter: form.separator,
      record_delimiter: '\n',
      trim: true,
      info: true,
      raw: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: (record: unknown, { lines: end }: { lines: number }) => {
        const { record: cells, raw } = record as { record: string[]; raw: string };
        const size = raw.trim().split('\n').length;
        const begins = from + end - size;
        if (isSwallowing(lines.slice(begins, begins + size))) {
          failed = [begins, begins + size - 1];
          throw stop;
        }
        if (cells.length > limits.columns || rows.length >= limits.rows) throw new DeskError('file.tooLarge');
        ended = begins + size;
        if (cells.some((cell) => cell !== '')) rows.push({ line: begins + 1, cells });
        return null;
      },
    } as never);
  } catch (thrown) {
    if (thrown !== stop && !(thrown instanceof CsvError)) throw thrown;
    while (ended < lines.length - 1 && (lines[ended] as string).trim() === '') ended += 1;
    if (failed.length === 0) failed = [ended];
  }
  return { rows, failed };
}

/**
 * Reads a CSV file. A row whose quote is not closed, or closed within its text, is in `broken` with its line; reading continues
 * with the line after it.
 *
 * @throws DeskError `file.unreadable`, `file.tooLarge`
 */
export function readCsv(text: string): RawTable {
  const lines = text.split('\n');
  const named = /^"?sep=(.)"?\s*$/i.exec(lines[0] ?? '')?.[1];
  const form = findSeparator(
    named === undefined ? lines : lines.slice(1),
    named === undefined ? separators : [named],
  );
  const rows: RawRow[] = [];
  const broken: number[] = [];
  for (let from: number | null = named === undefined ? 0 : 1; from !== null; ) {
    const read = readUntilBroken(lines, from, form);
    for (const row of read.rows) rows.push(row);
    const [begins, ends] = read.failed;
    broken.push(...read.failed.map((index) => index + 1));
    if (broken.length > maxBroken) throw new DeskError('file.unreadable');
    if (ends !== undefined) lines[ends] = '';
    from = begins === undefined ? null : begins + 1;
  }
  return { sheets: [{ name: null, rows, broken }], separator: form.separator };
}
