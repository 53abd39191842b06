import { expect, test, vi } from 'vitest';
import type { StoreProgress } from '../../../../../../src/contract/store.ts';
import { checkRecords } from '../../../../../../src/main/engine/store/maintenance/check-records.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

const claims = 2_500;

test('a full check reads records in parts, each record once', () => {
  const { database, readerConnection, ingest } = openTestStore();
  ingest(
    'claims',
    Array.from({ length: claims }, (_none, index) => ({ id: (index - 3) * 7, status: 'Processed' })),
  );
  const broken = [-21, 6_993, 7_000, (claims - 4) * 7];
  database
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

test('a full check covers each table and each index, as one part each', () => {
  const { readerConnection, ingest } = openTestStore();
  ingest('claims', [{ id: 1, status: 'Processed' }]);
  const prepare = vi.spyOn(readerConnection, 'prepare');
  const pragma = vi.spyOn(readerConnection, 'pragma');
  const told: StoreProgress[] = [];
  const check = checkRecords(readerConnection, true, (progress) => told.push(progress));
  expect(check.isSound).toBe(true);
  const asked = [...prepare.mock.calls, ...pragma.mock.calls].map(([text]) => text);
  const names = (type: string): string[] =>
    readerConnection.prepare('SELECT name FROM sqlite_schema WHERE type=?').pluck().all(type) as string[];
  const tables = names('table').filter((name) => !name.startsWith('sqlite_'));
  for (const table of tables) expect(asked).toContain(`quick_check("${table}")`);
  const indexes = names('index').filter((index) =>
    asked.some((text) => text.includes(`INDEXED BY "${index}"`)),
  );
  expect(indexes).toEqual(
    expect.arrayContaining(['claims_by_service_days', 'members_by_ssn', 'claims_gone']),
  );
  expect(told.filter(({ doing }) => doing === 'checkingFile')).toHaveLength(
    tables.length + indexes.length + 1,
  );
  prepare.mockRestore();
  pragma.mockRestore();
});
