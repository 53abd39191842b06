import type { Database } from './database.ts';
import { readHeadRow } from './entry-store.ts';

/** Parts of entries that came by themselves. */
export function createPartStore(database: Database) {
  return {
    /** Adds a part that came by itself, once. */
    addPart: (
      team: string,
      number: number,
      part: number,
      content: Uint8Array,
    ): Promise<'added' | 'there' | 'differs'> =>
      database.transaction(async (queries) => {
        // Before the team's row is locked: others wait for the counter only, not for the content.
        const [made] = await queries.all(
          `INSERT INTO parts (team, number, part, with_entry, content) VALUES ($1, $2, $3, 0, $4)
           ON CONFLICT DO NOTHING RETURNING part`,
          [team, number, part, content],
        );
        if (made === undefined) {
          const [there] = await queries.all(
            'SELECT 1 FROM parts WHERE team = $1 AND number = $2 AND part = $3 AND content = $4',
            [team, number, part, content],
          );
          return there === undefined ? 'differs' : 'there';
        }
        const head = await readHeadRow(queries, team, database.forUpdate);
        const arrival = (head?.parts ?? 0) + 1;
        await queries.all('INSERT INTO part_arrivals (team, arrival, number, part) VALUES ($1, $2, $3, $4)', [
          ...[team, arrival, number, part],
        ]);
        await queries.all('UPDATE teams SET parts = $2 WHERE team = $1', [team, arrival]);
        await database.notify(queries, team);
        return 'added';
      }),

    async readPart(team: string, id: string, part: number): Promise<Uint8Array | null> {
      const [row] = await database.all<{ content: Uint8Array }>(
        `SELECT content FROM parts JOIN entries ON entries.team = parts.team AND entries.number = parts.number
         WHERE entries.team = $1 AND id = $2 AND part = $3`,
        [team, id, part],
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
         FROM part_arrivals JOIN entries ON entries.team = part_arrivals.team AND entries.number = part_arrivals.number
         WHERE part_arrivals.team = $1 AND arrival > $2 ORDER BY arrival LIMIT $3`,
        [team, after, count],
      ),
  };
}
