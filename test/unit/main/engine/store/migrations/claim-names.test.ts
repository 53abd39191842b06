import fc from 'fast-check';
import { expect, test } from 'vitest';
import { migrate } from '../../../../../../src/main/engine/store/file/migrate.ts';
import { oddTexts } from '../../../../../support/engine-records.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const anyName = fc.constantFrom(...oddTexts, 'Edwards', ' de\tla\nCruz ', null, 7);
const anyMembers = fc.oneof(
  fc.constantFrom(null, [], 'odd', [7]),
  fc.array(
    fc.record({
      id: fc.constantFrom(1, 2, null),
      first_name: anyName,
      last_name: anyName,
      employer: fc.oneof(fc.constant(null), fc.record({ id: fc.constantFrom(70, 80), name: anyName })),
    }),
    { maxLength: 4 },
  ),
);

test('claims of an older file get the names that they would be written with today', () => {
  fc.assert(
    fc.property(fc.array(anyMembers, { minLength: 1, maxLength: 12 }), (lists) => {
      const store = openTestStore();
      store.ingest(
        'claims',
        lists.map((members, index) => ({ id: index + 1, members })),
      );
      const readNames = (): unknown[] =>
        store.connection
          .prepare('SELECT id, member_names, employer_names FROM claims ORDER BY id')
          .raw()
          .all();
      const written = readNames();
      // As the file was before its names.
      store.connection.exec(`DROP INDEX claims_by_members; DROP INDEX claims_by_employers;
        ALTER TABLE claims DROP COLUMN member_names; ALTER TABLE claims DROP COLUMN employer_names;
        DROP TABLE connection_carriers; PRAGMA user_version=5;`);
      migrate(store.connection, 'records', { target: 6 });
      expect(readNames()).toEqual(written);
    }),
    { numRuns: fuzzRuns(20) },
  );
});
