import type { StoreCheck, StoreFile } from '../../../contract/store.ts';
import type { Connection } from './connection.ts';
import { prepareRecord } from './prepare-page.ts';
import { createRecordReader } from './record-reader.ts';

/** Whether every page that the file uses can be read and hangs together. */
export function isSound(connection: Connection): boolean {
  return countPageProblems(connection, 'quick_check') === 0;
}

function countPageProblems(
  connection: Connection,
  check: 'quick_check' | 'integrity_check',
  table = '',
): number {
  try {
    const rows = connection.pragma(table === '' ? check : `${check}("${table}")`) as Record<string, string>[];
    const texts = rows.map((row) => Object.values(row)[0] ?? '');
    return texts.length === 1 && texts[0] === 'ok' ? 0 : texts.length;
  } catch {
    return 1;
  }
}

/** Tables that are checked one by one; those that stand behind a search index are checked with it. */
function listTables(connection: Connection): string[] {
  return connection
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND name NOT GLOB '*_text_*'`,
    )
    .pluck()
    .all() as string[];
}

/**
 * Checks a file. Quick: each page of each table, table by table, so that no long reading keeps the log from
 * being emptied. Full: the whole file, indexes against tables, and each record against its digest.
 */
export function checkFile(connection: Connection, file: StoreFile, isFull: boolean): StoreCheck {
  const startedMs = Date.now();
  let problems = 0;
  try {
    for (const table of listTables(connection))
      problems += countPageProblems(connection, 'quick_check', table);
    if (isFull) {
      problems += countPageProblems(connection, 'integrity_check');
      if (file === 'theirs') problems += countBrokenRecords(connection);
    }
  } catch {
    problems += 1;
  }
  return {
    at: new Date().toISOString(),
    isFull,
    isSound: problems === 0,
    problems,
    seconds: (Date.now() - startedMs) / 1000,
  };
}

/** Records that cannot be read whole, or are not what their digest says. */
function countBrokenRecords(connection: Connection): number {
  const records = createRecordReader(connection);
  let broken = 0;
  for (const kind of ['members', 'claims'] as const) {
    const rows = connection.prepare(`SELECT id, digest FROM ${kind}`).all() as {
      id: number;
      digest: Buffer;
    }[];
    for (const { id, digest } of rows) {
      try {
        const found = records[kind](id);
        if (found === null || !digest.equals(prepareRecord(kind, id, found.record).digest)) broken += 1;
      } catch {
        broken += 1;
      }
    }
  }
  return broken;
}
