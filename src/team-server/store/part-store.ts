import type { Database } from './database.ts';

/** Ends the transaction that has added a part whose content was removed. */
class RemovedError extends Error {}

/**
 * Parts that were sent separately from their entries. Only members can compare a part with what its author committed to, so
 * that each computer can send each part once, and readers use the one that is right: nobody takes another's place.
 */
export function createPartStore(database: Database) {
  return {
    addPart: (
      team: string,
      number: number,
      part: number,
      content: Uint8Array,
      computer: string,
    ): Promise<'added' | 'there' | 'differs' | 'removed'> =>
      database
        .transaction(async (queries) => {
          // Before the team's row is locked, so that the lock is not held while content is written.
          const [made] = await queries.all(
            `INSERT INTO parts (team, number, part, computer, content) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT DO NOTHING RETURNING part`,
            [team, number, part, computer, content],
          );
          if (made === undefined) {
            const [there] = await queries.all(
              'SELECT 1 FROM parts WHERE team = $1 AND number = $2 AND part = $3 AND computer = $4 AND content = $5',
              [team, number, part, computer, content],
            );
            return there === undefined ? 'differs' : 'there';
          }
          await database.lockTeam(queries, team);
          // The row is locked, so that a removal either came before this part or will delete it.
          const [removed] = await queries.all(
            `SELECT 1 FROM entries JOIN teams ON teams.team = entries.team
             LEFT JOIN removed_entries removed ON removed.team = entries.team AND removed.id = entries.id
             WHERE entries.team = $1 AND entries.number = $2 AND (kind = 'checkpoint' AND teams.removal > $2
               OR removed.id IS NOT NULL AND (kind = 'event' OR $3 > 0))`,
            [team, number, part],
          );
          if (removed !== undefined) throw new RemovedError();
          await database.addArrival(queries, team, number, part, computer);
          await database.notify(queries, team);
          return 'added' as const;
        })
        .catch((thrown: unknown) => {
          if (thrown instanceof RemovedError) return 'removed';
          throw thrown;
        }),

    /** What computers sent of a part, one `version` after the other; null after the last. */
    async readPart(team: string, id: string, part: number, version = 0): Promise<Uint8Array | null> {
      const [row] = await database.all<{ content: Uint8Array }>(
        `SELECT content FROM parts JOIN entries ON entries.team = parts.team AND entries.number = parts.number
         WHERE entries.team = $1 AND id = $2 AND part = $3 ORDER BY computer LIMIT 1 OFFSET $4`,
        [team, id, part, version],
      );
      return row?.content ?? null;
    },

    readArrivals: (
      team: string,
      after: number,
      count: number,
    ): Promise<{ after: number; id: string; part: number }[]> =>
      database.all(
        `SELECT arrival AS after, id, part
         FROM parts JOIN entries ON entries.team = parts.team AND entries.number = parts.number
         WHERE parts.team = $1 AND arrival > $2 ORDER BY arrival LIMIT $3`,
        [team, after, count],
      ),
  };
}
