import { deserialize, serialize } from 'node:v8';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Database, openDatabase } from '../file/database.ts';
import { migrate } from '../file/migrate.ts';
import { removeDatabase } from '../file/side-files.ts';
import { ownRows, quote } from '../user-data/copy-own.ts';
import { removeUnusedTexts } from '../user-data/stored-events.ts';
import type { BackupFolder, Manifest, ManifestPart } from './backup-folder.ts';

/** How many rows a part has on average, and the largest number. */
const rowsPerPart = 1024;
const bytesPerPart = 4_000_000;

type Row = unknown[];
const statistics = 'sqlite_stat1';

/**
 * Cuts the rows of a table into parts. Where a part ends depends on the row alone, so that a row that is added or removed
 * changes one part.
 */
function* cutRows(database: Database, table: string): Generator<Row[]> {
  const columns = database.pragma(`main.table_info(${quote(table)})`) as { name: string; pk: number }[];
  const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const order = keys.length > 0 ? keys.map(({ name }) => quote(name)).join(', ') : 'rowid';
  const places = keys.map(({ name }) => columns.findIndex((column) => column.name === name));
  const rows = database
    .prepare(`SELECT * FROM main.${quote(table)} WHERE ${ownRows(table)} ORDER BY ${order}`)
    .safeIntegers()
    .raw()
    .iterate() as IterableIterator<Row>;
  let some: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    some.push(row);
    for (const value of row)
      bytes += typeof value === 'string' || Buffer.isBuffer(value) ? value.length + 5 : 9;
    const isEnd =
      keys.length > 0 && crc32(places.map((place) => String(row[place])).join('/')) % rowsPerPart === 0;
    if (!isEnd && bytes < bytesPerPart) continue;
    yield some;
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield some;
}

/**
 * Copies the user data into parts of a backup, without what colleagues wrote and a team's server has (`copyOwn`).
 * Called in one transaction.
 */
export function writeRows(
  database: Database,
  put: (bytes: Uint8Array) => ManifestPart,
): Pick<Manifest, 'userVersion' | 'schema' | 'tables'> {
  const schema = database
    .prepare(
      "SELECT type, name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
    )
    .all() as Manifest['schema'];
  const names = schema.flatMap(({ type, name }) => (type === 'table' ? [name] : []));
  const tables = [...names, statistics].map((name) => ({
    name,
    parts: [...cutRows(database, name)].map((rows) => put(deflateRawSync(serialize(rows)))),
  }));
  const userVersion = database.pragma('main.user_version', { simple: true }) as number;
  return { userVersion, schema, tables };
}

/**
 * Restores the user data file of a backup at `path`, migrates it to the newest version, and runs `finish` on it. Its
 * events lose their positions in a team's log, which belong to the computer that made the backup.
 * @throws DeskError `backup.*`, `store.newer`, `disk.*`
 */
export function readRows<T>(
  { path, key }: { path: string; key: Uint8Array },
  manifest: Manifest,
  folder: Pick<BackupFolder, 'readPart'>,
  finish: (database: Database) => T,
): T {
  removeDatabase(path);
  const database = openDatabase(path, key);
  try {
    const make = (type: string): void => {
      for (const entry of manifest.schema) if (entry.type === type) database.exec(entry.sql);
    };
    const putAll = database.transaction(() => {
      make('table');
      database.exec('ANALYZE views; DELETE FROM sqlite_stat1;');
      for (const { name, parts } of manifest.tables)
        for (const part of parts) {
          const rows = deserialize(inflateRawSync(folder.readPart(part))) as Row[];
          const marks = (rows[0] ?? []).map(() => '?').join(', ');
          const insert = database.prepare(`INSERT INTO ${quote(name)} VALUES (${marks})`);
          for (const row of rows) insert.run(row);
        }
      for (const type of ['index', 'view', 'trigger']) make(type);
      database.pragma(`user_version=${manifest.userVersion}`);
    });
    putAll.immediate();
    migrate(database, 'userData');
    database.exec(
      'UPDATE stored_events SET number=NULL, seen=NULL WHERE number IS NOT NULL OR seen IS NOT NULL',
    );
    database.exec(removeUnusedTexts());
    const finished = finish(database);
    database.pragma('wal_checkpoint(TRUNCATE)');
    return finished;
  } finally {
    database.close();
  }
}
