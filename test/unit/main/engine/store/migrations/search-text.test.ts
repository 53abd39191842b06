import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Connection } from '../../../../../../src/main/engine/store/file/connection.ts';
import { migrate } from '../../../../../../src/main/engine/store/file/migrate.ts';
import { anyClaim, anyMember } from '../../../../../support/engine-records.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const indexed = ['members', 'dependents', 'claims'] as const;

/** Every word of the search indexes with the keys of its rows. */
function readTerms(connection: Connection): unknown[] {
  return indexed.map((table) => {
    connection.exec(`CREATE VIRTUAL TABLE temp.seen USING fts5vocab(main, ${table}_text, instance)`);
    const words = connection.prepare('SELECT term, doc FROM temp.seen ORDER BY term, doc').raw().all();
    connection.exec('DROP TABLE temp.seen');
    return words;
  });
}

test('records of an older file are found by the words that they would be written with today', () => {
  let words = 0;
  fc.assert(
    fc.property(
      fc.array(anyClaim, { minLength: 1, maxLength: 5 }),
      fc.array(anyMember, { minLength: 1, maxLength: 5 }),
      (claims, members) => {
        const store = openTestStore();
        store.ingest(
          'claims',
          claims.map((claim, index) => ({ ...claim, id: index + 1 })),
        );
        store.ingest(
          'members',
          members.map((member, index) => ({ ...member, id: index + 1 })),
        );
        const written = readTerms(store.connection);
        words += written.flat().length;
        // As the file was before: the same words with their places, and no list of them.
        for (const table of indexed)
          store.connection.exec(`DROP TABLE ${table}_text; CREATE VIRTUAL TABLE ${table}_text
            USING fts5(body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')`);
        store.connection.exec('DROP TABLE claims_words; PRAGMA user_version=14');
        migrate(store.connection, 'records', { target: 15 });
        expect(readTerms(store.connection)).toEqual(written);
      },
    ),
    { numRuns: fuzzRuns(60) },
  );
  expect(words).toBeGreaterThan(1_000);
});

test('an index of all claims holds the ID of each once', () => {
  const { connection } = openTestStore();
  const indexes = connection
    .prepare(
      `SELECT list.name, count(*) FILTER (WHERE info.cid=-1 OR info.name='id') AS ids
       FROM pragma_index_list('claims') list JOIN pragma_index_xinfo(list.name) info
       WHERE list.partial=0 GROUP BY list.name`,
    )
    .all() as { name: string; ids: number }[];
  expect(indexes.length).toBeGreaterThan(7);
  expect(indexes.filter(({ ids }) => ids !== 1)).toEqual([]);
});
