import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkRecords } from '../../../../../../src/main/engine/store/maintenance/check-records.ts';
import { copyRecords } from '../../../../../../src/main/engine/store/maintenance/copy-records.ts';
import { planRemoval } from '../../../../../../src/main/engine/store/maintenance/remove-records.ts';
import { makeEmpty } from '../../../../../../src/main/engine/store/maintenance/repair-records.ts';
import { deferClaimIndexes } from '../../../../../../src/main/engine/store/sync/deferred-indexes.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

const claim = (id: number, members: number[] = []) => ({
  id,
  status: 'Processed',
  service_provider: `Dr. ${id % 7}`,
  members: members.map((member) => ({ id: member, first_name: 'Ada', last_name: `N${member}` })),
  date_of_service: { start: `202${id % 6}-01-01`, end: `202${id % 6}-01-02`, bounds: '[)' },
});

test('a copy has all indexes, built at its end, even if those of the source were not built yet', () => {
  const { database, filePath, key, ingest } = openTestStore();
  const namesOf = (of: typeof database): unknown[] =>
    of.prepare("SELECT name FROM sqlite_schema WHERE type='index' ORDER BY name").pluck().all();
  const all = namesOf(database);
  deferClaimIndexes(database);
  expect(namesOf(database).length).toBeLessThan(all.length);
  ingest(
    'claims',
    Array.from({ length: 2_500 }, (_none, index) => claim(index + 1)),
  );
  const target = makeEmpty(join(filePath, '..', 'copy.db'), key);
  const seen: { indexes: number; doing: string }[] = [];
  const outcome = copyRecords(database, target, null, ({ doing }) =>
    seen.push({ doing, indexes: namesOf(target).length }),
  );
  expect(outcome).toMatchObject({ claims: 2_500, lost: [] });
  expect(namesOf(target)).toEqual(all);
  const copying = seen.filter(({ doing }) => doing === 'copyingRecords');
  expect(copying).toHaveLength(2);
  expect(copying.every(({ indexes }) => indexes < all.length)).toBe(true);
  expect(target.prepare("SELECT count(*) FROM sync_state WHERE name='deferredIndexes'").pluck().get()).toBe(
    0,
  );
  expect(checkRecords(target, true)).toMatchObject({ isSound: true });
  target.close();
});

test('a removal is counted with what was written about its claims, and those of another member are kept', () => {
  const { filePath, key, ingest } = openTestStore();
  ingest('members', [{ id: 1 }, { id: 2 }]);
  ingest('claims', [claim(10, [1]), claim(11, [1, 2]), claim(12, [2]), claim(13), claim(14, [1, 1])]);
  const written = [10, 11, 12, 14, 99].map((claimId) => ({ claimId, count: 2 }));
  const plan = planRemoval({ filePath, key, removal: { kind: 'member', memberId: 1 }, written });
  expect(plan.counts).toEqual({ members: 1, claims: 2, sharedClaims: 1, reviews: 4 });
  expect(plan.written).toEqual([10, 14]);
  const byDate = planRemoval({
    filePath,
    key,
    removal: { kind: 'claimsBefore', date: '2022-06-01' },
    written,
  });
  expect(byDate.counts).toMatchObject({ members: 0, claims: 3 });
});
