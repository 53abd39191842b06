import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditAnchor } from '../../../src/main/engine/store/audit-entries.ts';
import { listBackups } from '../../../src/main/engine/store/backup.ts';
import { openConnection } from '../../../src/main/engine/store/connection.ts';
import { migrate } from '../../../src/main/engine/store/migrate.ts';
import { openFile } from '../../../src/main/engine/store/open-file.ts';
import { createOurOperations } from '../../../src/main/engine/store/our-operations.ts';
import { createOurStore } from '../../../src/main/engine/store/our-store.ts';
import { repairOurs } from '../../../src/main/engine/store/recover-ours.ts';
import { readMarks, sideFilesOf } from '../../../src/main/engine/store/side-files.ts';
import { fuzzRuns } from '../../support/engine-records.ts';
import { makeDamage } from '../../support/store-damage.ts';

const key = randomBytes(32);
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const noteOf = (index: number, text = `note ${index}`) => ({
  id: `note-${index}`,
  workspace_id: 'w',
  target: 'claim',
  record_id: index,
  kind: 'note',
  text,
  facts: null,
  created_at: at(index),
  updated_at: at(index),
});

let folder: string;
let taken: string;
let anchor: AuditAnchor;
/** The second file with a backup in the middle of what was written, as an orderly close or a kill leaves it. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'claimdesk-ours-'));
  const path = join(folder, 'source', 'ours.db');
  mkdirSync(join(folder, 'source'));
  const file = openFile(path, key, 'ours');
  const ours = createOurOperations(file.connection, path, key);
  const append = (index: number): void => {
    anchor = ours.appendAudit({
      action: 'ssn.revealed',
      workspaceId: 'w',
      details: { index },
      at: at(index),
    });
  };
  for (let index = 0; index < 120; index += 1) {
    ours.saveNote(noteOf(index));
    append(index);
    if (index === 60) {
      ours.backUp(null);
      ours.removeNote({ workspaceId: 'w', id: 'note-3' });
    }
  }
  ours.saveNote({ ...noteOf(5, 'note 5, changed'), updated_at: at(500) });
  ours.removeNote({ workspaceId: 'w', id: 'note-100' });
  ours.saveView({
    id: 'v',
    workspace_id: 'w',
    name: 'Mine',
    query: '{}',
    created_at: at(1),
    updated_at: at(1),
  });
  file.noteWritten();
  taken = join(folder, 'taken');
  cpSync(join(folder, 'source'), taken, { recursive: true, filter: (path) => !path.endsWith('-shm') });
  file.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

const expected = (): string[] =>
  Array.from({ length: 120 }, (_none, index) => index)
    .filter((index) => index !== 3 && index !== 100)
    .map((index) => (index === 5 ? 'note 5, changed' : `note ${index}`));

async function readBack(path: string) {
  const store = createOurStore({ filePath: path, readKey: async () => Buffer.from(key) });
  try {
    const notes = (await store.call('listNotes', { workspaceId: 'w' })).map(({ text }) => text);
    const views = await store.call('listViews', { workspaceId: 'w' });
    return { notes, views: views.length, verdict: await store.call('verifyAudit', anchor) };
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
    const what = makeDamage(seed + 1_000, names)(copy);
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
    const what = makeDamage(seed + 5_000, ['ours.db.journal', ...backups])(copy);
    const { notes, verdict } = await readBack(join(copy, 'ours.db'));
    expect(notes, what).toEqual(expected());
    expect(verdict, what).toMatchObject({ isIntact: true });
    rmSync(copy, { recursive: true, force: true });
  },
);

test('where file and journal are both broken, a person is asked; what can be read stays, what not is said', async () => {
  const copy = join(folder, 'both');
  cpSync(taken, copy, { recursive: true });
  const path = join(copy, 'ours.db');
  const side = sideFilesOf(path);
  for (const gone of [side.log, side.firstPage]) rmSync(gone, { force: true });
  writeFileSync(path, randomBytes(40_000));
  const journal = side.journal;
  writeFileSync(journal, randomBytes(3_000));
  await expect(readBack(path)).rejects.toMatchObject({ code: 'store.damaged' });
  const asked = repairOurs({ filePath: path, key, mayLose: false });
  expect(asked).toMatchObject({ outcome: 'needsConsent', keptAside: null });
  const done = repairOurs({ filePath: path, key, mayLose: true });
  expect(done.outcome).toBe('repaired');
  expect(done.lost.map(({ what }) => what)).toEqual(['notes', 'views', 'auditEntries']);
  expect(existsSync(join(side.keptAsideDir, done.keptAside ?? ''))).toBe(true);
  const { notes } = await readBack(path);
  expect(notes).toContain('note 20');
  expect(readMarks(path).lastRepair?.outcome).toBe('repaired');
});

test('a file from before there were notes is backed up, migrated, and has a journal from then on', async () => {
  const path = join(folder, 'old', 'ours.db');
  mkdirSync(join(folder, 'old'), { recursive: true });
  const connection = openConnection(path, key);
  migrate(connection, 'ours', { target: 1 });
  connection.prepare("INSERT INTO audit VALUES (1, 'x', 'y', NULL, '{}', 'h')").run();
  connection.close();
  const store = createOurStore({ filePath: path, readKey: async () => Buffer.from(key) });
  await store.call('saveNote', noteOf(1));
  await store.close();
  const names = listBackups(path).map(({ name }) => name);
  expect(names.some((name) => name.startsWith('ours-before-v1-'))).toBe(true);
  writeFileSync(path, randomBytes(20_000));
  const repaired = repairOurs({ filePath: path, key, mayLose: false });
  expect(repaired).toMatchObject({ outcome: 'repaired', lost: [] });
  const after = createOurStore({ filePath: path, readKey: async () => Buffer.from(key) });
  expect((await after.call('listNotes', { workspaceId: 'w' })).map(({ text }) => text)).toEqual(['note 1']);
  expect((await after.call('listAudit', { offset: 0, limit: 5 })).total).toBe(1);
  await after.close();
});

test('another key never opens it, nor is anything repaired with one', async () => {
  const copy = join(folder, 'wrong-key');
  cpSync(taken, copy, { recursive: true });
  const path = join(copy, 'ours.db');
  const other = randomBytes(32);
  const store = createOurStore({ filePath: path, readKey: async () => Buffer.from(other) });
  await expect(store.call('listNotes', { workspaceId: 'w' })).rejects.toMatchObject({
    code: 'store.wrongKey',
  });
  expect(() => repairOurs({ filePath: path, key: other, mayLose: true })).toThrow(
    expect.objectContaining({ code: 'store.wrongKey' }),
  );
  expect((await readBack(path)).notes).toEqual(expected());
});

test('two that find the damage at once do not repair at once; a claim of the killed is no obstacle', async () => {
  const copy = join(folder, 'two');
  cpSync(taken, copy, { recursive: true });
  const path = join(copy, 'ours.db');
  writeFileSync(path, randomBytes(30_000));
  const { repairing } = sideFilesOf(path);
  writeFileSync(repairing, '');
  expect(() => repairOurs({ filePath: path, key, mayLose: false })).toThrow(
    expect.objectContaining({ code: 'store.busy' }),
  );
  const old = new Date(Date.now() - 600_000);
  utimesSync(repairing, old, old);
  expect(repairOurs({ filePath: path, key, mayLose: false })).toMatchObject({
    outcome: 'repaired',
    lost: [],
  });
  expect(existsSync(repairing)).toBe(false);
  expect((await readBack(path)).notes).toEqual(expected());
});
