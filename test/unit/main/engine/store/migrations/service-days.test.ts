import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../../../../../src/main/engine/store/file/connection.ts';
import { migrate } from '../../../../../../src/main/engine/store/file/migrate.ts';
import { openRecords } from '../../../../../../src/main/engine/store/record/open-records.ts';
import {
  buildDeferredIndexes,
  deferClaimIndexes,
} from '../../../../../../src/main/engine/store/sync/deferred-indexes.ts';
import { createReadOperations } from '../../../../../../src/main/engine/store/threads/operations.ts';
import { dateRangeCases } from '../../../../../support/date-range-cases.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { testBytes } from '../../../../../support/seeds.ts';

/** A file as version 3 left it, with a claim for each case. */
function givenOldFile(prepare: (connection: Connection) => void = () => {}): Connection {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-migration-'));
  const connection = openRecords(join(folder, 'records.db'), testBytes(32));
  onTestFinished(() => {
    connection.close();
    rmSync(folder, { recursive: true, force: true });
  });
  migrate(connection, 'records', { target: 3 });
  prepare(connection);
  connection.exec("INSERT INTO record_shapes (id, markers) VALUES (1, '[]')");
  const insert = connection.prepare(
    `INSERT INTO claims (id, digest, shape_id, date_of_service_start, date_of_service_end, date_of_service_bounds)
     VALUES (?, ?, 1, ?, ?, ?)`,
  );
  for (const [index, { range }] of dateRangeCases.entries()) {
    insert.run(index + 1, Buffer.of(index), range.start ?? null, range.end ?? null, range.bounds ?? null);
  }
  return connection;
}

const indexesOf = (connection: Connection): unknown[] =>
  connection.prepare("SELECT name FROM sqlite_schema WHERE type='index' AND tbl_name='claims'").pluck().all();
const rowsOf = (connection: Connection): unknown[] =>
  connection.prepare('SELECT * FROM claims ORDER BY id').all();

function expectSorted(connection: Connection): void {
  const ids = createReadOperations(connection).listKeys({
    entity: 'claims',
    sort: [{ field: 'date_of_service', direction: 'asc' }],
  });
  const firstDays = [...ids].map((id) => dateRangeCases[id - 1]?.days?.first ?? null);
  const there = firstDays.filter((day) => day !== null);
  expect(there).toEqual(there.toSorted());
  expect(there).toContain('2025-11-15');
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
}

test('claims of the older version are found by their days of service, and not a value of them changes', () => {
  const connection = givenOldFile();
  const before = rowsOf(connection);
  migrate(connection, 'records', { target: 4 });
  expect(rowsOf(connection)).toEqual(before);
  migrate(connection);
  expect(indexesOf(connection)).toContain('claims_by_service_days');
  expect(indexesOf(connection)).not.toContain('claims_by_service_start');
  expectSorted(connection);
});

test('a first read that was under way ends with the indexes of a new file', () => {
  const connection = givenOldFile(deferClaimIndexes);
  expect(indexesOf(connection)).toEqual([]);
  migrate(connection);
  buildDeferredIndexes(connection);
  const fresh = openTestStore();
  expect(indexesOf(connection).toSorted()).toEqual(indexesOf(fresh.connection).toSorted());
  expectSorted(connection);
});
