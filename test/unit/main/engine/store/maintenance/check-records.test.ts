import { expect, test, vi } from 'vitest';
import type { StoreProgress } from '../../../../../../src/contract/store.ts';
import { checkRecords } from '../../../../../../src/main/engine/store/maintenance/check-records.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

const claims = 2_500;

test('a full check reads records in parts, each record once', () => {
  const { connection, readerConnection, ingest } = openTestStore();
  ingest(
    'claims',
    Array.from({ length: claims }, (_none, index) => ({ id: (index - 3) * 7, status: 'Processed' })),
  );
  const broken = [-21, 6_993, 7_000, (claims - 4) * 7];
  connection
    .prepare('UPDATE claims SET digest=zeroblob(32) WHERE id IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(broken));
  const prepare = vi.spyOn(readerConnection, 'prepare');
  const told: StoreProgress[] = [];
  const check = checkRecords(readerConnection, true, (progress) => told.push(progress));
  expect(check).toMatchObject({ isFull: true, isSound: false, problems: broken.length });
  expect(told.filter(({ doing }) => doing === 'checkingRecords').map(({ done }) => done)).toEqual([0, 2_000]);
  const digests = prepare.mock.calls.map(([sql]) => sql).filter((sql) => /^SELECT id, digest/.test(sql));
  expect(digests.every((sql) => sql.includes('LIMIT'))).toBe(true);
  expect(digests).toHaveLength(2);
  prepare.mockRestore();
});

test('a full check compares indexes with their table, a step for each table', () => {
  const { readerConnection, ingest } = openTestStore();
  ingest('claims', [{ id: 1, status: 'Processed' }]);
  const pragma = vi.spyOn(readerConnection, 'pragma');
  const told: StoreProgress[] = [];
  const check = checkRecords(readerConnection, true, (progress) => told.push(progress));
  expect(check.isSound).toBe(true);
  const asked = pragma.mock.calls.map(([text]) => text).filter((text) => text.includes('check'));
  expect(asked).toContain('integrity_check("claims")');
  expect(asked).not.toContain('integrity_check');
  expect(asked.at(-1)).toBe('quick_check');
  expect(told.filter(({ doing }) => doing === 'checkingFile')).toHaveLength(asked.length);
  pragma.mockRestore();
});
