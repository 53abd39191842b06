/// <reference path="./pg.d.ts" />
import { setTimeout as wait } from 'node:timers/promises';
import { Client, Pool, types } from 'pg';
import { olderDatabase, type Queries, StartError, StoreError, type TeamDatabase } from './database.ts';
import { countBytes, insertParts } from './insert-rows.ts';
import { postgresStatements, schemaNumber, serverRole } from './schema.ts';

const maxConnections = 10;
const connectMs = 5_000;
/** How long one statement may take. */
const statementMs = 30_000;
const listenAgainMs = 5_000;
const channel = 'claimdesk_team';

const bigintOid = 20;
// Numbers of entries and times in milliseconds are far below 2^53.
types.setTypeParser(bigintOid, Number);

/**
 * The classes of SQLSTATE that are temporary: connection, transaction rolled back, resources, object in use, operator.
 */
const passing = /^(08|40|53|55|57)/;

const toStoreError = (thrown: unknown): unknown => {
  if (thrown instanceof StoreError || thrown instanceof StartError) return thrown;
  const { code } = thrown as { code?: unknown };
  if (code === '53100') return new StoreError('store.full', thrown);
  // Errors of the connection itself have a code of the system, or none.
  const isState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);
  const isOfPackage =
    thrown instanceof Error && !(thrown instanceof TypeError || thrown instanceof RangeError);
  return (isState ? passing.test(code) : isOfPackage) ? new StoreError('store.unavailable', thrown) : thrown;
};

/** Refuses a role that may change or remove stored entries, or change tables. @throws StartError */
async function requireRole(queries: Queries): Promise<void> {
  const [role] = await queries.all<{ superuser: boolean; bypasses: boolean; owns: boolean }>(
    `SELECT rolsuper AS superuser, rolbypassrls AS bypasses, (
       pg_has_role(current_user, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'MEMBER')
       OR EXISTS (
         SELECT 1 FROM pg_class
         WHERE relnamespace = current_schema()::regnamespace AND pg_has_role(current_user, relowner, 'MEMBER')
       )
     ) AS owns
     FROM pg_roles WHERE rolname = current_user`,
  );
  if (role?.superuser !== false)
    throw new StartError('role.superuser', `Sign in as ${serverRole}, not as a superuser.`);
  if (role.bypasses) throw new StartError('role.bypassesRls', `Sign in as ${serverRole}, without BYPASSRLS.`);
  if (role.owns)
    throw new StartError('role.owner', `Sign in as ${serverRole}, not as the owner of the tables.`);
}

/** @throws StartError */
async function requireMigrated(queries: Queries): Promise<void> {
  const [table] = await queries.all<{ name: string | null }>(
    "SELECT to_regclass('migrations')::text AS name",
  );
  const [done] =
    (table?.name ?? null) === null
      ? []
      : await queries.all<{ number: number | null }>('SELECT max(number) AS number FROM migrations');
  const number = done?.number ?? 0;
  if (number > 0 && number < schemaNumber) throw olderDatabase();
  if (number === 0)
    throw new StartError(
      'database.notMigrated',
      'Run claimdesk team-server migrate as the owner of the database.',
    );
}

/**
 * Adds the password to the address, because `pg` takes it only from there. The combined address stays in this process.
 */
function settingsOf(address: string, password: string) {
  const url = new URL(address);
  url.password = encodeURIComponent(password);
  return {
    connectionString: url.href,
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    application_name: 'claimdesk team-server',
  };
}

/** Connects as the server's role. @throws StartError */
export async function openPostgresDatabase(address: string, password = ''): Promise<TeamDatabase> {
  const settings = settingsOf(address, password);
  const pool = new Pool({ ...settings, max: maxConnections });
  // A connection that breaks while idle is replaced at the next use.
  pool.on('error', () => undefined);
  const queriesOf = (source: Pick<Pool, 'query'>): Queries => ({
    async all(sql, values) {
      try {
        return (await source.query(sql, values)).rows as never;
      } catch (thrown) {
        throw toStoreError(thrown);
      }
    },
  });
  const queries = queriesOf(pool);
  try {
    await requireRole(queries);
    await requireMigrated(queries);
  } catch (thrown) {
    await pool.end();
    throw thrown;
  }
  const closing = new AbortController();
  return {
    ...queries,
    async transaction(run) {
      const client = await pool.connect().catch((thrown: unknown) => {
        throw toStoreError(thrown);
      });
      client.on('error', ignore);
      try {
        const within = queriesOf(client);
        // A process that hangs, or cannot be reached, must not keep a team's row locked.
        await within.all(
          "BEGIN; SET LOCAL lock_timeout = '10s'; SET LOCAL idle_in_transaction_session_timeout = '20s'",
        );
        const result = await run(within);
        await within.all('COMMIT');
        client.release();
        return result;
      } catch (thrown) {
        // Closing the connection rolls back, even if it is broken.
        client.release(true);
        throw thrown;
      } finally {
        client.off('error', ignore);
      }
    },
    async lockTeam(within, team) {
      await within.all('SELECT lock_team($1)', [team]);
    },
    async addEntries(within, team, entries, _after, computer) {
      // A removal must follow the parts that it removes.
      for (const some of splitBefore(entries, ({ kind }) => kind === 'removal')) {
        await within.all('SELECT add_entries($1, $2, $3, $4, $5, $6)', [
          ...[team, some.at(-1)?.hash ?? '', some.map(({ header }) => header)],
          ...[some.map(({ signature }) => signature), some.map(({ head }) => head), some.map(countBytes)],
        ]);
        await insertParts(within, team, some, computer);
      }
    },
    async addArrival(within, team, number, part, computer) {
      await within.all('SELECT add_arrival($1, $2, $3, $4)', [team, number, part, computer]);
    },
    async purgeRemoved() {
      await queries.all('SELECT purge_removed()');
    },
    async measure() {
      const [size] = await queries.all<{ bytes: number }>(
        'SELECT pg_database_size(current_database()) AS bytes',
      );
      return { usedBytes: size?.bytes ?? 0, freeBytes: null };
    },
    // Leases are not in the write-ahead log, and there is nothing else to forget.
    forgetDeleted: async () => undefined,
    async notify(within, team) {
      await within.all('SELECT pg_notify($1, $2)', [channel, team]);
    },
    onNotified: async (listener) => void listen(settings, listener, closing.signal),
    async close() {
      closing.abort();
      await pool.end();
    },
  };
}

/** Splits a list before each element that is `first`. */
function splitBefore<One>(list: readonly One[], isFirst: (element: One) => boolean): One[][] {
  const split: One[][] = [];
  for (const element of list) {
    const last = split.at(-1);
    if (last === undefined || isFirst(element)) split.push([element]);
    else last.push(element);
  }
  return split;
}

const ignore = (): void => undefined;

/** Keeps one connection that listens, and replaces it when it breaks. */
async function listen(
  settings: ReturnType<typeof settingsOf>,
  listener: (team: string) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const client = new Client(settings);
    const broken = new Promise<void>((resolve) => {
      client.on('error', resolve);
      client.on('end', resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    client.on('notification', ({ payload }: { payload?: string }) => listener(payload ?? ''));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      await broken;
    } catch {
      // Not needed: a timer also checks the heads.
    }
    await client.end().catch(ignore);
    await wait(listenAgainMs, undefined, { signal }).catch(ignore);
  }
}

/** Brings the tables up to date, as the owner of the database. Returns the numbers of the migrations that ran. */
export async function migratePostgres(address: string, password = ''): Promise<number[]> {
  const client = new Client(settingsOf(address, password));
  client.on('error', ignore);
  await client.connect();
  try {
    await client.query('BEGIN');
    // If two migrations start at once, they run one after the other.
    await client.query('SELECT pg_advisory_xact_lock($1)', [0x63_6c_64_6b]);
    const { rows } = await client.query<{ name: string | null }>(
      "SELECT to_regclass('migrations')::text AS name",
    );
    const done =
      (rows[0]?.name ?? null) === null
        ? 0
        : ((await client.query<{ number: number }>('SELECT max(number) AS number FROM migrations')).rows[0]
            ?.number ?? 0);
    if (done > 0 && done < schemaNumber) throw olderDatabase();
    if (done === 0) {
      for (const statement of postgresStatements) await client.query(statement);
      await client.query('INSERT INTO migrations VALUES ($1)', [schemaNumber]);
    }
    await client.query('COMMIT');
    return done === 0 ? [schemaNumber] : [];
  } finally {
    await client.end();
  }
}
