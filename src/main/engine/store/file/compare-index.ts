import type { Database } from './database.ts';

/** The page cache of a comparison: about one index of a million claims. */
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
export function listIndexes(database: Database, table: string): string[] {
  const own = orderOf(database, table);
  return indexesOf(database, table).flatMap(({ name }) => (name === own ? [] : [name]));
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
 * Counts rows that an index does not have, entries without a row, and values that a unique index has twice; 0 where a
 * sync has dropped the index since. SQLite's own check looks each row up in all indexes of its table in one statement:
 * at a million claims it takes longer, because not all of them fit into its memory at once, and reports no progress
 * for half a minute.
 */
export function countIndexProblems(database: Database, table: string, index: string): number {
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
  const own = orderOf(database, table);
  const isUnique = indexesOf(database, table).some(({ name, unique }) => name === index && unique === 1);
  const info = database.pragma(`index_xinfo("${index}")`) as KeyPart[];
  const parts = info.map(({ cid, name }, place) =>
    cid === -1 ? 'rowid' : name === null ? expressions[place] : `"${name}"`,
  );
  const wanted = parts.map((part, place) => `${part} AS part_${place}`).join(', ');
  const isSame = parts.map((part, place) => `${part} IS row.part_${place}`);
  const where = condition === null ? '' : `WHERE ${condition}`;
  // SQLite would otherwise read the rows of a table without row IDs from the index itself.
  const order = own === null ? 'NOT INDEXED' : `INDEXED BY "${own}"`;
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
    FROM (SELECT ${wanted} FROM "${table}" ${order} ${where}) AS row`;
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
