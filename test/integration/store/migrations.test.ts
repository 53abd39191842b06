import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { StoreProgress } from '../../../src/contract/store.ts';
import { listBackups } from '../../../src/main/engine/store/file/backup.ts';
import type { Database } from '../../../src/main/engine/store/file/database.ts';
import { migrate } from '../../../src/main/engine/store/file/migrate.ts';
import { migrationsOf, newestVersionOf } from '../../../src/main/engine/store/file/migration-list.ts';
import { readMarks, sideFilesOf } from '../../../src/main/engine/store/file/side-files.ts';
import { checkRecords } from '../../../src/main/engine/store/maintenance/check-records.ts';
import { repairRecords } from '../../../src/main/engine/store/maintenance/repair-records.ts';
import {
  openRecords,
  openRecordsFile,
  recordsPageBytes,
} from '../../../src/main/engine/store/record/open-records.ts';
import { createReadOperations } from '../../../src/main/engine/store/threads/operations.ts';
import { runUntilKilled } from '../../support/killed-program.ts';
import { copyOldRecords } from '../../support/old-records.ts';
import { type JsonRecord, parseExactly } from '../../support/profile-fixture/parse-exactly.ts';
import { fuzzRuns } from '../../support/seeds.ts';
import { makeSharedFolder } from '../../support/temp-folder.ts';

const program = fileURLToPath(new URL('../../support/migrate-program.ts', import.meta.url));
/** The version of the file that 0.2 wrote. */
const oldVersion = 15;
const folder = makeSharedFolder();
let key: Buffer;
let count: number;
let samples: readonly JsonRecord[];
beforeAll(() => {
  const old = copyOldRecords();
  cpSync(dirname(old.filePath), join(folder, 'old'), { recursive: true });
  old.remove();
  ({ key } = old);
  const { claims } = old.sent;
  count = claims.length;
  samples = [0, Math.floor(count / 2), count - 1].flatMap((index) => claims[index] ?? []);
});

const versionOf = (database: Database): number => database.pragma('user_version', { simple: true }) as number;

function copyOld(name: string): string {
  const target = join(folder, name);
  cpSync(join(folder, 'old'), target, { recursive: true });
  return join(target, 'records.db');
}

const countClaims = (database: Database): unknown =>
  database.prepare('SELECT count(*) FROM claims').pluck().get();

function expectWhole(database: Database): void {
  expect(checkRecords(database, true)).toMatchObject({ isSound: true });
  expect(countClaims(database)).toBe(count);
  const read = createReadOperations(database);
  const texts = read.readRecords({ entity: 'claims', keys: samples.map(({ id }) => id), isSsnShown: true });
  expect(texts.map((text) => parseExactly(text ?? ''))).toEqual(samples);
}

/** A file of an older version cannot be read by the code of today: it has neither its columns nor its marks. */
function expectOld(database: Database): void {
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(countClaims(database)).toBe(count);
}

test('the numbers of the migrations rise, and a new file has them all', () => {
  for (const file of ['records', 'userData'] as const) {
    const versions = migrationsOf[file].map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(versions.at(-1)).toBe(newestVersionOf(file));
  }
});

test('an old file is backed up, verified, before it is migrated; the backup is the old file', () => {
  const path = copyOld('backed-up');
  const file = openRecordsFile(path, key);
  expect(versionOf(file.database)).toBe(newestVersionOf('records'));
  expectWhole(file.database);
  file.close();
  const [backup, ...others] = listBackups(path);
  expect(others).toEqual([]);
  expect(backup?.name).toMatch(new RegExp(`^records-before-v${oldVersion}-`));
  const old = openRecords(join(folder, 'backed-up', 'backups', backup?.name ?? ''), key, {
    isReadOnly: true,
  });
  expect(versionOf(old)).toBe(oldVersion);
  expectOld(old);
  old.close();
});

test('its backup and its migration report progress, and opening again reports nothing', () => {
  const path = copyOld('told');
  const told: StoreProgress[] = [];
  openRecordsFile(path, key, { onProgress: (progress) => told.push(progress) }).close();
  expect([...new Set(told.map(({ doing }) => doing))]).toEqual(['backingUp', 'checkingBackup', 'migrating']);
  for (const doing of ['checkingBackup', 'migrating']) {
    const parts = told.filter((one) => one.doing === doing);
    expect(parts.map(({ done }) => done)).toEqual(parts.map((_part, index) => index));
    expect(parts.every(({ of }) => of === parts.length)).toBe(true);
  }
  const again: StoreProgress[] = [];
  openRecordsFile(path, key, { onProgress: (progress) => again.push(progress) }).close();
  openRecordsFile(join(folder, 'new.db'), key, { onProgress: (progress) => again.push(progress) }).close();
  expect(again).toEqual([]);
});

test('with many claims, a few thousand are changed at once, each time reported', () => {
  const database = openRecords(copyOld('many'), key);
  migrate(database);
  const others = (
    database.prepare("SELECT name FROM pragma_table_info('claims')").pluck().all() as string[]
  ).filter((name) => name !== 'id');
  database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<11000)
    INSERT INTO claims (id, ${others.join(', ')})
    SELECT 9000000000+i*7, ${others.join(', ')} FROM n, (SELECT * FROM claims LIMIT 1)`);
  const sql = ['ALTER TABLE claims ADD COLUMN half INTEGER;', { rowsOf: 'claims', sql: halve }];
  const migrations = migrationsOf.records as { version: number; sql: unknown }[];
  migrations.push({ version: newestVersionOf('records') + 1, sql });
  onTestFinished(() => void migrations.pop());
  const told: StoreProgress[] = [];
  migrate(database, 'records', { onProgress: (progress) => told.push(progress) });
  // A column, three times up to 5,000 claims.
  expect(told.map(({ done, of }) => [done, of])).toEqual([0, 1, 2, 3].map((done) => [done, 4]));
  expect(database.prepare('SELECT count(*) FROM claims WHERE half IS NOT id/2').pluck().get()).toBe(0);
  database.close();
});
const halve = 'UPDATE claims SET half=id/2 WHERE id>? AND id<=?';

test('a version before the first release is unknown, and the file is unchanged', () => {
  const database = openRecords(copyOld('unknown'), key);
  database.pragma(`user_version=${oldVersion - 1}`);
  expect(() => migrate(database)).toThrow(expect.objectContaining({ code: 'store.newer' }));
  expect(versionOf(database)).toBe(oldVersion - 1);
  database.close();
});

test('while another process reads, the backup is made anyway', () => {
  const path = copyOld('read');
  const writing = openRecords(path, key);
  writing.exec("UPDATE claims SET remarks='late' WHERE id=(SELECT max(id) FROM claims)");
  const reader = openRecords(path, key, { isReadOnly: true });
  const reading = reader.prepare('SELECT id FROM claims').iterate();
  reading.next();
  writing.close();
  const file = openRecordsFile(path, key);
  reading.return?.();
  reader.close();
  file.close();
  const [backup] = listBackups(path);
  const old = openRecords(join(dirname(path), 'backups', backup?.name ?? ''), key, { isReadOnly: true });
  expectOld(old);
  expect(old.prepare('SELECT remarks FROM claims ORDER BY id DESC').pluck().get()).toBe('late');
  old.close();
});

test('a damaged old file is not migrated: neither it nor its copy counts as a backup', () => {
  const path = copyOld('damaged');
  const before = openRecords(path, key);
  const page = before.prepare("SELECT max(pageno) FROM dbstat WHERE name='claims'").pluck().get() as number;
  before.close();
  const bytes = readFileSync(path);
  const at = (page - 1) * recordsPageBytes + 100;
  bytes[at] = (bytes[at] ?? 0) ^ 16;
  writeFileSync(path, bytes);
  expect(() => openRecordsFile(path, key)).toThrow(expect.objectContaining({ code: 'store.damaged' }));
  expect(listBackups(path)).toEqual([]);
  const after = openRecords(path, key);
  expect(versionOf(after)).toBe(oldVersion);
  after.close();
  // The repair takes the old file unmigrated: what can be read goes into a file of the newest version.
  const told: StoreProgress[] = [];
  const onProgress = (progress: StoreProgress): void => void told.push(progress);
  const asked = repairRecords({ filePath: path, key, mayLose: false, onProgress });
  // Claims that cannot be read in one go are looked for in every index: each read is told.
  const reads = told.filter(({ doing }) => doing === 'findingRecords');
  expect(reads.length).toBeGreaterThan(5);
  expect(reads.every(({ done, of }) => done < of)).toBe(true);
  expect(told.map(({ doing }) => doing)).toContain('backingUp');
  expect(asked).toMatchObject({ outcome: 'needsConsent', lost: [{ what: 'claims' }] });
  const lost = asked.lost[0]?.count ?? 0;
  expect(lost).toBeGreaterThan(0);
  expect(repairRecords({ filePath: path, key, mayLose: true })).toMatchObject({
    outcome: 'repaired',
    lost: asked.lost,
  });
  const repaired = openRecordsFile(path, key);
  expect(versionOf(repaired.database)).toBe(newestVersionOf('records'));
  expect(countClaims(repaired.database)).toBe(count - lost);
  repaired.close();
});

test('opening again makes no other backup, and a newer file is refused unchanged', () => {
  const path = copyOld('newer');
  openRecordsFile(path, key).close();
  openRecordsFile(path, key).close();
  expect(listBackups(path)).toHaveLength(1);
  const database = openRecords(path, key);
  database.pragma(`user_version=${newestVersionOf('records') + 1}`);
  database.close();
  expect(() => openRecordsFile(path, key)).toThrow(expect.objectContaining({ code: 'store.newer' }));
  expect(listBackups(path)).toHaveLength(1);
});

test('the first page of an updated file is restored', () => {
  const path = copyOld('first-page');
  openRecordsFile(path, key).close();
  expect(statSync(sideFilesOf(path).firstPage).size).toBe(recordsPageBytes);
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(2000) ^ 0xff, 2000);
  writeFileSync(path, bytes);
  const old = openRecordsFile(path, key);
  expectWhole(old.database);
  old.close();
  expect(readMarks(path).lastRepair).toMatchObject({ outcome: 'repaired', lost: [] });
});

test('a failed backup stops the migration, and the file is unchanged', () => {
  const database = openRecords(copyOld('refused'), key);
  const backUp = (): never => {
    throw Object.assign(new Error(), { code: 'ENOSPC' });
  };
  expect(() => migrate(database, 'records', { backUp })).toThrow();
  expect(versionOf(database)).toBe(oldVersion);
  database.close();
});

test('killed at any moment of it, the file is the old one or the new one, whole', async () => {
  let killed = 0;
  for (let run = 0; run < Math.min(fuzzRuns(6), 100); run += 1) {
    const path = copyOld(`killed-${run}`);
    const killAfterMs = ((run * 23) % 400) + (run % 7) * 3;
    const { isDone } = await runUntilKilled([program, path, key.toString('hex')], killAfterMs);
    if (!isDone) killed += 1;
    const before = openRecords(path, key);
    expect(migrationsOf.records.map(({ version }) => version)).toContain(versionOf(before));
    if (versionOf(before) === newestVersionOf('records')) expectWhole(before);
    else expectOld(before);
    before.close();
    const after = openRecordsFile(path, key);
    expect(versionOf(after.database)).toBe(newestVersionOf('records'));
    expectWhole(after.database);
    after.close();
    const backups = join(path, '..', 'backups');
    if (existsSync(backups)) expect(readdirSync(backups).filter((name) => name.includes('.tmp'))).toEqual([]);
    rmSync(join(path, '..'), { recursive: true, force: true });
  }
  expect(killed).toBeGreaterThan(0);
});
