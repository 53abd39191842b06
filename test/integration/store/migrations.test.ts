import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBackups } from '../../../src/main/engine/store/file/backup.ts';
import type { Connection } from '../../../src/main/engine/store/file/connection.ts';
import { migrate, migrationsOf, newestVersionOf } from '../../../src/main/engine/store/file/migrate.ts';
import { readMarks, sideFilesOf } from '../../../src/main/engine/store/file/side-files.ts';
import { checkRecords } from '../../../src/main/engine/store/maintenance/check-records.ts';
import {
  openRecords,
  openRecordsFile,
  recordsPageBytes,
} from '../../../src/main/engine/store/record/open-records.ts';
import { createReadOperations } from '../../../src/main/engine/store/threads/operations.ts';
import { copyOldRecords } from '../../support/old-records.ts';
import { type JsonRecord, parseExactly } from '../../support/profile-fixture/parse-exactly.ts';
import { fuzzRuns } from '../../support/seeds.ts';

const program = fileURLToPath(new URL('../../support/migrate-program.ts', import.meta.url));
/** The version of the file that 0.1 wrote. */
const oldVersion = 3;
let folder: string;
let key: Buffer;
let count: number;
let samples: readonly JsonRecord[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'claimdesk-migrations-'));
  const old = copyOldRecords('lakeside');
  cpSync(dirname(old.filePath), join(folder, 'old'), { recursive: true });
  old.remove();
  ({ key } = old);
  const { claims } = old.sent;
  count = claims.length;
  samples = [0, Math.floor(count / 2), count - 1].flatMap((index) => claims[index] ?? []);
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

const versionOf = (connection: Connection): number =>
  connection.pragma('user_version', { simple: true }) as number;

function copyOld(name: string): string {
  const target = join(folder, name);
  cpSync(join(folder, 'old'), target, { recursive: true });
  return join(target, 'records.db');
}

const countClaims = (connection: Connection): unknown =>
  connection.prepare('SELECT count(*) FROM claims').pluck().get();

function expectWhole(connection: Connection): void {
  expect(checkRecords(connection, true)).toMatchObject({ isSound: true });
  expect(countClaims(connection)).toBe(count);
  const read = createReadOperations(connection);
  const texts = read.readRecords({ entity: 'claims', keys: samples.map(({ id }) => id), isSsnShown: true });
  expect(texts.map((text) => parseExactly(text ?? ''))).toEqual(samples);
}

/** A file of an older version cannot be read by the code of today: it has neither its columns nor its marks. */
function expectOld(connection: Connection): void {
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(countClaims(connection)).toBe(count);
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
  expect(versionOf(file.connection)).toBe(newestVersionOf('records'));
  expectWhole(file.connection);
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

test('opening again makes no other backup, and a newer file is refused as it is', () => {
  const path = copyOld('newer');
  openRecordsFile(path, key).close();
  openRecordsFile(path, key).close();
  expect(listBackups(path)).toHaveLength(1);
  const connection = openRecords(path, key);
  connection.pragma(`user_version=${newestVersionOf('records') + 1}`);
  connection.close();
  expect(() => openRecordsFile(path, key)).toThrow(expect.objectContaining({ code: 'store.newer' }));
  expect(listBackups(path)).toHaveLength(1);
});

test('an old file keeps the size of its pages, its first page is put back, and a new file has larger pages', () => {
  const path = copyOld('old-pages');
  openRecordsFile(path, key).close();
  expect(statSync(sideFilesOf(path).firstPage).size).toBe(4096);
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(2000) ^ 0xff, 2000);
  writeFileSync(path, bytes);
  const old = openRecordsFile(path, key);
  expect(old.connection.pragma('page_size', { simple: true })).toBe(4096);
  expectWhole(old.connection);
  old.close();
  expect(readMarks(path).lastRepair).toMatchObject({ outcome: 'repaired', lost: [] });

  const young = join(folder, 'young.db');
  openRecordsFile(young, key).close();
  expect(statSync(sideFilesOf(young).firstPage).size).toBe(recordsPageBytes);
  expect(statSync(young).size % recordsPageBytes).toBe(0);
});

test('a backup that fails stops the migration, and the file stays as it was', () => {
  const connection = openRecords(copyOld('refused'), key);
  const backUp = (): never => {
    throw Object.assign(new Error(), { code: 'ENOSPC' });
  };
  expect(() => migrate(connection, 'records', { backUp })).toThrow();
  expect(versionOf(connection)).toBe(oldVersion);
  connection.close();
});

test('killed at any moment of it, the file is the old one or the new one, whole', async () => {
  let killed = 0;
  for (let run = 0; run < Math.min(fuzzRuns(6), 100); run += 1) {
    const path = copyOld(`killed-${run}`);
    const child = spawn(process.execPath, [program, path, key.toString('hex')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    });
    let said = '';
    child.stdout.on('data', (text) => {
      said += String(text);
    });
    const closed = once(child, 'close');
    await Promise.race([once(child.stdout, 'data'), closed]);
    expect(said).toContain('begun');
    await wait(((run * 23) % 400) + (run % 7) * 3);
    child.kill('SIGKILL');
    await closed;
    if (!said.includes('done')) killed += 1;
    const before = openRecords(path, key);
    expect(migrationsOf.records.map(({ version }) => version)).toContain(versionOf(before));
    if (versionOf(before) === newestVersionOf('records')) expectWhole(before);
    else expectOld(before);
    before.close();
    const after = openRecordsFile(path, key);
    expect(versionOf(after.connection)).toBe(newestVersionOf('records'));
    expectWhole(after.connection);
    after.close();
    const backups = join(path, '..', 'backups');
    if (existsSync(backups)) expect(readdirSync(backups).filter((name) => name.includes('.tmp'))).toEqual([]);
    rmSync(join(path, '..'), { recursive: true, force: true });
  }
  expect(killed).toBeGreaterThan(0);
});
