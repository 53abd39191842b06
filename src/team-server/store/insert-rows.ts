import { splitTags } from '../../team-protocol/claim-tags.ts';
import type { Entry } from '../../team-protocol/entry.ts';
import type { Queries, Value } from './database.ts';
import type { NewEntry } from './new-entry.ts';

/** The most rows of one INSERT. */
const maxInsertRows = 200;

export const placeholders = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ');

/** Inserts rows, many with one statement. */
export async function insertRows(
  queries: Queries,
  into: string,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += maxInsertRows) {
    const some = rows.slice(at, at + maxInsertRows);
    const values = some.map((row, index) => `(${placeholders(row.length, index * row.length + 1)})`);
    await queries.all(`INSERT INTO ${into} VALUES ${values.join(', ')}`, some.flat());
  }
}

/** Inserts the parts that a computer sent with entries. */
export const insertParts = (
  queries: Queries,
  team: string,
  entries: readonly NewEntry[],
  computer: string,
): Promise<void> =>
  insertRows(
    queries,
    'parts (team, number, part, computer, content)',
    entries.flatMap(({ number, parts }) =>
      parts.flatMap((content, part): Value[][] =>
        content === null ? [] : [[team, number, part, computer, content]],
      ),
    ),
  );

/** Returns the tags of an entry's claims; one empty tag if it has more claims than its header can have tags. */
const listTags = (entry: Pick<NewEntry, 'header'>): string[] => {
  const { tags } = JSON.parse(entry.header) as { tags: string | null };
  return tags === null ? [''] : splitTags(tags);
};

/** Inserts the tags of entries. */
export const insertTags = (queries: Queries, team: string, entries: readonly NewEntry[]): Promise<void> =>
  insertRows(
    queries,
    'entry_tags (team, tag, number)',
    entries.flatMap((entry) => listTags(entry).map((tag): Value[] => [team, tag, entry.number])),
  );

export const countBytes = ({ header, head, parts }: Entry): number =>
  Buffer.byteLength(header) + head.length + parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
