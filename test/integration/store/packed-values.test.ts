import { cpSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StoreProgress } from '../../../src/contract/store.ts';
import { listBackups } from '../../../src/main/engine/store/file/backup.ts';
import { checkFile, isSound } from '../../../src/main/engine/store/file/check-database.ts';
import { type Database, openDatabase } from '../../../src/main/engine/store/file/database.ts';
import { writeKeyCheck } from '../../../src/main/engine/store/file/key-check.ts';
import { migrate } from '../../../src/main/engine/store/file/migrate.ts';
import { migrationsOf } from '../../../src/main/engine/store/file/migration-list.ts';
import { openFile } from '../../../src/main/engine/store/file/open-file.ts';
import { sideFilesOf } from '../../../src/main/engine/store/file/side-files.ts';
import { createUserDataOperations } from '../../../src/main/engine/store/threads/user-data-operations.ts';
import { createUserDataStore } from '../../../src/main/engine/store/threads/user-data-store.ts';
import { createJournal } from '../../../src/main/engine/store/user-data/journal.ts';
import { repairUserData } from '../../../src/main/engine/store/user-data/repair-user-data.ts';
import type { AppendedAct } from '../../../src/main/engine/store/user-data/reviews.ts';
import { readReviewedValues } from '../../../src/rules/review/reviewed-values.ts';
import { SandboxClock } from '../../../src/sandbox/clock.ts';
import { World } from '../../../src/sandbox/data/world.ts';
import { testBytes } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const key = testBytes(32);
const workspaceId = 'f3b0a1c4-6d2e-4b7a-9c58-1e2d3f4a5b6c';
const claimCount = 1_000;
const world = new World(
  { seed: 1, members: 300, claims: claimCount, order: 'asc' },
  new SandboxClock(Date.UTC(2026, 10, 20) / 86_400_000),
);
/** The values of the sample's claims as a review keeps them. */
const kept = Array.from({ length: claimCount }, (_none, index) => {
  const claim = world.claimAt(index) as { modifieddate?: string };
  const record = { modified: claim.modifieddate ?? null, readAt: '2026-11-20T12:00:00.000Z' };
  return JSON.stringify({ ...readReviewedValues(claim, false), record });
});

const eventId = (index: number): string => `0d5f7a10-2b3c-4d5e-8f90-${String(index).padStart(12, '0')}`;
const actOn = (index: number, claims: AppendedAct['claims']): AppendedAct => ({
  workspaceId,
  id: eventId(index),
  nowMs: Date.UTC(2026, 10, 20) + index * 1000,
  author: 'dana@example.com',
  fact: { kind: 'decision', state: 'done', outcome: 'eligible', onWhom: null, reason: null, reminder: null },
  filter: null,
  undoes: null,
  receipt: { runId: '7c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e', finishedAt: '2026-11-20T12:00:00.000Z' },
  isStaged: false,
  claims,
});
const claimAt = (index: number) => ({
  claimId: 40_000_000 + index,
  reviewed: kept[index] ?? null,
  digest: String(index).padStart(40, '0'),
});

function openNew() {
  const folder = makeTempFolder();
  const path = join(folder, 'ours.db');
  const open = () => {
    const file = openFile(path, key, 'userData');
    const userData = createUserDataOperations(file.database, path, key, (thrown) => {
      throw thrown;
    });
    return { file, userData };
  };
  return { folder, path, open, ...open() };
}
type UserData = ReturnType<typeof openNew>['userData'];

const readKept = (userData: UserData): unknown[] =>
  userData
    .readReviewEntries({ workspaceId, after: null, limit: 10_000 })
    .entries.flatMap(({ claims }) => claims);
/** Returns the bytes that reviews added to their tables, each of which has a page from the start. */
const bytesAdded = (database: Database): number =>
  database
    .prepare(
      `SELECT sum(pgsize) - 4096 * count(DISTINCT name) FROM dbstat
       WHERE name GLOB '*review_*' OR name GLOB '*stored_*' OR name='claim_values'`,
    )
    .pluck()
    .get() as number;

test('a review takes at most 670 bytes with its event, at most 560 where one act is about many claims', () => {
  const single = openNew();
  for (let index = 0; index < claimCount; index += 1)
    single.userData.appendReview(actOn(index, [claimAt(index)]));
  expect(bytesAdded(single.file.database) / claimCount).toBeLessThan(670);
  // Each change is in the journal once more, until the next backup.
  expect(statSync(sideFilesOf(single.path).journal).size / claimCount).toBeLessThan(1_400);
  single.file.close();
  const bulk = openNew();
  bulk.userData.appendReview(
    actOn(
      0,
      kept.map((_text, index) => claimAt(index)),
    ),
  );
  expect(bytesAdded(bulk.file.database) / claimCount).toBeLessThan(560);
  expect(readKept(bulk.userData)).toHaveLength(claimCount);
  bulk.file.close();
});

/** A file as version 0.2 had it, with values as text, and its journal. */
function writeOld(path: string): unknown[] {
  const database = openDatabase(path, key);
  migrate(database, 'userData', { target: 5 });
  const putEvent = database.prepare(`INSERT INTO review_events
    (seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported)
    VALUES (?, ?, ?, ?, 'dana@example.com', 'flag', '{"kind":"flag","isFlagged":true}', NULL, NULL, NULL, 0)`);
  const putClaim = database.prepare('INSERT INTO review_event_claims VALUES (?, ?, ?, ?, ?)');
  const texts = [...kept, null];
  const rows = texts.map((text, index) => [40_000_000 + index, text, 'digest', index % 2 ? '{"a":1}' : null]);
  database.transaction(() => {
    for (const [index, [claimId, text, digest, detail]] of rows.entries()) {
      putEvent.run(index + 1, eventId(index), workspaceId, new Date(index * 1000).toISOString());
      putClaim.run(claimId, index + 1, text, digest, detail);
    }
  })();
  database.close();
  return rows;
}

test('the migration packs values that version 0.2 stored as text, and the file gets smaller', () => {
  const folder = makeTempFolder();
  const path = join(folder, 'ours.db');
  const rows = writeOld(path);
  const before = statSync(path).size;
  const told: number[] = [];
  const file = openFile(path, key, 'userData', {
    onProgress: ({ doing, done, of }) => doing === 'migrating' && told.push(of - done),
  });
  const later = migrationsOf.userData.filter(({ version }) => version > 5);
  const parts = later.flatMap(({ sql }) => sql).length;
  expect(told).toEqual(Array.from({ length: parts }, (_none, index) => parts - index));
  const userData = createUserDataOperations(file.database, path, key, () => undefined);
  expect(readKept(userData)).toEqual(rows);
  const kinds = file.database
    .prepare('SELECT typeof(reviewed), count(*) FROM review_event_claims GROUP BY 1 ORDER BY 1')
    .raw()
    .all();
  expect(kinds).toEqual([
    ['blob', claimCount],
    ['null', 1],
  ]);
  expect(file.database.pragma('freelist_count', { simple: true })).toBe(0);
  file.close();
  expect(statSync(path).size).toBeLessThan(before / 2.5);
});

test('if the migration is interrupted, the file is the old one, and the next start migrates it', () => {
  const folder = makeTempFolder();
  const path = join(folder, 'ours.db');
  const rows = writeOld(path);
  for (const stopAt of [0, 1, 2]) {
    const onProgress = ({ doing, done }: StoreProgress): void => {
      if (doing === 'migrating' && done === stopAt) throw new Error('stopped');
    };
    expect(() => openFile(path, key, 'userData', { onProgress })).toThrow('stopped');
    const old = openDatabase(path, key, { isReadOnly: true });
    expect(old.pragma('user_version', { simple: true })).toBe(5);
    const texts = old.prepare('SELECT reviewed FROM review_event_claims ORDER BY claim_id').pluck().all();
    expect(texts).toEqual([...kept, null]);
    old.close();
  }
  const file = openFile(path, key, 'userData');
  const userData = createUserDataOperations(file.database, path, key, () => undefined);
  expect(readKept(userData)).toEqual(rows);
  file.close();
});

test('if it is killed after the migration, before free pages are returned, the next start returns them', () => {
  const folder = makeTempFolder();
  const path = join(folder, 'ours.db');
  writeOld(path);
  const before = statSync(path).size;
  const database = openDatabase(path, key);
  migrate(database, 'userData');
  database.close();
  expect(statSync(path).size).toBeGreaterThanOrEqual(before);
  openFile(path, key, 'userData').close();
  expect(statSync(path).size).toBeLessThan(before / 2.5);
});

/** Breaks packed values inside a page that is whole, as a fault of a program would. */
function breakValues(path: string, claimId: number): void {
  const database = openDatabase(path, key);
  const changed = database
    .prepare(
      `UPDATE claim_values SET reviewed=CAST(substr(reviewed, 1, 20)||x'00'||substr(reviewed, 22) AS BLOB)
       WHERE n=(SELECT kept FROM stored_claims WHERE claim_id=?)`,
    )
    .run(claimId).changes;
  expect(changed).toBe(1);
  database.close();
}

function writeTwenty() {
  const { folder, path, file, userData } = openNew();
  for (let index = 0; index < 20; index += 1) {
    userData.appendReview(actOn(index, [claimAt(index)]));
    if (index === 10) userData.backUp(null);
  }
  file.close();
  return { folder, path };
}
const historyOf = async (path: string, index: number) => {
  const store = createUserDataStore({ filePath: path, readKey: async () => Buffer.from(key) });
  try {
    const wanted = { workspaceId, claimId: 40_000_000 + index, offset: 0, limit: 10 };
    return (await store.call('listReviewEvents', wanted)).events.map(({ reviewed }) => reviewed);
  } finally {
    await store.close();
  }
};

test('damaged values are found by a check and, when they are read, repaired from backup and journal', async () => {
  const { path } = writeTwenty();
  // One is in the backup, one in the journal.
  for (const index of [3, 15]) {
    breakValues(path, 40_000_000 + index);
    const damaged = openDatabase(path, key);
    expect(checkFile(damaged, false)).toMatchObject({ isSound: false, problems: 1 });
    expect(isSound(damaged)).toBe(false);
    damaged.close();
    expect(await historyOf(path, index)).toEqual([kept[index]]);
    const mended = openDatabase(path, key);
    expect(checkFile(mended, true)).toMatchObject({ isSound: true });
    mended.close();
  }
});

test('damaged values that exist nowhere else are reported as lost, and the event stays', async () => {
  const { path } = writeTwenty();
  breakValues(path, 40_000_003);
  breakValues(path, 40_000_015);
  rmSync(sideFilesOf(path).journal);
  await expect(historyOf(path, 15)).rejects.toMatchObject({ code: 'store.damaged' });
  const repaired = repairUserData({ filePath: path, key, mayLose: true });
  expect(repaired.outcome).toBe('repaired');
  expect(repaired.lost.map(({ what }) => what)).toContain('reviews');
  expect(await historyOf(path, 3)).toEqual([kept[3]]);
  expect(await historyOf(path, 15)).toEqual([null]);
  expect(await historyOf(path, 16)).toEqual([kept[16]]);
});

test('damaged values are not backed up, and the previous backup stays', () => {
  const { path } = writeTwenty();
  const before = listBackups(path);
  breakValues(path, 40_000_003);
  const file = openFile(path, key, 'userData');
  const userData = createUserDataOperations(file.database, path, key, () => undefined);
  expect(() => userData.backUp(null)).toThrow(expect.objectContaining({ code: 'store.damaged' }));
  file.close();
  expect(listBackups(path)).toEqual(before);
});

test('an earlier journal and backup with values as text restore a damaged file', async () => {
  const folder = makeTempFolder();
  const path = join(folder, 'ours.db');
  writeOld(path);
  const backup = 'ours-20260101T000000000Z.db';
  cpSync(path, join(folder, 'backups', backup));
  const journal = createJournal(sideFilesOf(path).journal, key);
  journal.restart(backup, 0);
  const claims = [[50_000_001, kept[1], 'digest', null]];
  const event = { at: '2026-01-01T00:00:00.000Z', author: 'dana@example.com', kind: 'flag' };
  const fact = '{"kind":"flag","isFlagged":true}';
  const rest = { filter: null, undoes: null, receipt: null, is_imported: 0 };
  const row = { seq: 5000, id: 'late', workspace_id: workspaceId, ...event, fact, ...rest, claims };
  journal.append({ kind: 'put', table: 'reviews', row });
  writeKeyCheck(path, key);
  writeFileSync(path, testBytes(20_000));
  expect(repairUserData({ filePath: path, key, mayLose: false })).toMatchObject({
    outcome: 'repaired',
    lost: [],
  });
  expect(await historyOf(path, 7)).toEqual([kept[7]]);
  expect(await historyOf(path, 10_000_001)).toEqual([kept[1]]);
});
