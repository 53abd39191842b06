import { cpSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { listBackups } from '../../../src/main/engine/store/file/backup.ts';
import { openDatabase } from '../../../src/main/engine/store/file/database.ts';
import { migrate } from '../../../src/main/engine/store/file/migrate.ts';
import { openFile } from '../../../src/main/engine/store/file/open-file.ts';
import { readMarks, sideFilesOf, writeMarks } from '../../../src/main/engine/store/file/side-files.ts';
import { emptyLog, readLogUse } from '../../../src/main/engine/store/file/wal-state.ts';
import { createUserDataOperations } from '../../../src/main/engine/store/threads/user-data-operations.ts';
import {
  createUserDataStore,
  type UserDataStore,
} from '../../../src/main/engine/store/threads/user-data-store.ts';
import type { AuditAnchor } from '../../../src/main/engine/store/user-data/audit-chain.ts';
import { repairUserData } from '../../../src/main/engine/store/user-data/repair-user-data.ts';
import type { AppendedAct } from '../../../src/main/engine/store/user-data/reviews.ts';
import type { ReviewFact } from '../../../src/rules/review/event-kinds.ts';
import { subjectOfMember } from '../../../src/rules/review/member-subject.ts';
import { fuzzRuns, seedFrom, testBytes } from '../../support/seeds.ts';
import { makeDamage } from '../../support/store-damage.ts';
import { makeSharedFolder, makeTempFolder } from '../../support/temp-folder.ts';

const key = testBytes(32);
const auditKey = testBytes(32, 7);
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const eventOf = (id: string, minute: number, claimId: number, fact: ReviewFact): AppendedAct => ({
  workspaceId: 'w',
  id,
  nowMs: Date.parse(at(minute)),
  author: 'dana@example.com',
  fact,
  filter: null,
  undoes: null,
  receipt: null,
  isStaged: false,
  claims: [{ claimId, reviewed: null, digest: null }],
});
const noteOf = (index: number): AppendedAct =>
  eventOf(`note-${index}`, index, index, { kind: 'note', text: `note ${index}` });

const folder = makeSharedFolder();
let taken: string;
let anchor: AuditAnchor;
/** The second file with a backup in the middle of what was written, as an orderly close or a kill leaves it. */
beforeAll(() => {
  const path = join(folder, 'source', 'ours.db');
  mkdirSync(join(folder, 'source'));
  const file = openFile(path, key, 'userData');
  const userData = createUserDataOperations(file.database, path, key, () => undefined);
  const append = (index: number): void => {
    const appended = userData.appendAudit({
      record: { action: 'ssn.revealed', workspaceId: 'w', details: { index } },
      at: at(index),
      actor: 'dana',
      key: auditKey,
    });
    if (appended !== null) anchor = appended.newest;
  };
  for (let index = 0; index < 120; index += 1) {
    userData.appendReview(noteOf(index));
    append(index);
    if (index === 60) {
      userData.backUp(null);
      userData.appendReview(eventOf('d3', index, 3, { kind: 'deleteNote', noteId: 'note-3' }));
    }
  }
  const changed = { kind: 'editNote', noteId: 'note-5', text: 'note 5, changed' } as const;
  userData.appendReview(eventOf('e5', 500, 5, changed));
  userData.appendReview(eventOf('d100', 501, 100, { kind: 'deleteNote', noteId: 'note-100' }));
  const call: ReviewFact = { kind: 'note', text: 'a call', claimIds: [5, 7] };
  userData.appendReview(eventOf('call', 502, subjectOfMember(7), call));
  userData.saveView({
    id: 'v',
    workspace_id: 'w',
    name: 'Mine',
    query: '{}',
    created_at: at(1),
    updated_at: at(1),
  });
  file.updateMarks();
  taken = join(folder, 'taken');
  cpSync(join(folder, 'source'), taken, { recursive: true, filter: (path) => !path.endsWith('-shm') });
  file.close();
});

const expected = (): string[] => [
  'a call',
  ...Array.from({ length: 120 }, (_none, index) => index)
    .filter((index) => index !== 3 && index !== 100)
    .map((index) => (index === 5 ? 'note 5, changed' : `note ${index}`)),
];

async function readNotes(store: UserDataStore): Promise<string[]> {
  const reviews = await store.call('foldReviews', { workspaceId: 'w', claimIds: null });
  return reviews.flatMap(({ notes }) => notes.map(({ text }) => text));
}

async function readBack(path: string) {
  const store = createUserDataStore({ filePath: path, readKey: async () => Buffer.from(key) });
  try {
    const notes = await readNotes(store);
    const views = await store.call('listViews', { workspaceId: 'w' });
    return {
      notes,
      views: views.length,
      verdict: await store.call('verifyAudit', { anchors: [anchor], key: auditKey }),
    };
  } finally {
    await store.close();
  }
}

const names = [
  'ours.db',
  'ours.db',
  'ours.db',
  'ours.db-wal',
  'ours.db.check',
  'ours.db.marks',
  'ours.db.page1',
];

test.each(Array.from({ length: Math.min(fuzzRuns(10), 200) }, (_none, index) => index))(
  'damage %i of the second file: every note, view and audit entry is still there',
  async (seed) => {
    const copy = join(folder, `copy-${seed}`);
    cpSync(taken, copy, { recursive: true });
    const what = makeDamage(seedFrom(seed + 1_000), names)(copy);
    const path = join(copy, 'ours.db');
    const { notes, views, verdict } = await readBack(path);
    expect(notes, what).toEqual(expected());
    expect(views, what).toBe(1);
    expect(verdict, what).toMatchObject({ isIntact: true, entries: 120 });
    rmSync(copy, { recursive: true, force: true });
  },
);

test.each(Array.from({ length: Math.min(fuzzRuns(4), 200) }, (_none, index) => index))(
  'damage %i of its journal or backups costs nothing while the file itself is whole',
  async (seed) => {
    const copy = join(folder, `other-${seed}`);
    cpSync(taken, copy, { recursive: true });
    const backups = listBackups(join(copy, 'ours.db')).map(({ name }) => join('backups', name));
    const what = makeDamage(seedFrom(seed + 5_000), ['ours.db.journal', ...backups])(copy);
    const { notes, verdict } = await readBack(join(copy, 'ours.db'));
    expect(notes, what).toEqual(expected());
    expect(verdict, what).toMatchObject({ isIntact: true });
    rmSync(copy, { recursive: true, force: true });
  },
);

test('if file and journal are both broken, the user is asked; what can be read is kept, the rest is reported', async () => {
  const copy = join(folder, 'both');
  cpSync(taken, copy, { recursive: true });
  const path = join(copy, 'ours.db');
  const side = sideFilesOf(path);
  for (const missing of [side.log, side.firstPage]) rmSync(missing, { force: true });
  writeFileSync(path, testBytes(40_000));
  const journal = side.journal;
  writeFileSync(journal, testBytes(3_000, 2));
  await expect(readBack(path)).rejects.toMatchObject({
    code: 'store.damaged',
    details: { file: 'userData' },
  });
  const asked = repairUserData({ filePath: path, key, mayLose: false });
  expect(asked).toMatchObject({ outcome: 'needsConsent', keptAside: null });
  const done = repairUserData({ filePath: path, key, mayLose: true });
  expect(done.outcome).toBe('repaired');
  expect(done.lost.map(({ what }) => what)).toEqual(['reviews', 'views', 'auditEntries']);
  expect(existsSync(join(side.keptAsideDir, done.keptAside ?? ''))).toBe(true);
  const { notes } = await readBack(path);
  expect(notes).toContain('note 20');
  expect(readMarks(path).lastRepair?.outcome).toBe('repaired');
});

test('a file of an older version is backed up, migrated, and has a journal from then on', async () => {
  const path = join(folder, 'old', 'ours.db');
  mkdirSync(join(folder, 'old'), { recursive: true });
  const database = openDatabase(path, key);
  migrate(database, 'userData', { target: 5 });
  database.prepare("INSERT INTO audit VALUES (1, 'x', 'y', NULL, '{}', 'h', NULL)").run();
  database.close();
  const store = createUserDataStore({ filePath: path, readKey: async () => Buffer.from(key) });
  await store.call('appendReview', noteOf(1));
  await store.close();
  const names = listBackups(path).map(({ name }) => name);
  expect(names.some((name) => name.startsWith('ours-before-v5-'))).toBe(true);
  writeFileSync(path, testBytes(20_000));
  const repaired = repairUserData({ filePath: path, key, mayLose: false });
  expect(repaired).toMatchObject({ outcome: 'repaired', lost: [] });
  const after = createUserDataStore({ filePath: path, readKey: async () => Buffer.from(key) });
  expect(await readNotes(after)).toEqual(['note 1']);
  expect((await after.call('listAudit', { offset: 0, limit: 5 })).total).toBe(1);
  await after.close();
});

test('another key never opens it, and nothing is repaired with one', async () => {
  const copy = join(folder, 'wrong-key');
  cpSync(taken, copy, { recursive: true });
  const path = join(copy, 'ours.db');
  const other = testBytes(32, 2);
  const store = createUserDataStore({ filePath: path, readKey: async () => Buffer.from(other) });
  await expect(store.call('foldReviews', { workspaceId: 'w', claimIds: null })).rejects.toMatchObject({
    code: 'store.wrongKey',
  });
  expect(() => repairUserData({ filePath: path, key: other, mayLose: true })).toThrow(
    expect.objectContaining({ code: 'store.wrongKey' }),
  );
  expect((await readBack(path)).notes).toEqual(expected());
});

test('two processes that find the damage do not repair it at the same time; a killed one’s claim does not block', async () => {
  const copy = join(folder, 'two');
  cpSync(taken, copy, { recursive: true });
  const path = join(copy, 'ours.db');
  writeFileSync(path, testBytes(30_000));
  const { repairing } = sideFilesOf(path);
  writeFileSync(repairing, '');
  expect(() => repairUserData({ filePath: path, key, mayLose: false })).toThrow(
    expect.objectContaining({ code: 'store.busy' }),
  );
  const old = new Date(Date.now() - 600_000);
  utimesSync(repairing, old, old);
  expect(repairUserData({ filePath: path, key, mayLose: false })).toMatchObject({
    outcome: 'repaired',
    lost: [],
  });
  expect(existsSync(repairing)).toBe(false);
  expect((await readBack(path)).notes).toEqual(expected());
});

test('a failed backup is reported, marked until one succeeds, and undoes nothing', () => {
  const path = join(makeTempFolder(), 'ours.db');
  const file = openFile(path, key, 'userData');
  const troubles: unknown[] = [];
  const userData = createUserDataOperations(file.database, path, key, (thrown) => troubles.push(thrown));
  const { backupsDir } = sideFilesOf(path);
  writeFileSync(backupsDir, 'a file where the folder should be');
  userData.appendReview(noteOf(1));
  expect(troubles).toHaveLength(1);
  expect(readMarks(path).failedBackup).toMatchObject({ at: expect.any(String), code: expect.any(String) });
  expect(userData.foldReviews({ workspaceId: 'w', claimIds: null })).toHaveLength(1);
  rmSync(backupsDir);
  userData.appendReview(noteOf(2));
  expect(readMarks(path).failedBackup).toBeNull();
  expect(troubles).toHaveLength(1);
  file.close();
});

test.each(['a removal', 'the end'])(
  'if it is killed after the log was emptied for %s, the file is complete, and nothing counts as lost',
  (what) => {
    const path = join(makeTempFolder(), 'ours.db');
    const file = openFile(path, key, 'userData');
    const userData = createUserDataOperations(file.database, path, key, () => undefined);
    for (let index = 0; index < 3; index += 1) userData.appendReview(noteOf(index));
    const log = readLogUse(path, file.database);
    expect(log?.frames).toBeGreaterThan(0);
    writeMarks(path, { isOpen: true, log });
    if (what === 'a removal') userData.forgetWritten({ workspaceId: 'w', claimIds: [1] });
    else emptyLog(path, file.database);
    const killed = join(makeTempFolder(), 'profile');
    cpSync(dirname(path), killed, { recursive: true });
    file.close();
    const again = openFile(join(killed, 'ours.db'), key, 'userData');
    expect(readMarks(join(killed, 'ours.db')).lastRepair).toBeNull();
    again.close();
  },
);

test('a log that is lost after another process kept it from being emptied counts as damage', () => {
  const path = join(makeTempFolder(), 'ours.db');
  const file = openFile(path, key, 'userData');
  createUserDataOperations(file.database, path, key, () => undefined).appendReview(noteOf(1));
  const reader = openDatabase(path, key, { isReadOnly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM audit').get();
  file.database.exec("INSERT INTO review_texts (text) VALUES ('last')");
  file.database.pragma('busy_timeout=0');
  file.close();
  reader.exec('COMMIT');
  reader.close();
  rmSync(sideFilesOf(path).log);
  expect(() => openFile(path, key, 'userData')).toThrow('damaged');
});
