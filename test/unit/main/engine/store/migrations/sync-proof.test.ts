import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../../../../src/main/engine/store/file/migrate.ts';
import { openRecords } from '../../../../../../src/main/engine/store/record/open-records.ts';
import { createReadOperations } from '../../../../../../src/main/engine/store/threads/operations.ts';
import { testBytes } from '../../../../../support/seeds.ts';

/** A file as the version before this migration left it. */
function givenOldFile() {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-migration-'));
  const connection = openRecords(join(folder, 'records.db'), testBytes(32));
  onTestFinished(() => {
    connection.close();
    rmSync(folder, { recursive: true, force: true });
  });
  migrate(connection, 'records', { target: 1 });
  return connection;
}

test('what was marked as gone before stays so, since when it was, to be confirmed by the next sync', () => {
  const connection = givenOldFile();
  connection.exec(`INSERT INTO record_shapes (id, markers) VALUES (1, '[]');
    INSERT INTO claims (id, digest, gone_since, shape_id) VALUES (1, x'00', '2026-01-02T03:04:05.000Z', 1), (2, x'01', NULL, 1);
    INSERT INTO members (id, digest, gone_since, shape_id) VALUES (3, x'02', '2026-01-01T00:00:00.000Z', 1);`);
  migrate(connection);
  const read = createReadOperations(connection);
  expect(read.readMissingMark({ kind: 'claims', id: 1 })).toEqual({
    since: '2026-01-02T03:04:05.000Z',
    confirmedAt: null,
  });
  expect(read.readMissingMark({ kind: 'claims', id: 2 })).toBeNull();
  expect(read.readMissingMark({ kind: 'members', id: 3 })?.since).toBe('2026-01-01T00:00:00.000Z');
  expect(read.listChanges({ runId: null, offset: 0, limit: 10 })).toMatchObject({ runId: null, total: 0 });
});

test('receipts and an interrupted run of the older version are read; what they lack is empty or too old', () => {
  const connection = givenOldFile();
  const run = { runId: 'old', startedAt: '2026-01-01T00:00:00.000Z', kind: 'claims', pass: 2, nextPage: 4 };
  const pass = { kind: 'claims', pass: 1, digest: 'd', count: 1, total: 1, isSteady: true };
  connection
    .prepare("INSERT INTO sync_state (name, value) VALUES ('run', ?)")
    .run(JSON.stringify({ ...run, perPage: 10, passes: [pass], total: null, isSteady: true, pages: 3 }));
  connection
    .prepare(
      "INSERT INTO sync_receipts (run_id, finished_at, outcome, receipt) VALUES ('r', 'x', 'complete', ?)",
    )
    .run(JSON.stringify({ runId: 'r', outcome: 'complete', claims: 5 }));
  migrate(connection, 'records', { target: 3 });
  const read = createReadOperations(connection);
  expect(read.readRun(null)).toMatchObject({
    runId: 'old',
    passStartedAt: '',
    failures: [],
    isPaused: false,
    lossQuestion: null,
    passes: [{ digest: 'd', startedAt: '' }],
  });
  expect(read.readReceipts(null).lastComplete).toMatchObject({
    claims: 5,
    coverage: '',
    failures: [],
    reads: [],
    changes: { new: 0 },
  });
});
