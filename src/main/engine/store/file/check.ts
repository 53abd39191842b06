import type { StoreCheck, StoreProgress } from '../../../../contract/store.ts';
import { countIndexProblems, listIndexes } from './compare-index.ts';
import { type Database, readSnapshot } from './database.ts';
import { arePackedValuesWhole } from './packed-values.ts';

/** Whether every page that the file uses can be read and its structure is consistent. */
export function isSound(
  database: Database,
  onProgress: (progress: StoreProgress) => void = () => undefined,
): boolean {
  try {
    const tables = listTables(database, true);
    for (const [done, table] of tables.entries()) {
      onProgress({ doing: 'checkingBackup', done, of: tables.length + 1 });
      if (countStructureProblems(database, table) > 0) return false;
    }
    onProgress({ doing: 'checkingBackup', done: tables.length, of: tables.length + 1 });
    return countPageProblems(database) === 0;
  } catch {
    return false;
  }
}

function countStructureProblems(database: Database, table: string): number {
  const rows = database.pragma(`quick_check("${table}")`) as Record<string, string>[];
  const texts = rows.map((row) => Object.values(row)[0] ?? '');
  const problems = texts.length === 1 && texts[0] === 'ok' ? 0 : texts.length;
  return problems + (table === 'review_event_claims' ? countDamagedValues(database) : 0);
}

/** Counts stored values of claims whose checksum is wrong; before version 7 of the file they are plain text. */
function countDamagedValues(database: Database): number {
  const packed = database
    .prepare("SELECT reviewed FROM review_event_claims WHERE typeof(reviewed)='blob'")
    .pluck()
    .iterate() as IterableIterator<Buffer>;
  let damaged = 0;
  for (const one of packed) if (!arePackedValuesWhole(one)) damaged += 1;
  return damaged;
}

/** The page with this byte is never used, because SQLite locks the file by it. */
const lockByte = 0x4000_0000;

/** Counts pages that two parts of the file use, and those that no part uses and that are not free either. */
function countPageProblems(database: Database): number {
  return database.transaction(() => {
    const numberOf = (name: string): number => database.pragma(name, { simple: true }) as number;
    const pages = numberOf('page_count');
    const lockPage = lockByte / numberOf('page_size') + 1;
    const isUsed = new Uint8Array(pages + 1);
    let problems = 0;
    const used = database.prepare('SELECT pageno FROM dbstat').pluck().iterate();
    for (const page of used as IterableIterator<number>) {
      if (isUsed[page] !== 0) problems += 1;
      isUsed[page] = 1;
    }
    const count = isUsed.reduce((sum, one) => sum + one, 0) + (pages >= lockPage ? 1 : 0);
    return problems + Math.abs(pages - numberOf('freelist_count') - count);
  })();
}

/**
 * Tables that are checked one by one. SQLite checks the tables of a search index together with it; their own structure
 * is checked only in a full check.
 */
function listTables(database: Database, isFull: boolean): string[] {
  return database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND (? OR name NOT GLOB '*_text_*')`,
    )
    .pluck()
    .all(Number(isFull)) as string[];
}

/** The parts of a check; each counts its problems. */
function listParts(database: Database, isFull: boolean): (() => number)[] {
  const parts = listTables(database, isFull).flatMap((table) => [
    () => countStructureProblems(database, table),
    ...(isFull ? listIndexes(database, table) : []).map(
      (index) => () => countIndexProblems(database, table, index),
    ),
  ]);
  return isFull ? [...parts, () => countPageProblems(database)] : parts;
}

/**
 * Checks a file. Quick: each page of each table, table by table, so that no long read transaction keeps the log from
 * being emptied. Full: also each index against its table, how the pages are used, and what `countMore` finds.
 * `onProgress` counts these parts, each of which takes at most about two seconds at a million claims. A repair stops
 * at the first problem, because it then copies all that can be read.
 */
export function checkFile(
  database: Database,
  isFull: boolean,
  countMore: () => number = () => 0,
  onProgress: (progress: StoreProgress) => void = () => undefined,
  stopsAtFirst = false,
): StoreCheck {
  const startedMs = Date.now();
  let problems = 0;
  const add = (count: () => number): void => {
    let found = 1;
    try {
      found = count();
    } catch (thrown) {
      // An unreadable part is one problem, unless another connection or a lack of memory prevents reading.
      if (/^SQLITE_(BUSY|LOCKED|NOMEM|INTERRUPT)/.test((thrown as { code?: string }).code ?? ''))
        throw thrown;
    }
    problems += found;
  };
  let parts: (() => number)[] = [];
  add(() => {
    parts = readSnapshot(database, () => listParts(database, isFull));
    return 0;
  });
  for (const [done, part] of parts.entries()) {
    onProgress({ doing: 'checkingFile', done, of: parts.length });
    add(() => readSnapshot(database, part));
    if (stopsAtFirst && problems > 0) break;
  }
  if (isFull && !(stopsAtFirst && problems > 0)) add(countMore);
  return {
    at: new Date().toISOString(),
    isFull,
    isSound: problems === 0,
    problems,
    seconds: (Date.now() - startedMs) / 1000,
  };
}
