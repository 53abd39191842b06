import type { Lease, NewLeases } from '../../team-protocol/leases.ts';
import type { Database, Queries } from './database.ts';

interface LeaseRow extends Lease {
  readonly until: number;
}

const readRows = (queries: Queries, team: string): Promise<LeaseRow[]> =>
  queries.all('SELECT tag, computer, expires_at AS "until" FROM leases WHERE team = $1 ORDER BY tag', [team]);

/** Leases of claims, which are valid for a minute. Times are milliseconds since 1970. */
export function createLeaseStore(database: Database) {
  return {
    readLeases: (team: string, now: number): Promise<Lease[]> =>
      database.all('SELECT tag, computer FROM leases WHERE team = $1 AND expires_at > $2 ORDER BY tag', [
        team,
        now,
      ]),

    /**
     * Renews the leases that a computer keeps, gives it the first of `takes` that nobody else has, until a time, and
     * ends its other ones. Of two computers that ask at once, also through two servers, one gets the tag, because each
     * row can exist once only. Returns what was taken, the team's newest entry afterwards, and whether others have to
     * be notified.
     */
    takeLeases: (
      team: string,
      computer: string,
      { keeps, takes }: NewLeases,
      times: { readonly now: number; readonly until: number },
      isMember: (computer: string) => boolean,
    ): Promise<{ taken: string | null; number: number; isChanged: boolean }> =>
      database.transaction(async (queries) => {
        const rows = await readRows(queries, team);
        const isOver = ({ computer: holder, until }: LeaseRow): boolean =>
          until <= times.now || !isMember(holder);
        // In the order of tags, so that two transactions that end the same rows cannot deadlock.
        for (const row of rows.filter((one) => isOver(one) || one.computer === computer))
          if (isOver(row) || !keeps.includes(row.tag))
            await queries.all(
              'DELETE FROM leases WHERE team = $1 AND tag = $2 AND computer = $3 AND expires_at <= $4',
              [team, row.tag, row.computer, row.until],
            );
        const held = new Map(rows.filter((one) => !isOver(one)).map((one) => [one.tag, one.computer]));
        const take = async (tag: string): Promise<boolean> => {
          const holder = held.get(tag);
          if (holder === computer && keeps.includes(tag)) {
            const kept = await queries.all(
              'UPDATE leases SET expires_at = $4 WHERE team = $1 AND tag = $2 AND computer = $3 RETURNING tag',
              [team, tag, computer, times.until],
            );
            return kept.length > 0;
          }
          if (holder !== undefined && holder !== computer) return false;
          const made = await queries.all(
            `INSERT INTO leases (team, tag, computer, expires_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT DO NOTHING RETURNING tag`,
            [team, tag, computer, times.until],
          );
          return made.length > 0;
        };
        for (const tag of new Set(keeps)) await take(tag);
        let taken: string | null = null;
        for (const tag of new Set(takes)) {
          taken = keeps.includes(tag) || (await take(tag)) ? tag : null;
          if (taken !== null) break;
        }
        const [head] = await queries.all<{ number: number }>('SELECT number FROM teams WHERE team = $1', [
          team,
        ]);
        const after = await readRows(queries, team);
        const isChanged =
          after.length !== rows.length ||
          after.some(
            ({ tag, computer: holder }, at) => tag !== rows[at]?.tag || holder !== rows[at]?.computer,
          );
        if (isChanged) await database.notify(queries, team);
        return { taken, number: head?.number ?? 0, isChanged };
      }),

    /** Removes the leases that are over, and what is left of those that were given back: who was on what is not kept. */
    async endLeases(now: number): Promise<void> {
      await database.all('DELETE FROM leases WHERE expires_at <= $1', [now]);
      await database.forgetDeleted();
    },
  };
}
