import { firstChainHash } from '../../team-protocol/chain.ts';
import type { Entry, EntryKind } from '../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../team-protocol/frame.ts';
import type { Database, Queries, Value } from './database.ts';

/** How many rows one INSERT has at most. */
const maxInsertRows = 200;

/**
 * The counters of a team: the newest number and hash, the numbers of the newest membership and removal, and the parts that
 * came later.
 */
export interface TeamHead {
  readonly number: number;
  readonly hash: string;
  readonly membership: number;
  readonly removal: number;
  readonly parts: number;
}

export interface NewEntry extends NumberedEntry {
  readonly id: string;
  readonly kind: EntryKind;
  /** Whether it removes content of others. */
  readonly removes?: boolean;
}

interface KnownEntry {
  readonly number: number;
  readonly hash: string;
  readonly header: string;
  readonly signature: Uint8Array;
}

/** What is decided about new entries while the team's row is locked. */
export interface AppendState {
  readonly head: TeamHead;
  readonly known: ReadonlyMap<string, KnownEntry>;
  /** The memberships after the one that the caller asked for. */
  readonly memberships: readonly NumberedEntry[];
}

export interface PageSize {
  readonly count: number;
  readonly bytes: number;
}

interface EntryRow {
  readonly number: number;
  readonly hash: string;
  readonly header: string;
  readonly signature: Uint8Array;
  readonly head: Uint8Array;
}

const placeholders = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ');

async function insertRows(
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

const countBytes = ({ header, head, parts }: Entry): number =>
  Buffer.byteLength(header) + head.length + parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);

async function insertEntries(queries: Queries, team: string, entries: readonly NewEntry[]): Promise<void> {
  await insertRows(
    queries,
    'entries (team, number, id, kind, hash, bytes, header, signature, head)',
    entries.map((one): Value[] => [
      ...[team, one.number, one.id, one.kind, one.hash],
      ...[countBytes(one), one.header, one.signature, one.head],
    ]),
  );
  await insertRows(
    queries,
    'parts (team, number, part, with_entry, content)',
    entries.flatMap(({ number, parts }) =>
      parts.flatMap((content, part): Value[][] =>
        content === null ? [] : [[team, number, part, 1, content]],
      ),
    ),
  );
}

const headColumns = 'number, hash, membership, removal, parts';

export async function readHeadRow(queries: Queries, team: string, ending = ''): Promise<TeamHead | null> {
  const [row] = await queries.all<TeamHead>(`SELECT ${headColumns} FROM teams WHERE team = $1${ending}`, [
    team,
  ]);
  return row ?? null;
}

async function readKnown(queries: Queries, team: string, ids: readonly string[]) {
  const rows = await queries.all<KnownEntry & { id: string }>(
    `SELECT id, number, hash, header, signature FROM entries WHERE team = $1 AND id IN (${placeholders(ids.length, 2)})`,
    [team, ...ids],
  );
  return new Map<string, KnownEntry>(rows.map((row) => [row.id, row]));
}

/** Leaves out the content of entries that was removed before they came. */
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
  return entries.map((one) => {
    if (!removed.has(one.id) || one.kind === 'membership') return one;
    // Of a removal its head and its statement stay.
    const isEvent = one.kind === 'event';
    const parts = one.parts.map((part, index) => (isEvent || index > 0 ? null : part));
    return { ...one, head: isEvent ? Buffer.alloc(0) : one.head, parts };
  });
}

async function readMembershipRows(queries: Queries, team: string, after: number): Promise<NumberedEntry[]> {
  const rows = await queries.all<EntryRow>(
    `SELECT number, hash, header, signature, head FROM entries
     WHERE team = $1 AND kind = 'membership' AND number > $2 ORDER BY number`,
    [team, after],
  );
  return rows.map((row) => ({ ...row, parts: [] }));
}

async function readPage(
  queries: Queries,
  team: string,
  after: number,
  { count, bytes }: PageSize,
  isMembers: boolean,
): Promise<NumberedEntry[]> {
  const rows = await queries.all<EntryRow>(
    `WITH page AS (
       SELECT number, sum(bytes) OVER (ORDER BY number) - bytes AS before
       FROM (SELECT number, bytes FROM entries
             WHERE team = $1 AND number > $2 ${isMembers ? "AND kind = 'membership'" : ''}
             ORDER BY number LIMIT $3) AS first_ones
     )
     SELECT entries.number, hash, header, signature, head
     FROM entries JOIN page ON page.number = entries.number
     WHERE team = $1 AND before < $4 ORDER BY entries.number`,
    [team, after, count, bytes],
  );
  // Memberships have no parts.
  if (isMembers) return rows.map((row) => ({ ...row, parts: [] }));
  const last = rows.at(-1)?.number ?? after;
  const parts = await queries.all<{ number: number; part: number; content: Uint8Array }>(
    `SELECT number, part, content FROM parts
     WHERE team = $1 AND number > $2 AND number <= $3 AND with_entry = 1`,
    [team, after, last],
  );
  const found = new Map(parts.map(({ number, part, content }) => [`${number}.${part}`, content]));
  return rows.map((row) => {
    const { parts: announced } = JSON.parse(row.header) as { parts: unknown[] };
    return { ...row, parts: announced.map((_, part) => found.get(`${row.number}.${part}`) ?? null) };
  });
}

/** Teams and their entries. Times are milliseconds since 1970. */
export function createEntryStore(database: Database) {
  const takeNumbers = async (
    queries: Queries,
    team: string,
    { number, hash, membership, removal }: Omit<TeamHead, 'parts'>,
  ): Promise<void> => {
    await queries.all(
      'UPDATE teams SET number = $2, hash = $3, membership = $4, removal = $5 WHERE team = $1',
      [team, number, hash, membership, removal],
    );
    await database.notify(queries, team);
  };

  return {
    /** Makes a team of its first entry, with a set-up code that is neither used nor expired. */
    createTeam: (
      setupCode: string,
      team: string,
      first: NewEntry,
      now: number,
    ): Promise<'created' | 'codeInvalid' | 'exists'> =>
      database.transaction(async (queries) => {
        const isThere = async () => (await readHeadRow(queries, team)) !== null;
        if (await isThere()) {
          const known = (await readKnown(queries, team, [first.id])).get(first.id);
          return known?.header === first.header ? 'created' : 'exists';
        }
        const [code] = await queries.all('SELECT 1 FROM setup_codes WHERE digest = $1 AND expires_at > $2', [
          ...[setupCode, now],
        ]);
        if (code === undefined) return 'codeInvalid';
        const [made] = await queries.all(
          `INSERT INTO teams (team, setup_code, number, hash, membership, parts) VALUES ($1, $2, 0, $3, 0, 0)
           ON CONFLICT DO NOTHING RETURNING team`,
          [team, setupCode, firstChainHash],
        );
        if (made === undefined) return (await isThere()) ? 'exists' : 'codeInvalid';
        await insertEntries(queries, team, [first]);
        await takeNumbers(queries, team, {
          number: first.number,
          hash: first.hash,
          membership: first.number,
          removal: 0,
        });
        return 'created';
      }),

    readHead: (team: string): Promise<TeamHead | null> => readHeadRow(database, team),

    /**
     * Adds the entries that `decide` returns. The team's row is locked from before `decide` until they are committed, so
     * numbers have no gaps, and none becomes visible before a smaller one. Null where there is no such team.
     */
    append: (
      team: string,
      ids: readonly string[],
      membersAfter: number,
      decide: (state: AppendState) => readonly NewEntry[],
    ): Promise<TeamHead | null> =>
      database.transaction(async (queries) => {
        const head = await readHeadRow(queries, team, database.forUpdate);
        if (head === null) return null;
        const known = ids.length === 0 ? new Map() : await readKnown(queries, team, ids);
        const memberships =
          head.membership > membersAfter ? await readMembershipRows(queries, team, membersAfter) : [];
        const added = decide({ head, known, memberships });
        const last = added.at(-1);
        if (last === undefined) return head;
        const stored = head.removal === 0 ? added : await withoutRemoved(queries, team, added);
        await insertEntries(queries, team, stored);
        for (const { kind, number } of added)
          if (kind === 'removal') await database.removeContent(queries, team, number);
        const membership = added.findLast(({ kind }) => kind === 'membership')?.number ?? head.membership;
        const removal = added.findLast(({ removes }) => removes === true)?.number ?? head.removal;
        const next = { ...head, number: last.number, hash: last.hash, membership, removal };
        await takeNumbers(queries, team, next);
        return next;
      }),

    readMemberships: (team: string, after: number): Promise<NumberedEntry[]> =>
      readMembershipRows(database, team, after),

    /**
     * The entries after a number, or the memberships among them, with the parts that came with them. The last one may
     * exceed `size.bytes`.
     */
    readEntries: (team: string, after: number, size: PageSize, isMembers = false): Promise<NumberedEntry[]> =>
      readPage(database, team, after, size, isMembers),

    async readEntry(team: string, id: string): Promise<{ number: number; header: string } | null> {
      return (await readKnown(database, team, [id])).get(id) ?? null;
    },
  };
}
