import { existsSync } from 'node:fs';
import { mkdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { olderDatabase, type Queries, StoreError, type TeamDatabase, type Value } from './database.ts';
import { countBytes, insertParts, insertRows, insertTags } from './insert-rows.ts';
import { removeInSqlite, schemaNumber, sqliteTables } from './schema.ts';

/** How long a transaction waits for one of another process on the same file, and how often it tries. */
const busyMs = 5_000;
const tryAgainMs = 10;

const toStoreError = (thrown: unknown): unknown => {
  const code = String((thrown as { code?: unknown } | null)?.code ?? '');
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return new StoreError('store.full', thrown);
  return /^SQLITE_(BUSY|IOERR|READONLY|CANTOPEN)/.test(code)
    ? new StoreError('store.unavailable', thrown)
    : thrown;
};

/** A connection that prepares each statement once. */
function connect(file: string) {
  const connection = new Sqlite(file, { timeout: busyMs });
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  // The content that a removal deletes is overwritten.
  connection.pragma('secure_delete = ON');
  const prepared = new Map<string, Sqlite.Statement>();
  const prepare = (sql: string): Sqlite.Statement => {
    const statement = prepared.get(sql) ?? connection.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const all = async <Row extends object>(sql: string, values: readonly Value[] = []): Promise<Row[]> => {
    try {
      const statement = prepare(sql);
      const named = Object.fromEntries(values.map((value, index) => [index + 1, value]));
      if (statement.reader) return statement.all(named) as Row[];
      statement.run(named);
      return [];
    } catch (thrown) {
      throw toStoreError(thrown);
    }
  };
  return { connection, all };
}

/** Opens the file of a team server in a folder and brings it up to date. Creates the folder if it is missing. */
export async function openSqliteDatabase(folder: string): Promise<TeamDatabase> {
  if (!existsSync(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'team-server.db');
  const writer = connect(file);
  makeTables(writer.connection);
  // A separate connection, so that it does not read what a transaction has not committed.
  const reader = connect(file);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
  // If SQLite waited, it would block this thread and every request.
  writer.connection.pragma('busy_timeout = 0');
  const begin = async (until = performance.now() + busyMs): Promise<void> => {
    try {
      await writer.all('BEGIN IMMEDIATE');
    } catch (thrown) {
      if (!(thrown instanceof StoreError) || performance.now() > until) throw thrown;
      await wait(tryAgainMs);
      await begin(until);
    }
  };
  /** Whether the write-ahead log may still contain content that a removal deleted. */
  let isLogDue = false;
  const emptyLog = (): void => {
    const [result] = writer.connection.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    isLogDue = result.busy !== 0;
  };
  const transaction = <Result>(run: (queries: Queries) => Promise<Result>): Promise<Result> =>
    inTurn(async () => {
      await begin();
      try {
        const result = await run({ all: writer.all });
        await writer.all('COMMIT');
        if (isLogDue) emptyLog();
        return result;
      } catch (thrown) {
        if (writer.connection.inTransaction) await writer.all('ROLLBACK');
        throw thrown;
      }
    });
  return {
    all: (sql, values) =>
      /^\s*(SELECT|WITH)\b/.test(sql)
        ? reader.all(sql, values)
        : transaction((queries) => queries.all(sql, values)),
    transaction,
    // Transactions exclude each other.
    lockTeam: async () => undefined,
    async addEntries(queries, team, entries, { number, hash, membership, removal }, computer) {
      await insertRows(
        queries,
        'entries (team, number, id, kind, hash, bytes, header, signature, head)',
        entries.map((entry): Value[] => [
          ...[team, entry.number, entry.id, entry.kind, entry.hash],
          ...[countBytes(entry), entry.header, entry.signature, entry.head],
        ]),
      );
      await insertTags(queries, team, entries);
      await insertParts(queries, team, entries, computer);
      for (const entry of entries) {
        if (entry.removes !== true) continue;
        for (const statement of removeInSqlite) await queries.all(statement, [team, entry.number]);
        isLogDue = true;
      }
      await queries.all(
        'UPDATE teams SET number = $2, hash = $3, membership = $4, removal = $5 WHERE team = $1',
        [team, number, hash, membership, removal],
      );
    },
    async addArrival(queries, team, number, part, computer) {
      await queries.all('UPDATE teams SET parts = parts + 1 WHERE team = $1', [team]);
      await queries.all(
        `UPDATE parts SET arrival = (SELECT parts FROM teams WHERE team = $1)
         WHERE team = $1 AND number = $2 AND part = $3 AND computer = $4`,
        [team, number, part, computer],
      );
    },
    purgeRemoved: async () => undefined,
    async measure() {
      const [{ size }, disk] = await Promise.all([stat(file), statfs(folder)]);
      return { usedBytes: size, freeBytes: disk.bavail * disk.bsize };
    },
    forgetDeleted: () =>
      inTurn(async () => {
        // If another process is reading, this is done next time.
        writer.connection.pragma('wal_checkpoint(TRUNCATE)');
      }),
    notify: async () => undefined,
    onNotified: async () => undefined,
    async close() {
      await last;
      reader.connection.close();
      writer.connection.close();
    },
  };
}

function makeTables(connection: Sqlite.Database): void {
  connection
    .transaction(() => {
      const isNew =
        connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").get() === undefined;
      if (isNew) {
        for (const statement of sqliteTables) connection.exec(statement);
        connection.prepare('INSERT INTO migrations VALUES ($1)').run({ 1: schemaNumber });
      } else if (
        (connection.prepare('SELECT max(number) FROM migrations').pluck().get() as number) < schemaNumber
      )
        throw olderDatabase();
    })
    .immediate();
}
