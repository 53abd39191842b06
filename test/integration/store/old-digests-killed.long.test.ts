import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from '../../../src/main/engine/store/file/connection.ts';
import { checkRecords } from '../../../src/main/engine/store/maintenance/check-records.ts';
import { openRecords } from '../../../src/main/engine/store/record/open-records.ts';
import { createWriteOperations } from '../../../src/main/engine/store/threads/operations.ts';
import { runUntilKilled } from '../../support/killed-program.ts';
import { copyOldRecords, type OldRecords } from '../../support/old-records.ts';
import { fuzzRuns } from '../../support/seeds.ts';

const program = fileURLToPath(new URL('../../support/renew-program.ts', import.meta.url));
/** 2,000 members and 5,000 claims as version 0.1 wrote them. */
let old: OldRecords;
beforeAll(() => {
  old = copyOldRecords('northwind');
});
afterAll(() => old?.remove());

const stateOf = (connection: Connection): unknown =>
  connection.prepare("SELECT value FROM sync_state WHERE name='oldDigests.claims'").pluck().get();

/** Opens the store in a process of its own and ends that after a time; tells whether it was done. */
async function runFor(path: string, limitMs: number): Promise<boolean> {
  return (await runUntilKilled([program, path, old.key.toString('hex')], limitMs)).isDone;
}

test('killed while the digests are renewed, it goes on where it was, and nothing is said to have changed', async () => {
  let killed = 0;
  for (let run = 0; run < Math.min(fuzzRuns(1), 60); run += 1) {
    const path = `${old.filePath}-${run}`;
    cpSync(old.filePath, path);
    const reached: number[] = [];
    while (!(await runFor(path, reached.length > 3 ? 60_000 : (run * 37 + reached.length * 20) % 150))) {
      killed += 1;
      const connection = openRecords(path, old.key);
      expect(checkRecords(connection, true)).toMatchObject({ isSound: true });
      reached.push(Number(stateOf(connection)));
      connection.close();
    }
    expect(reached).toEqual([...reached].sort((a, b) => a - b));
    const connection = openRecords(path, old.key);
    expect(stateOf(connection)).toBeUndefined();
    expect(checkRecords(connection, true)).toMatchObject({ isSound: true });
    const write = createWriteOperations(connection);
    const page = {
      pass: 1,
      page: 1,
      seenAt: '2026-01-01T00:00:00.000Z',
      requestId: null,
      isPartOfPass: false,
    };
    for (const kind of ['members', 'claims'] as const) {
      const body = Buffer.from(JSON.stringify({ data: old.sent[kind] }));
      expect(write.ingestPage({ ...page, kind, body })).toMatchObject({ added: 0, changed: 0 });
    }
    connection.close();
    rmSync(path, { force: true });
  }
  expect(killed).toBeGreaterThan(0);
});
