import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { addedBytes } from '../../../src/main/engine/store/file/sealed-parts.ts';
import {
  backUp,
  backupPassphrase,
  backupsIn,
  makeFreshProfile,
  manifestsIn,
  readWritten,
  restoreFrom,
} from '../../support/backed-up-profile.ts';
import { vaultPassphrase } from '../../support/cheap-secrets.ts';
import { codeOf, readLines, runCommand } from '../../support/cli-run.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

type Session = Awaited<ReturnType<Bench['open']>>;
let bench: Bench;
let profile: string;
let session: Session;
let workspaceId: string;
let claimIds: number[];
const hourMs = 3_600_000;

const shaOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const attach = (text: string, of: Session = session) =>
  of.call('documents:attach', {
    ...{ workspaceId, claimId: claimIds[0] as number, document: 'receipt', name: 'receipt.txt' },
    file: Buffer.from(text).toString('base64'),
  });
/** Removes a document, and waits for the backups that can be reached. */
async function remove(text: string, of: Session = session) {
  const document = { workspaceId, claimId: claimIds[0] as number, sha256: shaOf(text) };
  const done = await of.call('documents:remove', document);
  await of.call('backup:check', { isFull: false }).catch(() => undefined);
  return done;
}
const readState = () => JSON.parse(readFileSync(join(profile, 'backup.json'), 'utf8'));

beforeAll(async () => {
  bench = await openBench('--members', '8', '--claims', '40', '--seed', '50');
  profile = await bench.newProfile();
  session = await bench.open(profile);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
  claimIds = (await bench.readAll(session, 'claims')).map(({ id }) => id as number);
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

async function openNew() {
  const path = makeFreshProfile();
  const opened = await bench.open(path);
  onTestFinished(() => opened.close());
  return { path, opened };
}
/** Whether a restore from the folder has the bytes of a document, or the code of its error. */
async function isRestored(text: string, folder: string): Promise<boolean | string> {
  const { path, opened } = await openNew();
  const code = await restoreFrom(opened, folder).then(
    () => null,
    (thrown: { code: string }) => thrown.code,
  );
  if (code !== null) return code;
  return (
    (await readWritten(path))?.documents.some((one) => one.sha256 === shaOf(text) && one.isWhole) === true
  );
}
/** Runs at a time that is ahead. */
async function runAhead<T>(ms: number, act: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  return act().finally(() => void vi.useRealTimers());
}

const owingFolders = async (): Promise<string[]> =>
  (await session.call('backup:getState', {})).owing.map(({ folder }) => folder);

test('what is removed while a backup runs, even the first one, is removed from it', async () => {
  for (const isFirst of [true, false]) {
    const text = `Removed meanwhile ${isFirst}`;
    const folder = makeTempFolder();
    await attach(text);
    if (isFirst) await session.call('backup:set', { folder, passphrase: backupPassphrase });
    else await backUp(session, folder);
    const running = session.call('backup:now', {});
    while (!existsSync(join(backupsIn(folder), 'parts'))) await new Promise((done) => setTimeout(done, 1));
    await Promise.all([running, remove(text)]);
    expect(await isRestored(text, folder)).toBe(false);
  }
});

test('what is removed after a first backup that was killed before it was recorded is removed from it', async () => {
  const folder = makeTempFolder();
  await attach('Killed');
  await session.call('backup:set', { folder, passphrase: backupPassphrase });
  const before = readState();
  await session.call('backup:now', {});
  const { targets, ...state } = readState();
  const [began] = before.targets.slice(-1);
  const target = { ...began, isNew: false };
  writeFileSync(
    join(profile, 'backup.json'),
    JSON.stringify({ ...state, targets: [...targets.slice(0, -1), target] }),
  );
  await remove('Killed');
  expect(await isRestored('Killed', folder)).toBe(false);
});

test('after a backup with a clock that was ahead, later ones are newer, due, kept, and lack what was removed', async () => {
  const folder = makeTempFolder();
  await attach('Of next year');
  await session.call('settings:set', { backupsKept: 1 });
  onTestFinished(async () => void (await session.call('settings:set', { backupsKept: 14 })));
  await runAhead(400 * 24 * hourMs, () => backUp(session, folder));
  expect(await session.call('backup:getState', {})).toMatchObject({ isOverdue: true });
  await attach('Written later');
  expect(await (await session.getEngine()).backUpIfDue()).toBe(true);
  expect(await isRestored('Written later', folder)).toBe(true);
  expect(manifestsIn(folder)).toHaveLength(1);
  await remove('Of next year');
  expect(await isRestored('Of next year', folder)).toBe(false);
});

test('what was removed with a clock that was ahead, and attached again, is restored', async () => {
  const folder = makeTempFolder();
  await attach('Attached again');
  await backUp(session, folder);
  await runAhead(8 * hourMs, () => remove('Attached again'));
  await attach('Attached again');
  await session.call('backup:now', {});
  expect(await isRestored('Attached again', folder)).toBe(true);
});

test('a restored profile continues its backups: it removes from them, and makes the next ones there', async () => {
  const folder = makeTempFolder();
  await attach('From before');
  await backUp(session, folder);
  const { opened } = await openNew();
  await restoreFrom(opened, folder);
  renameSync(folder, `${folder}-away`);
  await remove('From before', opened);
  expect((await opened.call('backup:getState', {})).owing).toMatchObject([{ folder }]);
  renameSync(`${folder}-away`, folder);
  await (await opened.getEngine()).backUpIfDue();
  expect(await isRestored('From before', folder)).toBe(false);
  await opened.call('backup:set', { folder });
  await opened.call('backup:now', {});
  expect(readdirSync(folder)).toHaveLength(1);
  // The first profile goes on as well: what the restored one removed is not removed from its later backups.
  await session.call('backup:now', {});
  expect(await isRestored('From before', folder)).toBe(true);
});

test('of several backups that the passphrase opens, the newest is restored and reported', async () => {
  const folder = makeTempFolder();
  await attach('The newest');
  await backUp(session, folder);
  const dir = backupsIn(folder);
  // Before and after it in every order of names.
  for (const letter of '0246789bdf') cpSync(dir, join(folder, `claimdesk-${letter}`), { recursive: true });
  const newest = await session.call('backup:now', {});
  const { opened } = await openNew();
  expect(await restoreFrom(opened, folder)).toMatchObject({ at: newest.at, from: dir });
});

test('each backup lists what was removed, and none is restored if that list is missing', async () => {
  const folder = makeTempFolder();
  await attach('Put back');
  await backUp(session, folder);
  const dir = backupsIn(folder);
  const saved = join(makeTempFolder(), 'saved');
  cpSync(dir, saved, { recursive: true });
  await remove('Put back');
  const known = new Set(readdirSync(join(saved, 'parts')));
  const removal = readdirSync(join(dir, 'parts')).filter((name) => !known.has(name));
  cpSync(saved, dir, { recursive: true });
  expect(await isRestored('Put back', folder)).toBe(false);
  for (const name of removal) rmSync(join(dir, 'parts', name));
  expect(await isRestored('Put back', folder)).toBe('backup.damaged');
});

test('other files and folders in the folder are kept, and a link is refused', async () => {
  const folder = makeTempFolder();
  await backUp(session, folder);
  const parts = join(backupsIn(folder), 'parts');
  mkdirSync(join(parts, '@eaDir'));
  writeFileSync(join(parts, 'thesis.docx'), 'x');
  await session.call('backup:now', {});
  expect(readdirSync(parts)).toEqual(expect.arrayContaining(['@eaDir', 'thesis.docx']));
  const elsewhere = join(makeTempFolder(), 'elsewhere');
  cpSync(parts, elsewhere, { recursive: true });
  writeFileSync(join(elsewhere, 'a'.repeat(64)), 'x');
  rmSync(parts, { recursive: true });
  symlinkSync(elsewhere, parts);
  await expect(session.call('backup:now', {})).rejects.toMatchObject({ code: 'backup.folderUnwritable' });
  expect(readdirSync(elsewhere)).toContain('a'.repeat(64));
});

test('a truncated or missing key file is damage, and the next backup writes it again', async () => {
  const folder = makeTempFolder();
  await attach('Under a key');
  await backUp(session, folder);
  const keyFile = join(backupsIn(folder), 'key.json');
  const damaged = [{ file: 'key.json', of: 'key' }];
  writeFileSync(keyFile, '{"cut":');
  expect(await session.call('backup:check', { isFull: false })).toMatchObject({ damaged });
  expect(await isRestored('Under a key', folder)).toBe('backup.damaged');
  rmSync(keyFile);
  expect(await session.call('backup:check', { isFull: false })).toMatchObject({ damaged });
  await session.call('backup:now', {});
  expect(await session.call('backup:check', { isFull: true })).toMatchObject({ damaged: [] });
  expect(await isRestored('Under a key', folder)).toBe(true);
});

test("a new passphrase opens the backups in every folder at once, and a folder that can't be reached is reported", async () => {
  const [away, folder] = [makeTempFolder(), makeTempFolder()];
  await backUp(session, away);
  await backUp(session, folder);
  renameSync(away, `${away}-away`);
  const passphrase = 'another passphrase here';
  await session.call('backup:set', { passphrase });
  const owing = await owingFolders();
  expect(owing).toContain(away);
  expect(owing).not.toContain(folder);
  expect(await isRestored('', folder)).toBe('backup.wrongSecret');
  const { opened } = await openNew();
  await (await opened.getEngine()).restore({ folder, secret: passphrase, before: null });
  renameSync(`${away}-away`, away);
  await (await session.getEngine()).backUpIfDue();
  expect(await owingFolders()).not.toContain(away);
  expect(await isRestored('', away)).toBe('backup.wrongSecret');
});

test('a new recovery code opens the backups, and the previous one no longer does', async () => {
  const from = await bench.newProfile();
  const of = await bench.open(from);
  onTestFinished(() => of.close());
  const folder = makeTempFolder();
  const renew = async () =>
    (await of.call('unlock:renewRecoveryCode', { current: vaultPassphrase })).recoveryCode;
  const first = await renew();
  await of.call('backup:set', { folder });
  await of.call('backup:now', {});
  const second = await renew();
  await of.call('backup:check', { isFull: false });
  const { opened } = await openNew();
  const restore = async (secret: string) =>
    (await opened.getEngine()).restore({ folder, secret, before: null });
  await expect(restore(first)).rejects.toMatchObject({ code: 'backup.wrongSecret' });
  await restore(second);
});

test('the first backup does not read again what earlier attempts wrote; later ones do every week', async () => {
  const folder = makeTempFolder();
  await attach('x'.repeat(5_000));
  await backUp(session, folder);
  const parts = join(backupsIn(folder), 'parts');
  // That of the document: other parts change with what is written between the backups.
  const name =
    readdirSync(parts).find((part) => statSync(join(parts, part)).size === 5_000 + addedBytes) ?? '';
  const cut = () => {
    const bytes = readFileSync(join(parts, name));
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(join(parts, name), bytes);
  };
  cut();
  // The manifest was not written yet.
  rmSync(join(backupsIn(folder), manifestsIn(folder)[0] ?? ''));
  await session.call('backup:now', {});
  expect((await session.call('backup:check', { isFull: true })).damaged).toMatchObject([{ file: name }]);
  await runAhead(8 * 24 * hourMs, () => session.call('backup:now', {}));
  expect(await session.call('backup:check', { isFull: true })).toMatchObject({ damaged: [] });
});

test('a damaged backup fails no other, and is removed when something is removed', async () => {
  const folder = makeTempFolder();
  await runAhead(-24 * hourMs, () => backUp(session, folder));
  await session.call('backup:now', {});
  const [, damaged = ''] = manifestsIn(folder);
  writeFileSync(join(backupsIn(folder), damaged), 'x');
  await session.call('backup:now', {});
  expect(manifestsIn(folder)).toHaveLength(3);
  await attach('With a damaged one');
  await remove('With a damaged one');
  expect(manifestsIn(folder)).toHaveLength(2);
  expect(manifestsIn(folder)).not.toContain(damaged);
  expect(await isRestored('', folder)).toBe(false);
});

test('a replaced USB drive is used once its folder is chosen again, and a lost one is forgotten', async () => {
  const folder = makeTempFolder();
  await backUp(session, folder);
  rmSync(backupsIn(folder), { recursive: true });
  await expect(session.call('backup:now', {})).rejects.toMatchObject({ code: 'backup.folderMissing' });
  await session.call('backup:set', { folder });
  await session.call('backup:now', {});
  expect(manifestsIn(folder)).toHaveLength(1);
  rmSync(folder, { recursive: true });
  await attach('Removed then');
  await remove('Removed then');
  expect(await owingFolders()).toContain(folder);
  await session.call('backup:set', { forget: folder });
  expect(await owingFolders()).not.toContain(folder);
});

test('the date of a restore is a local day: a backup from that evening is included', async () => {
  const folder = makeTempFolder();
  vi.stubEnv('TZ', 'America/Los_Angeles');
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T03:00:00.000Z') });
  await backUp(session, folder);
  vi.useRealTimers();
  const secret = join(makeTempFolder(), 'secret');
  writeFileSync(secret, backupPassphrase);
  const restore = (day: string) => {
    const path = makeFreshProfile();
    const descriptor = String(openSync(secret, 'r'));
    return runCommand(['restore', folder, '--to', day, '--code-fd', descriptor], { profile: path });
  };
  expect(codeOf(await restore('2026-11-18'))).toBe('backup.none');
  expect(readLines(await restore('2026-11-19'))).toMatchObject([
    { event: 'restored', from: backupsIn(folder) },
  ]);
});

test('a folder inside the profile is refused, even by a link or with two dots in its name', async () => {
  const link = join(makeTempFolder(), 'link');
  symlinkSync(profile, link);
  const inside = join(profile, '..x');
  mkdirSync(inside);
  for (const folder of [link, inside])
    await expect(session.call('backup:set', { folder })).rejects.toMatchObject({
      code: 'backup.folderInside',
    });
});

test('a document is removed even if the list of backups is damaged', async () => {
  await attach('Still removed');
  const kept = readFileSync(join(profile, 'backup.json'));
  writeFileSync(join(profile, 'backup.json'), '{');
  onTestFinished(() => writeFileSync(join(profile, 'backup.json'), kept));
  expect(await remove('Still removed')).toEqual({ isDone: true });
});
