import { maxParts } from '../../team-protocol/entry.ts';
import type { Database } from './database.ts';
import { readHeadRow } from './entry-store.ts';

/** Whose part of an entry is used: that of the first of these who sent it. */
const senders = ['author', 'admin', 'reviewer'] as const;
export type PartSender = (typeof senders)[number];
/** Each sender's parts of an entry are stored after those of the one before: beyond the largest number of parts. */
const placeOf = (part: number, sender: PartSender): number => part + maxParts * senders.indexOf(sender);

/** Parts of entries that came by themselves. */
export function createPartStore(database: Database) {
  return {
    /** Adds a part that came by itself, once by each kind of sender. */
    addPart: (
      team: string,
      number: number,
      part: number,
      content: Uint8Array,
      sender: PartSender,
    ): Promise<'added' | 'there' | 'differs'> =>
      database.transaction(async (queries) => {
        const place = placeOf(part, sender);
        // Before the team's row is locked: others wait for the counter only, not for the content.
        const [made] = await queries.all(
          `INSERT INTO parts (team, number, part, with_entry, content) VALUES ($1, $2, $3, 0, $4)
           ON CONFLICT DO NOTHING RETURNING part`,
          [team, number, place, content],
        );
        if (made === undefined) {
          const [there] = await queries.all(
            'SELECT 1 FROM parts WHERE team = $1 AND number = $2 AND part = $3 AND content = $4',
            [team, number, place, content],
          );
          return there === undefined ? 'differs' : 'there';
        }
        const head = await readHeadRow(queries, team, database.forUpdate);
        const arrival = (head?.parts ?? 0) + 1;
        await queries.all('INSERT INTO part_arrivals (team, arrival, number, part) VALUES ($1, $2, $3, $4)', [
          ...[team, arrival, number, place],
        ]);
        await queries.all('UPDATE teams SET parts = $2 WHERE team = $1', [team, arrival]);
        await database.notify(queries, team);
        return 'added';
      }),

    async readPart(team: string, id: string, part: number): Promise<Uint8Array | null> {
      const [row] = await database.all<{ content: Uint8Array }>(
        `SELECT content FROM parts JOIN entries ON entries.team = parts.team AND entries.number = parts.number
         WHERE entries.team = $1 AND id = $2 AND part IN ($3, $4, $5) ORDER BY part LIMIT 1`,
        [team, id, ...senders.map((sender) => placeOf(part, sender))],
      );
      return row?.content ?? null;
    },

    readArrivals: (
      team: string,
      after: number,
      count: number,
    ): Promise<{ after: number; id: string; part: number }[]> =>
      database.all(
        `SELECT arrival AS after, id, part % ${maxParts} AS part
         FROM part_arrivals JOIN entries ON entries.team = part_arrivals.team AND entries.number = part_arrivals.number
         WHERE part_arrivals.team = $1 AND arrival > $2 ORDER BY arrival LIMIT $3`,
        [team, after, count],
      ),
  };
}
