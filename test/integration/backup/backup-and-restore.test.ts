import { openSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import {
  backUp,
  backupsIn,
  isWrittenIn,
  makeFreshProfile,
  manifestsIn,
  readRestored,
  readWritten,
  restoreFrom,
} from '../../support/backed-up-profile.ts';
import { type CliResult, codeOf, readLines, runCommand } from '../../support/cli-run.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

type Session = Awaited<ReturnType<Bench['open']>>;
let bench: Bench;
let profile: string;
let session: Session;
let workspaceId: string;
let claimIds: number[];

const note = (text: string, ids: readonly number[]) =>
  session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [...ids] },
    act: { kind: 'note', text },
  });
const attach = (claimId: number, text: string) =>
  session.call('documents:attach', {
    ...{ workspaceId, claimId, document: 'receipt', name: 'receipt.txt' },
    file: Buffer.from(text).toString('base64'),
  });
beforeAll(async () => {
  bench = await openBench('--members', '8', '--claims', '40', '--seed', '50');
  profile = await bench.newProfile();
  session = await bench.open(profile);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
  claimIds = (await bench.readAll(session, 'claims')).map(({ id }) => id as number);
  await note('Called the member', claimIds.slice(0, 5));
  await attach(claimIds[0] as number, 'A receipt');
  await session.call('views:save', { workspaceId, name: 'Mine', query: '{}' });
  await session.call('settings:set', { reviewsADay: 7 });
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

test('a restored profile has every event, document, view, setting and audit entry, and no SSH key', async () => {
  const folder = makeTempFolder();
  await backUp(session, folder);
  const target = makeFreshProfile();
  const restored = await bench.open(target);
  expect(await restoreFrom(restored, folder)).toMatchObject({ documents: 1 });
  const written = await readWritten(profile);
  expect(written?.documents).toMatchObject([{ counts: true, isWhole: true }]);
  expect(written?.rows.stored_events?.length).toBeGreaterThan(1);
  expect(await readRestored(target)).toEqual(written);
  expect(await restored.call('settings:get', {})).toMatchObject({ reviewsADay: 7, backupFolder: '' });
  const { workspaces } = await restored.call('workspaces:list', {});
  expect(workspaces).toMatchObject([{ id: workspaceId, keyId: null }]);
  expect(await restored.call('audit:verify', {})).toMatchObject({ isIntact: true });
  expect(readdirSync(target)).not.toContain('keys');
  await expect(restoreFrom(restored, folder)).rejects.toMatchObject({ code: 'restore.notEmpty' });
  await restored.close();
});

test('a second backup writes only changes, nothing is in plain text, and old ones are dropped with their parts', async () => {
  const folder = makeTempFolder();
  const first = await backUp(session, folder);
  expect(first.written).toBe(first.bytes);
  await attach(claimIds[1] as number, 'x'.repeat(100_000));
  const second = await session.call('backup:now', {});
  expect(second.written).toBeGreaterThan(100_000);
  await note('One more', claimIds.slice(0, 1));
  const third = await session.call('backup:now', {});
  expect(third.written).toBeLessThan(20_000);
  expect(third.bytes).toBeGreaterThan(100_000);
  // Those of the same day are one.
  expect(manifestsIn(folder)).toHaveLength(1);
  for (const text of ['Called the member', 'A receipt', 'xxxxxxxx', workspaceId, 'One more'])
    expect(isWrittenIn(folder, text)).toBe(false);
  expect(await session.call('backup:check', { isFull: true })).toMatchObject({ damaged: [] });
});

test('a damaged or missing part is reported, not restored, and replaced by the next backup', async () => {
  const folder = makeTempFolder();
  await backUp(session, folder);
  const parts = join(backupsIn(folder), 'parts');
  const [name = '', other = ''] = readdirSync(parts);
  // One byte less than it had, which only its exact length shows.
  truncateSync(join(parts, name), statSync(join(parts, name)).size - 1);
  rmSync(join(parts, other));
  const found = await session.call('backup:check', { isFull: false });
  expect(found.damaged.map(({ file }) => file).sort()).toEqual([name, other].sort());
  const restored = await bench.open(makeFreshProfile());
  await expect(restoreFrom(restored, folder)).rejects.toMatchObject({ code: 'backup.damaged' });
  await session.call('backup:now', {});
  expect(await session.call('backup:check', { isFull: true })).toMatchObject({ damaged: [] });
  await restoreFrom(restored, folder);
  await restored.close();
});

test("a folder that can't be reached, is inside the profile, or is not sealed is refused", async () => {
  const folder = makeTempFolder();
  await expect(session.call('backup:set', { folder: join(folder, 'none') })).rejects.toMatchObject({
    code: 'backup.folderMissing',
  });
  await expect(session.call('backup:set', { folder: profile })).rejects.toMatchObject({
    code: 'backup.folderInside',
  });
  await expect(session.call('backup:set', { folder, passphrase: null })).rejects.toMatchObject({
    code: 'backup.notSealed',
  });
  const unsealed = await bench.open(await bench.newProfile());
  await unsealed.call('backup:set', { folder });
  await expect(unsealed.call('backup:now', {})).rejects.toMatchObject({ code: 'backup.notSealed' });
  expect(await unsealed.call('backup:getState', {})).toMatchObject({
    ...{ failed: { code: 'backup.notSealed' }, last: null, folders: [], hasRecoveryCode: false },
  });
  await unsealed.close();
  await backUp(session, folder);
  rmSync(backupsIn(folder), { recursive: true });
  // An empty folder is where a drive was mounted.
  await expect(session.call('backup:now', {})).rejects.toMatchObject({ code: 'backup.folderMissing' });
  expect(readdirSync(folder)).toEqual([]);
});

test('the doctor checks that the folder exists and its newest backup is readable and less than a week old', async () => {
  const folder = makeTempFolder();
  const engine = await session.getEngine();
  const find = async () =>
    (await engine.diagnose({ workspaceId })).findings.flatMap(({ id, code }) =>
      id === 'backupFolder' ? [code] : [],
    );
  await backUp(session, folder);
  expect(await find()).toEqual(['backupFolder.readable']);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 });
  expect((await session.call('backup:getState', {})).isOverdue).toBe(true);
  vi.useRealTimers();
  rmSync(join(backupsIn(folder), 'parts'), { recursive: true });
  expect(await find()).toEqual(['backupFolder.damaged']);
  rmSync(folder, { recursive: true });
  expect(await find()).toEqual(['backupFolder.missing']);
  await session.call('backup:set', { folder: '' });
  expect(await find()).toEqual([]);
});

test('a different seal is confirmed outside the page', async () => {
  const asked: string[] = [];
  const refusing = await openSession({
    ...{ options: {}, writes: true, profileDir: makeFreshProfile() },
    async confirm({ message }) {
      asked.push(message);
      return false;
    },
  });
  await expect(refusing.call('backup:set', { passphrase: 'a passphrase of its own' })).rejects.toMatchObject({
    code: 'app.notConfirmed',
  });
  expect(asked).toEqual(['Seal backups under this passphrase?']);
  expect(await refusing.call('backup:getState', {})).toMatchObject({ sealedBy: null });
  await refusing.close();
});

test('if IT sets the folder, a week without a backup begins when the folder is first seen', async () => {
  const policyFile = join(makeTempFolder(), 'policy.json');
  writeFileSync(policyFile, JSON.stringify({ backupFolder: makeTempFolder() }));
  const opened = await bench.open(await bench.newProfile(), { policyFile });
  const isOverdue = async () => (await opened.call('backup:getState', {})).isOverdue;
  expect(await isOverdue()).toBe(false);
  expect(await (await opened.getEngine()).backUpIfDue()).toBe(false);
  expect(await isOverdue()).toBe(false);
  const nowMs = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => nowMs + 8 * 86_400_000);
  expect(await isOverdue()).toBe(true);
  clock.mockRestore();
  await opened.close();
});

test('by commands, backups are sealed with the recovery code and restored with it only', async () => {
  const from = await bench.newProfile();
  const folder = makeTempFolder();
  const run = (...args: string[]): Promise<CliResult> => runCommand(args, { profile: from });
  const [{ recoveryCode = '' } = {}] = readLines(await run('unlock', 'recovery-code')) as {
    recoveryCode?: string;
  }[];
  expect(readLines(await run('backup', 'set', folder, '--yes'))).toMatchObject([
    { sealedBy: 'recoveryCode' },
  ]);
  expect(readLines(await run('backup'))).toMatchObject([{ missing: 0 }]);
  expect((await run('backup', 'check', '--full')).code).toBe(0);
  const file = join(makeTempFolder(), 'code');
  const restore = async (secret: string): Promise<CliResult> => {
    writeFileSync(file, secret);
    return runCommand(['restore', folder, '--code-fd', String(openSync(file, 'r'))], { profile: target });
  };
  const target = makeFreshProfile();
  expect(codeOf(await restore('not the code of this one'))).toBe('backup.wrongSecret');
  expect(readLines(await restore(recoveryCode))).toMatchObject([{ event: 'restored' }]);
  expect(await readRestored(target)).toEqual(await readWritten(from));
});
