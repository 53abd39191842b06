import Database from 'better-sqlite3-multiple-ciphers';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { hasWords } from './text-index.ts';

export type Connection = Database.Database;

/**
 * Opens an encrypted file. `key` is 32 bytes; a malformed raw key would silently become a passphrase and no
 * key at all would write plain text, so the length is asserted and the cipher is set before anything else.
 * Sorts and savepoints stay in memory: temporary files of SQLite are unlinked and would not be encrypted.
 *
 * @throws DeskError `store.wrongKey` or `store.damaged` (a flipped byte in page 1 looks like a wrong key),
 *   `store.unreadable`, `disk.full`
 */
export function openConnection(
  filePath: string,
  key: Uint8Array,
  options: { isReadOnly?: boolean } = {},
): Connection {
  if (key.length !== 32) throw new DeskError('internal.fault', { details: { reason: 'key length' } });
  let connection: Connection | undefined;
  try {
    connection = new Database(filePath, {
      readonly: options.isReadOnly === true,
      fileMustExist: options.isReadOnly === true,
    });
    connection.pragma("cipher='aegis'");
    connection.pragma(`key="raw:${Buffer.from(key).toString('hex')}"`);
    connection.pragma('temp_store=MEMORY');
    // The writer keeps references right by itself; looking each one up again costs a third of an ingest.
    connection.pragma('foreign_keys=OFF');
    connection.pragma('busy_timeout=5000');
    connection.pragma('cache_size=-65536');
    if (options.isReadOnly !== true) {
      connection.pragma('journal_mode=WAL');
      connection.pragma('synchronous=NORMAL');
      connection.pragma('wal_autocheckpoint=4000');
    } else connection.pragma('query_only=ON');
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    connection.function('has_words', { deterministic: true, varargs: true }, (search, ...texts) =>
      Number(hasWords(String(search), texts as (string | null)[])),
    );
    return connection;
  } catch (thrown) {
    connection?.close();
    if ((thrown as { code?: string }).code === 'SQLITE_NOTADB')
      throw new DeskError('store.wrongKey', { cause: thrown });
    throw toDeskError(thrown);
  }
}
