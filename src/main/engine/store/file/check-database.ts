import type { StoreCheck, StoreProgress } from '../../../../contract/store.ts';
import { type Database, readSnapshot } from './database.ts';
import { arePackedValuesWhole } from './packed-values.ts';

/** The page cache for comparing an index with its table: the size of about one index of a million claims. */
const comparingCacheKb = 65_536;

interface KeyPart {
  readonly cid: number;
  readonly name: string | null;
  /** 1: part of the key; otherwise part of what identifies the row. */
  readonly key: number;
}

interface TableIndex {
  readonly name: string;
  /** 0 or 1. */
  readonly unique: number;
  readonly origin: string;
}

/** The indexes of a table, including those of its constraints, but without the key that orders its rows. */
function listIndexes(database: Database, table: string): string[] {
  const orderIndex = orderOf(database, table);
  return indexesOf(database, table).flatMap(({ name }) => (name === orderIndex ? [] : [name]));
}

const indexesOf = (database: Database, table: string): TableIndex[] =>
  database.pragma(`index_list("${table}")`) as TableIndex[];

/** The key that orders the rows of a table without row IDs; null for other tables. */
function orderOf(database: Database, table: string): string | null {
  const isOrdered = database.prepare('SELECT wr FROM pragma_table_list(?)').pluck().get(table) === 1;
  const primary = indexesOf(database, table).find(({ origin }) => origin === 'pk');
  return isOrdered ? (primary?.name ?? null) : null;
}

/**
 * Counts rows that an index lacks, entries without a row, and values that a unique index has twice; 0 where a sync has
 * dropped the index since. SQLite's own check looks each row up in all indexes of its table in one statement: at a
 * million claims it takes longer, because they don't all fit into its memory at once, and reports no progress for half
 * a minute.
 */
function countIndexProblems(database: Database, table: string, index: string): number {
  const cacheSize = database.pragma('cache_size', { simple: true }) as number;
  database.pragma(`cache_size=-${comparingCacheKb}`);
  try {
    return database.transaction(() => {
      if (!indexesOf(database, table).some(({ name }) => name === index)) return 0;
      const { missing, expected, present, repeated } = database
        .prepare(compareSql(database, table, index))
        .get() as Record<'missing' | 'expected' | 'present' | 'repeated', number>;
      return missing + Math.abs(present - expected) + repeated;
    })();
  } finally {
    database.pragma(`cache_size=${cacheSize}`);
  }
}

function compareSql(database: Database, table: string, index: string): string {
  const { expressions, condition } = readDefinition(database, index);
  const orderIndex = orderOf(database, table);
  const isUnique = indexesOf(database, table).some(({ name, unique }) => name === index && unique === 1);
  const info = database.pragma(`index_xinfo("${index}")`) as KeyPart[];
  const parts = info.map(({ cid, name }, place) =>
    cid === -1 ? 'rowid' : name === null ? expressions[place] : `"${name}"`,
  );
  const columns = parts.map((part, place) => `${part} AS part_${place}`).join(', ');
  const isSame = parts.map((part, place) => `${part} IS row.part_${place}`);
  const where = condition === null ? '' : `WHERE ${condition}`;
  // Without this, SQLite would read the rows of a table without row IDs from the index itself.
  const order = orderIndex === null ? 'NOT INDEXED' : `INDEXED BY "${orderIndex}"`;
  const entry = `"${table}" INDEXED BY "${index}"`;
  const keys = parts.filter((_part, place) => info[place]?.key === 1);
  const conditions = condition === null ? [] : [condition];
  const isNotNull = [...keys.map((key) => `${key} IS NOT NULL`), ...conditions];
  const repeated = `(SELECT count(*) FROM (SELECT 1 FROM ${entry} WHERE ${isNotNull.join(' AND ')}
    GROUP BY ${keys.join(', ')} HAVING count(*)>1))`;
  return `SELECT count(*) AS expected,
      (SELECT count(*) FROM ${entry} ${where}) AS present,
      ${isUnique ? repeated : '0'} AS repeated,
      coalesce(sum(NOT EXISTS (SELECT 1 FROM ${entry}
        WHERE ${[...isSame, ...conditions].join(' AND ')})), 0) AS missing
    FROM (SELECT ${columns} FROM "${table}" ${order} ${where}) AS row`;
}

/** The expressions and the condition of an index as they were written; an index of a constraint has neither. */
function readDefinition(
  database: Database,
  index: string,
): { expressions: string[]; condition: string | null } {
  const sql = database.prepare('SELECT sql FROM sqlite_schema WHERE name=?').pluck().get(index) as
    | string
    | null
    | undefined;
  if (typeof sql !== 'string') return { expressions: [], condition: null };
  const expressions: string[] = [];
  let depth = 0;
  let isText = false;
  let from = sql.indexOf('(') + 1;
  for (let at = from - 1; at < sql.length; at += 1) {
    const sign = sql[at];
    if (sign === "'") isText = !isText;
    if (isText) continue;
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (depth > 1 || (depth === 1 && sign !== ',')) continue;
    expressions.push(sql.slice(from, at).trim());
    from = at + 1;
    if (depth === 0) break;
  }
  const condition = /^\s*WHERE\s+(.*)$/is.exec(sql.slice(from));
  return { expressions, condition: condition?.[1] ?? null };
}

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
  return problems + (valueTables.includes(table) ? countDamagedValues(database, table) : 0);
}

/** The table with the stored values of claims, and the one that had them before version 31 of the file. */
const valueTables = ['claim_values', 'review_event_claims'];

/** Counts stored values of claims with a wrong checksum; before version 7 of the file they are plain text. */
function countDamagedValues(database: Database, table: string): number {
  const packed = database
    .prepare(`SELECT reviewed FROM ${table} WHERE typeof(reviewed)='blob'`)
    .pluck()
    .iterate() as IterableIterator<Buffer>;
  let damaged = 0;
  for (const packedValues of packed) if (!arePackedValuesWhole(packedValues)) damaged += 1;
  return damaged;
}

/** The page with this byte is never used, because SQLite locks the file by it. */
const lockByte = 0x4000_0000;

/** Counts pages that two parts of the file use, and pages that no part uses but that are not free. */
const countPageProblems = (database: Database): number =>
  database.transaction(() => {
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
    const count = isUsed.reduce((sum, flag) => sum + flag, 0) + (pages >= lockPage ? 1 : 0);
    return problems + Math.abs(pages - numberOf('freelist_count') - count);
  })();

/**
 * Tables that are checked one by one. SQLite checks the tables of a search index together with the index; their own
 * structure is checked only in a full check.
 */
const listTables = (database: Database, isFull: boolean): string[] =>
  database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND (? OR name NOT GLOB '*_text_*')`,
    )
    .pluck()
    .all(Number(isFull)) as string[];

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
 * `onProgress` counts these parts, each of which takes at most about two seconds at a million claims. A repair stops at
 * the first problem, because it copies everything readable anyway.
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
    let partProblems = 1;
    try {
      partProblems = count();
    } catch (thrown) {
      // An unreadable part is one problem, unless another connection or a lack of memory prevents reading.
      if (/^SQLITE_(BUSY|LOCKED|NOMEM|INTERRUPT)/.test((thrown as { code?: string }).code ?? ''))
        throw thrown;
    }
    problems += partProblems;
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
