import { maxParts } from '../../team-protocol/entry.ts';
import type { Database } from './database.ts';
import { readHeadRow } from './entry-store.ts';

/** Of several versions of a part, the one by the first of these is used. */
const senders = ['author', 'admin', 'reviewer'] as const;
export type PartSender = (typeof senders)[number];
/** The stored number of a part: each kind of sender has a range of its own. */
const placeOf = (part: number, sender: PartSender): number => part + maxParts * senders.indexOf(sender);

/** Ends the transaction that has added a part whose content was removed. */
class RemovedError extends Error {}

/** Parts that were sent separately from their entries. */
export function createPartStore(database: Database) {
  return {
    /** Adds a part that was sent separately, once from each kind of sender. */
    addPart: (
      team: string,
      number: number,
      part: number,
      content: Uint8Array,
      sender: PartSender,
    ): Promise<'added' | 'there' | 'differs' | 'removed'> =>
      database
        .transaction(async (queries) => {
          const place = placeOf(part, sender);
          // Before the team's row is locked, so that the lock is not held while content is written.
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
          // The row is locked, so that a removal either came before this part or will delete it.
          const [removed] = await queries.all(
            `SELECT 1 FROM entries JOIN removed_entries removed ON removed.team = entries.team AND removed.id = entries.id
           WHERE entries.team = $1 AND entries.number = $2 AND (kind = 'event' OR $3 > 0)`,
            [team, number, part],
          );
          if (removed !== undefined) throw new RemovedError();
          const arrival = (head?.parts ?? 0) + 1;
          await queries.all(
            'INSERT INTO part_arrivals (team, arrival, number, part) VALUES ($1, $2, $3, $4)',
            [...[team, arrival, number, place]],
          );
          await queries.all('UPDATE teams SET parts = $2 WHERE team = $1', [team, arrival]);
          await database.notify(queries, team);
          return 'added' as const;
        })
        .catch((thrown: unknown) => {
          if (thrown instanceof RemovedError) return 'removed';
          throw thrown;
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
