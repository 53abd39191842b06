import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type Manifest,
  openBackupFolder,
  readable,
} from '../../../src/main/engine/store/backup/backup-folder.ts';
import { restoreBackup } from '../../../src/main/engine/store/backup/restore-backup.ts';
import {
  type BackupRequest,
  findBackups,
  writeBackup,
} from '../../../src/main/engine/store/backup/write-backup.ts';
import {
  backUp,
  backupsIn,
  makeFreshProfile,
  readRestored,
  readRows,
  readWritten,
  restoreFrom,
} from '../../support/backed-up-profile.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { runUntilKilled } from '../../support/killed-program.ts';
import { readProfileSecret } from '../../support/profile-secret.ts';
import { testBytes } from '../../support/seeds.ts';
import { canMountSmallDisk, mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts';
import { makeSharedFolder, makeTempFolder } from '../../support/temp-folder.ts';

// Each step is a process of its own.
vi.setConfig({ testTimeout: 600_000 });

const supportFile = (name: string) => fileURLToPath(new URL(`../../support/${name}`, import.meta.url));
const program = ['--import', supportFile('kill-at-step.ts'), supportFile('backup-program.ts')];

function killAt(step: number, ...args: string[]): ReturnType<typeof runUntilKilled> {
  vi.stubEnv('CLAIMDESK_KILL_STEP', String(step));
  return runUntilKilled([...program, ...args], null);
}

let bench: Bench;
let profile: string;
/** The folder after the first backup, and what a second one is made of. */
const folder = makeSharedFolder();
let keys: { key: Buffer; backupKey: Buffer };
let request: BackupRequest;
let first: unknown;
let second: unknown;

const filePath = (): string => join(profile, 'ours.db');

beforeAll(async () => {
  bench = await openBench('--members', '8', '--claims', '40', '--seed', '50');
  profile = await bench.newProfile();
  const session = await bench.open(profile);
  await bench.sync(session);
  const workspaceId = (await session.findWorkspace()).id;
  const claimIds = (await bench.readAll(session, 'claims')).map(({ id }) => id as number);
  const write = async (text: string): Promise<void> => {
    await session.call('reviews:act', { workspaceId, target: { claimIds }, act: { kind: 'note', text } });
    await session.call('documents:attach', {
      ...{ workspaceId, claimId: claimIds[0] as number, document: 'receipt', name: 'receipt.txt' },
      file: Buffer.from(text).toString('base64'),
    });
  };
  await write('First');
  await backUp(session, folder);
  keys = {
    key: await readProfileSecret(profile, 'database-key/{profile}/ours'),
    backupKey: await readProfileSecret(profile, 'backup-key/{profile}'),
  };
  first = await readRows(filePath(), keys.key);
  await write('Second');
  await session.close();
  second = await readRows(filePath(), keys.key);
  request = {
    ...{ at: new Date().toISOString(), app: '0.3.0', files: {}, auditKey: null },
    ...{ keyFile: 'opens nothing', kept: 14, number: 9, isFull: false, removals: [] },
  };
});
afterAll(() => bench.close());

/** What a restore of the newest backup has. */
async function restoreRows(dir: string) {
  const path = join(makeTempFolder(), 'ours.db');
  restoreBackup({ filePath: path, dir, ...keys }, { before: null });
  return readRows(path, keys.key);
}

async function copyFolder(): Promise<string> {
  const copy = join(makeTempFolder(), 'copy');
  cpSync(folder, copy, { recursive: true });
  return backupsIn(copy);
}

test('killed at every step of a backup, the newest one is whole: the one before it or the new one', async () => {
  const inputs = join(makeTempFolder(), 'request.json');
  const texts = { key: keys.key.toString('hex'), backupKey: keys.backupKey.toString('hex') };
  writeFileSync(inputs, JSON.stringify({ ...request, ...texts, filePath: filePath() }));
  vi.stubEnv('CLAIMDESK_KILL_FILES', 'claimdesk-');
  onTestFinished(() => void vi.unstubAllEnvs());
  const outcomes = new Set<string>();
  let step = 1;
  for (let isDone = false; !isDone; step += 1) {
    const dir = await copyFolder();
    ({ isDone } = await killAt(step, 'backup', inputs, dir));
    const rows = await restoreRows(dir);
    const outcome = JSON.stringify(rows) === JSON.stringify(second) ? 'second' : 'first';
    outcomes.add(outcome);
    expect(rows).toEqual(outcome === 'second' ? second : first);
    expect(findBackups({ dir, ...keys }, { isFull: true }).damaged).toEqual([]);
    writeBackup({ filePath: filePath(), dir, ...keys }, request);
    expect(await restoreRows(dir)).toEqual(second);
    expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(readdirSync(join(dir, 'parts')).filter((name) => name.length !== 64)).toEqual([]);
    rmSync(dir, { recursive: true });
  }
  expect(outcomes.size).toBe(2);
  expect(step).toBeGreaterThan(20);
});

test('if a restore is killed at any step, the profile can be restored again and is then complete', async () => {
  // A backup adds an entry to the audit log.
  const copy = join(makeTempFolder(), 'profile');
  cpSync(profile, copy, { recursive: true });
  const session = await bench.open(copy);
  const made = makeTempFolder();
  await backUp(session, made);
  await session.close();
  vi.stubEnv(
    'CLAIMDESK_KILL_FILES',
    '[\\\\/]documents|ours\\.db$|(settings|workspaces|audit-anchor)\\.json$|restoring$',
  );
  onTestFinished(() => void vi.unstubAllEnvs());
  const all = await readWritten(copy);
  let step = 1;
  for (let isDone = false; !isDone; step += 1) {
    const target = makeFreshProfile();
    ({ isDone } = await killAt(step, 'restore', made, target));
    const again = await bench.open(target);
    const code = await restoreFrom(again, made).then(
      () => null,
      (thrown: { code: string }) => thrown.code,
    );
    // It was complete before the kill.
    if (code !== null) expect(code).toBe('restore.notEmpty');
    expect(await readRestored(target)).toEqual(all);
    expect(await again.call('audit:verify', {})).toMatchObject({ isIntact: true });
    expect((await again.call('workspaces:list', {})).workspaces).toHaveLength(1);
    await again.close();
  }
  expect(step).toBeGreaterThan(10);
});

describe.runIf(canMountSmallDisk())('a folder on a disk of its own', () => {
  const withDisk = async (act: (disk: SmallDisk, dir: string) => Promise<void>): Promise<void> => {
    const disk = mountSmallDisk(4);
    try {
      cpSync(folder, disk.path, { recursive: true });
      await act(disk, backupsIn(disk.path));
    } finally {
      disk.remove();
    }
  };
  const failed = (dir: string, kept = request.kept): string => {
    try {
      writeBackup({ filePath: filePath(), dir, ...keys }, { ...request, kept });
      return 'none';
    } catch (thrown) {
      return (thrown as { code: string }).code;
    }
  };

  test('that is full keeps its backups, and accepts the next one once there is space', () =>
    withDisk(async (disk, dir) => {
      const free = disk.fill();
      expect(failed(dir)).toBe('backup.folderFull');
      expect(await restoreRows(dir)).toEqual(first);
      free();
      expect(failed(dir)).toBe('none');
      expect(await restoreRows(dir)).toEqual(second);
    }));

  test('that is full drops old backups, and accepts the next one', () =>
    withDisk(async (disk, dir) => {
      const folder = openBackupFolder(dir, keys.backupKey);
      const [{ manifest } = {}] = readable(folder.list());
      const { part } = folder.putPart(testBytes(1_000_000, 1), false);
      const documents = [{ sha256: 'of an earlier day', part }];
      folder.writeManifest({
        ...(manifest as Manifest),
        number: 0,
        at: '2026-01-01T00:00:00.000Z',
        documents,
      });
      disk.fill();
      expect(failed(dir, 14)).toBe('backup.folderFull');
      expect(failed(dir, 1)).toBe('none');
      expect(await restoreRows(dir)).toEqual(second);
    }));

  test('that is read-only is reported', () =>
    withDisk(async (disk, dir) => {
      disk.setReadOnly(true);
      expect(failed(dir)).toBe('backup.folderUnwritable');
      disk.setReadOnly(false);
      expect(await restoreRows(dir)).toEqual(first);
    }));
});

test('a backup of a newer version is left unchanged, with its parts', async () => {
  const dir = await copyFolder();
  const opened = openBackupFolder(dir, keys.backupKey);
  const [{ manifest, number = 0 } = {}] = readable(opened.list());
  const newer = opened.writeManifest({ ...manifest, number: number + 1, version: 2 } as never);
  const stray = join(dir, 'parts', 'a'.repeat(64));
  writeFileSync(stray, 'of the newer version');
  expect(() => restoreBackup({ filePath: join(dir, 'ours.db'), dir, ...keys }, { before: null })).toThrow(
    expect.objectContaining({ code: 'store.newer' }),
  );
  const removals = [{ number: 8, digests: ['of nothing here'] }];
  writeBackup({ filePath: filePath(), dir, ...keys }, { ...request, kept: 1, removals });
  expect(readdirSync(dir)).toContain(newer);
  expect(existsSync(stray)).toBe(true);
  expect(await restoreRows(dir)).toEqual(second);
});

test('if another computer removes a part during a backup, the backup fails and the previous one stays', async () => {
  const dir = await copyFolder();
  const before = new Set(readdirSync(join(dir, 'parts')));
  const robbed: BackupRequest = {
    ...request,
    get files() {
      for (const name of readdirSync(join(dir, 'parts')))
        if (!before.has(name)) rmSync(join(dir, 'parts', name));
      return {};
    },
  };
  expect(() => writeBackup({ filePath: filePath(), dir, ...keys }, robbed)).toThrow(
    expect.objectContaining({ code: 'backup.damaged' }),
  );
  expect(await restoreRows(dir)).toEqual(first);
});

test('a folder that disappears midway is reported, and its contents are unchanged', async () => {
  const dir = await copyFolder();
  const missingRequest: BackupRequest = {
    ...request,
    get files() {
      renameSync(dir, `${dir}-away`);
      return {};
    },
  };
  const write = (of: BackupRequest) => writeBackup({ filePath: filePath(), dir, ...keys }, of);
  expect(() => write(missingRequest)).toThrow(expect.objectContaining({ code: 'backup.folderMissing' }));
  renameSync(`${dir}-away`, dir);
  expect(await restoreRows(dir)).toEqual(first);
  write(request);
  expect(await restoreRows(dir)).toEqual(second);
});
