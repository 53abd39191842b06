import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { type Database, type Queries, StoreError, type Value } from './database.ts';
import { migrations, removeContent } from './migrations.ts';

/** How long a transaction waits for that of another process on the same file, and how often it tries. */
const busyMs = 5_000;
const tryAgainMs = 10;

const toStoreError = (thrown: unknown): unknown => {
  const code = String((thrown as { code?: unknown } | null)?.code ?? '');
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return new StoreError('store.full', thrown);
  return /^SQLITE_(BUSY|IOERR|READONLY|CANTOPEN)/.test(code)
    ? new StoreError('store.unavailable', thrown)
    : thrown;
};

/** One connection, whose statements are prepared once. */
function connect(file: string) {
  const connection = new Sqlite(file, { timeout: busyMs });
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  // What a removal deletes is overwritten.
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

/** Opens the file of a team server in a folder, which is made where it is missing, and brings it up to date. */
export async function openSqliteDatabase(folder: string): Promise<Database> {
  if (!existsSync(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'team-server.db');
  const writer = connect(file);
  migrate(writer.connection);
  // A connection of its own, so that it does not read what a transaction has not committed.
  const reader = connect(file);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
  // SQLite's own waiting would block this thread, and so every request.
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
  /** Whether the write-ahead log may still have content that a removal deleted. */
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
    forUpdate: '',
    async removeContent(queries, team, removal) {
      for (const statement of removeContent('sqlite')) await queries.all(statement, [team, removal]);
      isLogDue = true;
    },
    forgetDeleted: () =>
      inTurn(async () => {
        // Where another process is reading, it is left for the next time.
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

function migrate(connection: Sqlite.Database): void {
  connection
    .transaction(() => {
      const isNew =
        connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").get() === undefined;
      const done = isNew
        ? 0
        : (connection.prepare('SELECT max(number) FROM migrations').pluck().get() as number);
      for (const { number, statements } of migrations.filter((one) => one.number > done)) {
        for (const statement of statements) connection.exec(statement);
        connection.prepare('INSERT INTO migrations VALUES ($1)').run({ 1: number });
      }
    })
    .immediate();
}
