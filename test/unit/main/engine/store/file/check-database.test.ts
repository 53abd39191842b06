import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StoreProgress } from '../../../../../../src/contract/store.ts';
import { checkFile } from '../../../../../../src/main/engine/store/file/check-database.ts';
import { type Database, openDatabase } from '../../../../../../src/main/engine/store/file/database.ts';
import { makeTempFolder } from '../../../../../support/temp-folder.ts';

const key = Buffer.alloc(32, 3);
/** A file with every kind of index that a file of Claimdesk has. */
function makeFile(): { open: () => Database; database: Database } {
  const path = join(makeTempFolder(), 'file.db');
  const open = (): Database => openDatabase(path, key);
  const database = open();
  database.exec(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, born TEXT, code TEXT UNIQUE, gone TEXT) STRICT;
    CREATE INDEX people_by_name ON people (name, id);
    CREATE INDEX people_by_year ON people (substr(born, 1, 4), replace(name, ',', '('), id) WHERE born IS NOT NULL;
    CREATE INDEX people_gone ON people (id) WHERE gone IS NOT NULL;
    CREATE TABLE links (parent INTEGER, position INTEGER, ref INTEGER, PRIMARY KEY (parent, position)) STRICT, WITHOUT ROWID;
    CREATE INDEX links_by_ref ON links (ref, parent);
    CREATE VIRTUAL TABLE people_text USING fts5(body, content='', contentless_delete=1);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<500)
      INSERT INTO people SELECT i, iif(i%7=0, NULL, 'P, '||i%50), iif(i%3=0, NULL, 1900+i%90||'-01-01'),
        iif(i%5=0, NULL, 'c'||i), iif(i%11=0, 'x', NULL) FROM n;
    INSERT INTO links SELECT id, 0, id%9 FROM people;
    INSERT INTO people_text (rowid, body) SELECT id, coalesce(name, '') FROM people;`);
  return { open, database };
}

const check = (database: Database) => checkFile(database, true);

/** Changes a table as if one of its indexes were not there. */
function changeWithout(file: ReturnType<typeof makeFile>, index: string, sql: string): Database {
  const { database, open } = file;
  const root = database.prepare('SELECT * FROM sqlite_schema WHERE name=?').get(index) as object;
  database.unsafeMode(true);
  database.pragma('writable_schema=ON');
  database.prepare('DELETE FROM sqlite_schema WHERE name=?').run(index);
  database.close();
  const without = open();
  without.exec(sql);
  without.unsafeMode(true);
  without.pragma('writable_schema=ON');
  without
    .prepare('INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)')
    .run(...Object.values(root));
  without.close();
  return open();
}

test('a sound file has no problems, and its parts are reported one by one', () => {
  const { database } = makeFile();
  const told: StoreProgress[] = [];
  expect(
    checkFile(
      database,
      true,
      () => 0,
      (progress) => told.push(progress),
    ),
  ).toMatchObject({
    isFull: true,
    isSound: true,
    problems: 0,
  });
  // Three tables, the four behind the search index, five indexes, the pages.
  expect(told.map(({ done, of }) => [done, of])).toEqual(
    Array.from({ length: 13 }, (_none, done) => [done, 13]),
  );
  database.close();
});

test.each([
  ['a row that an index lacks', 'people_by_name', "INSERT INTO people (id, name) VALUES (900, 'new')", 2],
  ['an entry of a row that is no more', 'people_by_name', 'DELETE FROM people WHERE id=8', 1],
  ['an entry with an old value', 'people_by_name', "UPDATE people SET name='other' WHERE id=8", 1],
  ['of an expression', 'people_by_year', "UPDATE people SET born='1850-01-01' WHERE id IN (8, 10)", 2],
  ['outside the condition of an index', 'people_by_year', 'UPDATE people SET born=NULL WHERE id=8', 1],
  ['an empty value of a partial index', 'people_gone', "UPDATE people SET gone='x' WHERE id=8", 2],
  [
    'of a table in the order of its key',
    'links_by_ref',
    'UPDATE links SET ref=77 WHERE parent IN (3, 4, 5)',
    3,
  ],
])('%s is found', (_what, index, sql, problems) => {
  const database = changeWithout(makeFile(), index, sql);
  expect(check(database)).toMatchObject({ isSound: false, problems });
  database.close();
});

test('a value that a unique index has twice is found', () => {
  const file = makeFile();
  file.database.exec(
    "CREATE TABLE codes (code TEXT); CREATE INDEX codes_once ON codes (code); INSERT INTO codes VALUES ('a'), ('b'), ('b'), (NULL), (NULL)",
  );
  file.database.unsafeMode(true);
  file.database.pragma('writable_schema=ON');
  file.database.exec(
    "UPDATE sqlite_schema SET sql=replace(sql, 'CREATE INDEX', 'CREATE UNIQUE INDEX') WHERE name='codes_once'",
  );
  file.database.close();
  const database = file.open();
  expect(check(database)).toMatchObject({ isSound: false, problems: 1 });
  database.close();
});

test('pages that nothing uses are found', () => {
  const { database, open } = makeFile();
  database.unsafeMode(true);
  database.pragma('writable_schema=ON');
  database.exec("DELETE FROM sqlite_schema WHERE name='people_gone'");
  database.close();
  const without = open();
  expect(check(without)).toMatchObject({ isSound: false, problems: 1 });
  without.close();
});

test('if only soundness is checked, it stops at the first problem', () => {
  const database = changeWithout(
    makeFile(),
    'people_by_name',
    "INSERT INTO people (id, name) VALUES (900, 'new')",
  );
  const told: StoreProgress[] = [];
  const countMore = (): never => {
    throw new Error('not asked for');
  };
  const checked = checkFile(database, true, countMore, (progress) => told.push(progress), true);
  expect(checked.isSound).toBe(false);
  expect(told.length).toBeLessThan(13);
  database.close();
});
