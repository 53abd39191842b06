import type { StoreCheck, StoreProgress } from '../../../../contract/store.ts';
import type { Connection } from './connection.ts';

/** Whether every page that the file uses can be read and its structure is consistent. */
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

/** Tables that are checked one by one; tables behind a search index are checked with it. */
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
 * Checks a file. Quick: each page of each table, table by table, so that no long read transaction keeps the log from
 * being emptied. Full: each table with its indexes against it, then the pages of the whole file, and what `countMore`
 * finds. `onProgress` counts tables, and the whole file as one more.
 */
export function checkFile(
  connection: Connection,
  isFull: boolean,
  countMore: () => number = () => 0,
  onProgress: (progress: StoreProgress) => void = () => undefined,
): StoreCheck {
  const startedMs = Date.now();
  let problems = 0;
  try {
    const tables = listTables(connection);
    const of = tables.length + (isFull ? 1 : 0);
    for (const [done, table] of tables.entries()) {
      onProgress({ doing: 'checkingFile', done, of });
      problems += countPageProblems(connection, isFull ? 'integrity_check' : 'quick_check', table);
    }
    if (isFull) {
      onProgress({ doing: 'checkingFile', done: tables.length, of });
      problems += countPageProblems(connection, 'quick_check');
      problems += countMore();
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
