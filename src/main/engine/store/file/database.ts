import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { DeskError, toDeskError } from '../../../lib/errors.ts';
import { checkStoreKey } from './key-check.ts';
import { sideFilesOf } from './side-files.ts';

export type Database = Sqlite.Database;
export type Statement = Sqlite.Statement<unknown[]>;

type OfDatabase = (database: Database, input: never) => unknown;
type InputOf<F extends OfDatabase> = F extends (database: Database) => unknown ? null : Parameters<F>[1];

/** Binds functions to a database, so that they take only their input (`null` for functions without one). */
export function bindTo<F extends Readonly<Record<string, OfDatabase>>>(database: Database, functions: F) {
  const bound = Object.entries(functions).map(([name, run]) => [
    name,
    (input: unknown) => run(database, input as never),
  ]);
  return Object.fromEntries(bound) as { [N in keyof F]: (input: InputOf<F[N]>) => ReturnType<F[N]> };
}

export interface DatabaseOptions {
  readonly isReadOnly?: boolean;
  /** Registers the SQL functions that indexes and queries of this file call. */
  readonly addFunctions?: ((database: Database, key: Uint8Array) => void) | undefined;
  /** The page size of a new file in bytes; an existing file keeps its page size. */
  readonly pageBytes?: number | undefined;
}

/** Runs each operation as `readSnapshot` does. */
export function inSnapshots<F extends object>(database: Database, operations: F): F {
  const all = Object.entries(operations) as [string, (input: unknown) => unknown][];
  const inOne = all.map(([name, run]) => [
    name,
    (input: unknown) => readSnapshot(database, () => run(input)),
  ]);
  return Object.fromEntries(inOne) as F;
}

/**
 * Reads in one transaction, which sees one state of the file. Its first statement loads the schema, so that an index
 * that another connection creates or drops later can't abort the read.
 */
export function readSnapshot<T>(database: Database, read: () => T): T {
  const readAll = database.transaction((): T => {
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return read();
  });
  return readInOneSchema(readAll);
}

/**
 * Opens an encrypted file. `key` is 32 bytes; a malformed raw key would silently become a passphrase and no key at
 * all would write plain text, so the length is asserted and the cipher is set before anything else. Sorts and
 * savepoints stay in memory: temporary files of SQLite are unlinked and would not be encrypted. Where the file has a key
 * check, a wrong key is reported before the file is touched, and an empty or missing file counts as
 * damaged instead of new.
 *
 * @throws DeskError `store.wrongKey`, `store.damaged`, `store.unreadable`, `disk.full`, `disk.readOnly`
 */
export function openDatabase(filePath: string, key: Uint8Array, options: DatabaseOptions = {}): Database {
  if (key.length !== 32) throw new DeskError('internal.fault', { details: { reason: 'key length' } });
  const judged = checkStoreKey(filePath, key);
  if (judged === 'wrong') throw new DeskError('store.wrongKey');
  if (judged === 'right' && !hasBytes(filePath)) throw new DeskError('store.damaged');
  const isReadOnly = options.isReadOnly === true;
  try {
    return readInOneSchema(() => openWith(filePath, key, options));
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? '';
    if (code === 'SQLITE_NOTADB')
      throw new DeskError(judged === 'right' ? 'store.damaged' : 'store.wrongKey', { cause: thrown });
    const cannotWrite = code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY');
    if (cannotWrite && isOnReadOnlyDisk(filePath)) {
      if (!isReadOnly) throw new DeskError('disk.readOnly', { cause: thrown });
      return openCopy(filePath, key, options);
    }
    // On a full disk, even the index of the log cannot be created.
    if (isReadOnly && toDeskError(thrown).code === 'disk.full') return openCopy(filePath, key, options);
    throw toDeskError(thrown);
  }
}

/**
 * Page cache of a connection. The writer accesses its indexes at random. Readers, of which there are up to five, read
 * sequentially, and a larger cache would not speed up any of their lists.
 */
const writerCacheKb = 32_768;
const readerCacheKb = 8_192;
/** The size of the log at which its pages are written to the file. */
const checkpointBytes = 65_536_000;

/** How long a statement waits for another connection. */
export const busyTimeoutMs = 5_000;

/**
 * Reads, and tries again if another connection created or dropped an index in between. SQLite itself prepares most
 * statements again, but statements that join a search index with its tables fail with `SQLITE_SCHEMA`.
 */
function readInOneSchema<T>(read: () => T): T {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return read();
    } catch (thrown) {
      if ((thrown as { code?: string }).code !== 'SQLITE_SCHEMA' || attempt === maxSchemaAttempts)
        throw thrown;
    }
  }
}
/** More than a sync creates and drops indexes while one read begins. */
const maxSchemaAttempts = 100;

function openWith(filePath: string, key: Uint8Array, options: DatabaseOptions): Database {
  const isReadOnly = options.isReadOnly === true;
  const database = new Sqlite(filePath, { readonly: isReadOnly, fileMustExist: isReadOnly });
  try {
    database.pragma("cipher='aegis'");
    if (options.pageBytes !== undefined && !isReadOnly && !hasBytes(filePath))
      database.pragma(`page_size=${options.pageBytes}`);
    database.pragma(`key="raw:${Buffer.from(key).toString('hex')}"`);
    database.pragma('temp_store=MEMORY');
    // The writer keeps references consistent itself; SQLite's checks would take a third of an ingest.
    database.pragma('foreign_keys=OFF');
    database.pragma(`busy_timeout=${busyTimeoutMs}`);
    database.pragma(`cache_size=-${isReadOnly ? readerCacheKb : writerCacheKb}`);
    if (!isReadOnly) {
      database.pragma('journal_mode=WAL');
      database.pragma('synchronous=NORMAL');
      const pageBytes = database.pragma('page_size', { simple: true }) as number;
      database.pragma(`wal_autocheckpoint=${checkpointBytes / pageBytes}`);
    } else database.pragma('query_only=ON');
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    options.addFunctions?.(database, key);
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

const hasBytes = (filePath: string): boolean => existsSync(filePath) && statSync(filePath).size > 0;

function isOnReadOnlyDisk(filePath: string): boolean {
  try {
    accessSync(dirname(filePath), constants.W_OK);
    return false;
  } catch (thrown) {
    return (thrown as { code?: string }).code === 'EROFS';
  }
}

/**
 * A file in WAL mode can't be opened where its log can't be created. It is then read from an encrypted copy in the
 * system's temporary folder, which is removed when the connection is closed.
 */
function openCopy(filePath: string, key: Uint8Array, options: DatabaseOptions): Database {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-read-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const copy = join(folder, basename(filePath));
    const log = sideFilesOf(filePath).log;
    copyFileSync(filePath, copy);
    if (existsSync(log)) copyFileSync(log, sideFilesOf(copy).log);
    const database = openWith(copy, key, { ...options, isReadOnly: true });
    const close = database.close.bind(database);
    database.close = () => {
      const closed = close();
      remove();
      return closed;
    };
    return database;
  } catch (thrown) {
    remove();
    throw toDeskError(thrown);
  }
}
