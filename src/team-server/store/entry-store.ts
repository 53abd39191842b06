import type { EntryKind } from '../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../team-protocol/frame.ts';
import type { Queries, TeamDatabase } from './database.ts';
import { countBytes, placeholders } from './insert-rows.ts';
import type { NewEntry, TeamHead } from './new-entry.ts';

interface KnownEntry {
  readonly number: number;
  readonly hash: string;
  readonly header: string;
  readonly signature: Uint8Array;
}

/** The state for deciding about new entries while the team's row is locked. */
export interface AppendState {
  readonly head: TeamHead;
  readonly known: ReadonlyMap<string, KnownEntry>;
  /** The requested hashes, by number. */
  readonly hashes: ReadonlyMap<number, string>;
  /** The amount that the caller has added today. */
  readonly usage: Usage;
}

/** The amount that a computer has added in a day. */
export interface Usage {
  readonly bytes: number;
  readonly entries: number;
  readonly memberships: number;
}

const noUsage: Usage = { bytes: 0, entries: 0, memberships: 0 };
const dayMs = 86_400_000;

/** A computer that adds entries, at a time in milliseconds. */
interface Adding {
  readonly computer: string;
  readonly now: number;
}

interface PageSize {
  readonly count: number;
  readonly bytes: number;
}

interface EntryRow extends KnownEntry {
  readonly head: Uint8Array;
}

async function readHeadRow(queries: Queries, team: string): Promise<TeamHead | null> {
  const [row] = await queries.all<TeamHead>(
    `SELECT teams.number, teams.hash, membership, coalesce(newest.hash, '') AS "membershipHash", removal, parts
     FROM teams LEFT JOIN entries newest ON newest.team = teams.team AND newest.number = membership
     WHERE teams.team = $1`,
    [team],
  );
  return row ?? null;
}

async function readKnown(queries: Queries, team: string, ids: readonly string[]) {
  const rows = await queries.all<KnownEntry & { id: string }>(
    `SELECT id, number, hash, header, signature FROM entries WHERE team = $1 AND id IN (${placeholders(ids.length, 2)})`,
    [team, ...ids],
  );
  return new Map<string, KnownEntry>(rows.map((row) => [row.id, row]));
}

async function readHashes(queries: Queries, team: string, numbers: readonly number[]) {
  if (numbers.length === 0) return new Map<number, string>();
  const rows = await queries.all<{ number: number; hash: string }>(
    `SELECT number, hash FROM entries WHERE team = $1 AND number IN (${placeholders(numbers.length, 2)})`,
    [team, ...numbers],
  );
  return new Map(rows.map(({ number, hash }) => [number, hash]));
}

/** Leaves out content that was removed before the entry arrived. */
async function withoutRemoved(
  queries: Queries,
  team: string,
  entries: readonly NewEntry[],
): Promise<readonly NewEntry[]> {
  const rows = await queries.all<{ id: string }>(
    `SELECT id FROM removed_entries WHERE team = $1 AND id IN (${placeholders(entries.length, 2)})`,
    [team, ...entries.map(({ id }) => id)],
  );
  const removed = new Set(rows.map(({ id }) => id));
  return entries.map((entry) => {
    if (!removed.has(entry.id) || entry.kind === 'membership') return entry;
    // The head and the statement of a removal stay.
    const isEvent = entry.kind === 'event';
    const parts = entry.parts.map((part, index) => (isEvent || index > 0 ? null : part));
    return { ...entry, head: isEvent ? Buffer.alloc(0) : entry.head, parts };
  });
}

async function readMembershipRows(queries: Queries, team: string, from: number): Promise<NumberedEntry[]> {
  const rows = await queries.all<EntryRow>(
    `SELECT number, hash, header, signature, head FROM entries
     WHERE team = $1 AND kind = 'membership' AND kind <> 'event' AND number >= $2 ORDER BY number`,
    [team, from],
  );
  return rows.map((row) => ({ ...row, parts: [] }));
}

/**
 * Which entries a page has: all, those of one kind, or those with one of these tags or with too many claims for tags.
 */
type EntrySelection = 'all' | Exclude<EntryKind, 'event'> | readonly string[];

async function readPage(
  queries: Queries,
  team: string,
  after: number,
  { count, bytes }: PageSize,
  selection: EntrySelection,
): Promise<NumberedEntry[]> {
  const tags = typeof selection === 'string' ? [] : ['', ...selection];
  const isWanted =
    typeof selection === 'string'
      ? selection === 'all'
        ? ''
        : `AND kind = '${selection}' AND kind <> 'event'`
      : `AND number IN (SELECT number FROM entry_tags
           WHERE team = $1 AND tag IN (${placeholders(tags.length, 5)}) AND number > $2)`;
  const rows = await queries.all<EntryRow>(
    `WITH page AS (
       SELECT number, sum(bytes) OVER (ORDER BY number) - bytes AS before
       FROM (SELECT number, bytes FROM entries
             WHERE team = $1 AND number > $2 ${isWanted}
             ORDER BY number LIMIT $3) AS first_ones
     )
     SELECT entries.number, hash, header, signature, head
     FROM entries JOIN page ON page.number = entries.number
     WHERE team = $1 AND before < $4 ORDER BY entries.number`,
    [team, after, count, bytes, ...tags],
  );
  // Memberships have no parts.
  if (selection === 'membership') return rows.map((row) => ({ ...row, parts: [] }));
  if (rows.length === 0) return [];
  const numbers = rows.map(({ number }) => number);
  const parts = await queries.all<{ number: number; part: number; content: Uint8Array }>(
    `SELECT number, part, content FROM parts
     WHERE team = $1 AND arrival IS NULL AND ${
       selection === 'all'
         ? 'number >= $2 AND number <= $3'
         : `number IN (${placeholders(numbers.length, 2)})`
     }`,
    [team, ...(selection === 'all' ? [numbers[0] as number, numbers.at(-1) as number] : numbers)],
  );
  const contentByPart = new Map(parts.map(({ number, part, content }) => [`${number}.${part}`, content]));
  return rows.map((row) => {
    const { parts: announced } = JSON.parse(row.header) as { parts: unknown[] };
    return { ...row, parts: announced.map((_, part) => contentByPart.get(`${row.number}.${part}`) ?? null) };
  });
}

/** Adds entries, with the parts that came with them. */
async function addEntries(
  database: TeamDatabase,
  queries: Queries,
  team: string,
  entries: readonly NewEntry[],
  after: TeamHead,
  computer: string,
): Promise<void> {
  await database.addEntries(queries, team, entries, after, computer);
  await database.notify(queries, team);
}

async function addUsage(
  queries: Queries,
  team: string,
  { computer, now }: Adding,
  added: Usage,
): Promise<void> {
  await queries.all(
    `INSERT INTO usage (team, computer, day, bytes, entries, memberships) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (team, computer, day) DO UPDATE SET bytes = usage.bytes + excluded.bytes,
       entries = usage.entries + excluded.entries, memberships = usage.memberships + excluded.memberships`,
    [team, computer, Math.floor(now / dayMs), added.bytes, added.entries, added.memberships],
  );
}

async function readUsage(queries: Queries, team: string, { computer, now }: Adding): Promise<Usage> {
  const [row] = await queries.all<Usage>(
    'SELECT bytes, entries, memberships FROM usage WHERE team = $1 AND computer = $2 AND day = $3',
    [team, computer, Math.floor(now / dayMs)],
  );
  return row ?? noUsage;
}

/** Teams and their entries. Times are milliseconds since 1970. */
export const createEntryStore = (database: TeamDatabase) => ({
  /** Creates a team from its first entry, with a set-up code that is neither used nor expired. */
  createTeam: (
    setupCode: string,
    team: string,
    first: NewEntry,
    now: number,
  ): Promise<'created' | 'codeInvalid' | 'exists'> =>
    database.transaction(async (queries) => {
      const isThere = async () => (await readHeadRow(queries, team)) !== null;
      if (await isThere()) {
        const knownEntry = (await readKnown(queries, team, [first.id])).get(first.id);
        return knownEntry?.header === first.header ? 'created' : 'exists';
      }
      const [code] = await queries.all('SELECT 1 FROM setup_codes WHERE digest = $1 AND expires_at > $2', [
        ...[setupCode, now],
      ]);
      if (code === undefined) return 'codeInvalid';
      const [made] = await queries.all(
        'INSERT INTO teams (team, setup_code) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING team',
        [team, setupCode],
      );
      if (made === undefined) return (await isThere()) ? 'exists' : 'codeInvalid';
      const { number, hash } = first;
      const after = { number, hash, membership: number, membershipHash: hash, removal: 0, parts: 0 };
      await addEntries(database, queries, team, [first], after, '');
      return 'created';
    }),

  readHead: (team: string): Promise<TeamHead | null> => readHeadRow(database, team),

  /**
   * Adds the entries that `decide` returns, and counts them for the computer that sent them. The team's row is locked
   * from before `decide` until they are committed, so numbers have no gaps, and none becomes visible before a smaller
   * one. Null if the team does not exist. `decide` reads memberships from a number on, and gets the hashes of
   * `numbers`.
   */
  append: (
    team: string,
    ids: readonly string[],
    adding: Adding,
    decide: (
      state: AppendState,
      readMemberships: (from: number) => Promise<NumberedEntry[]>,
    ) => Promise<readonly NewEntry[]>,
    numbers: readonly number[] = [],
  ): Promise<TeamHead | null> =>
    database.transaction(async (queries) => {
      await database.lockTeam(queries, team);
      const head = await readHeadRow(queries, team);
      if (head === null) return null;
      const knownNumbers = ids.length === 0 ? new Map() : await readKnown(queries, team, ids);
      const usage = await readUsage(queries, team, adding);
      const hashes = await readHashes(queries, team, numbers);
      const added = await decide({ head, known: knownNumbers, hashes, usage }, (from) =>
        readMembershipRows(queries, team, from),
      );
      const last = added.at(-1);
      if (last === undefined) return head;
      const stored = head.removal === 0 ? added : await withoutRemoved(queries, team, added);
      const membership = added.findLast(({ kind }) => kind === 'membership');
      const removal = added.findLast(({ removes }) => removes === true)?.number ?? head.removal;
      const next: TeamHead = {
        ...head,
        number: last.number,
        hash: last.hash,
        removal,
        ...(membership && { membership: membership.number, membershipHash: membership.hash }),
      };
      await addEntries(database, queries, team, stored, next, adding.computer);
      await addUsage(queries, team, adding, {
        bytes: added.reduce((sum, entry) => sum + countBytes(entry), 0),
        entries: added.length,
        memberships: added.filter(({ kind }) => kind === 'membership').length,
      });
      return next;
    }),

  readMemberships: (team: string, from: number): Promise<NumberedEntry[]> =>
    readMembershipRows(database, team, from),

  readUsage: (team: string, adding: Adding): Promise<Usage> => readUsage(database, team, adding),
  /** Counts the bytes of a part that was sent separately. */
  addPartBytes: (team: string, adding: Adding, bytes: number): Promise<void> =>
    addUsage(database, team, adding, { bytes, entries: 0, memberships: 0 }),
  /** Removes what is no longer needed: counts of earlier days, and removed content after its retention time. */
  async purge(now: number): Promise<void> {
    await database.all('DELETE FROM usage WHERE day < $1', [Math.floor(now / dayMs) - 1]);
    await database.purgeRemoved();
  },

  /** The requested entries after a number, with the parts that came with them. The last one may exceed `size.bytes`. */
  readEntries: (
    team: string,
    after: number,
    size: PageSize,
    selection: EntrySelection = 'all',
  ): Promise<NumberedEntry[]> => readPage(database, team, after, size, selection),

  async readEntry(team: string, id: string): Promise<{ number: number; header: string } | null> {
    return (await readKnown(database, team, [id])).get(id) ?? null;
  },
});
