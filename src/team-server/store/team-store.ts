import { firstDocumentPart } from '../../team-protocol/document-parts.ts';
import type { Lease, NewLeases } from '../../team-protocol/leases.ts';
import type { Queries, TeamDatabase } from './database.ts';
import { createEntryStore } from './entry-store.ts';
import { createJoinStore } from './join-store.ts';

/** Rolls back the transaction that added a part whose content was removed. */
class RemovedError extends Error {}

/**
 * Parts that were sent separately from their entries. Only members can compare a part with its author's commitment. So
 * each computer can send each part once, and readers choose the right version: no computer can replace the part of
 * another.
 */
function createPartStore(database: TeamDatabase) {
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
            const [stored] = await queries.all(
              'SELECT 1 FROM parts WHERE team = $1 AND number = $2 AND part = $3 AND computer = $4 AND content = $5',
              [team, number, part, computer, content],
            );
            return stored === undefined ? 'differs' : 'there';
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

    /** The versions of a part that were sent, one `version` after the other; null after the last. */
    async readPart(team: string, id: string, part: number, version = 0): Promise<Uint8Array | null> {
      const [row] = await database.all<{ content: Uint8Array }>(
        `SELECT content FROM parts JOIN entries ON entries.team = parts.team AND entries.number = parts.number
         WHERE entries.team = $1 AND id = $2 AND part = $3 ORDER BY computer LIMIT 1 OFFSET $4`,
        [team, id, part, version],
      );
      return row?.content ?? null;
    },

    /** The sealed bytes of all documents of a team, computed without reading their content. */
    async readDocumentBytes(team: string): Promise<number> {
      const [row] = await database.all<{ bytes: number }>(
        `SELECT CAST(coalesce(sum(length(content)), 0) AS bigint) AS bytes FROM parts
         WHERE team = $1 AND arrival IS NOT NULL AND part >= ${firstDocumentPart}`,
        [team],
      );
      return row?.bytes ?? 0;
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

interface LeaseRow extends Lease {
  readonly until: number;
}

const readRows = (queries: Queries, team: string): Promise<LeaseRow[]> =>
  queries.all('SELECT tag, computer, expires_at AS "until" FROM leases WHERE team = $1 ORDER BY tag', [team]);

/** Leases of claims, each valid for a minute. Times are milliseconds since 1970. */
const createLeaseStore = (database: TeamDatabase) => ({
  readLeases: (team: string, now: number): Promise<Lease[]> =>
    database.all('SELECT tag, computer FROM leases WHERE team = $1 AND expires_at > $2 ORDER BY tag', [
      team,
      now,
    ]),

  /**
   * Renews the leases that a computer keeps, gives it the first of `takes` that no other computer has, until a time,
   * and ends its other leases. If two computers ask at once, even through two servers, only one gets the tag, because
   * each row can exist only once. Returns the lease that was taken, the team's newest entry afterwards, and whether
   * others have to be notified.
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
      // Ordered by tag, so that two transactions that end the same rows cannot deadlock.
      for (const row of rows.filter((lease) => isOver(lease) || lease.computer === computer))
        if (isOver(row) || !keeps.includes(row.tag))
          await queries.all(
            'DELETE FROM leases WHERE team = $1 AND tag = $2 AND computer = $3 AND expires_at <= $4',
            [team, row.tag, row.computer, row.until],
          );
      const held = new Map(
        rows.filter((lease) => !isOver(lease)).map((lease) => [lease.tag, lease.computer]),
      );
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
        after.some(({ tag, computer: holder }, at) => tag !== rows[at]?.tag || holder !== rows[at]?.computer);
      if (isChanged) await database.notify(queries, team);
      return { taken, number: head?.number ?? 0, isChanged };
    }),

  /** Removes leases that expired or were returned, so that no history of who had which claim open is kept. */
  async endLeases(now: number): Promise<void> {
    await database.all('DELETE FROM leases WHERE expires_at <= $1', [now]);
    await database.forgetDeleted();
  },
});

export type TeamStore = ReturnType<typeof createTeamStore>;

/** The tables of a team server, in either database. */
export const createTeamStore = (database: TeamDatabase) => ({
  ...createEntryStore(database),
  ...createPartStore(database),
  ...createJoinStore(database),
  ...createLeaseStore(database),
  onNotified: database.onNotified,
  close: database.close,
  /** @throws StoreError where the database does not answer */
  async check(): Promise<void> {
    await database.all('SELECT max(number) AS number FROM migrations');
  },
});
