import { randomBytes } from 'node:crypto';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { BackupState } from '../../../contract/backup-procedures.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import { requireStrong } from '../../keychain/passphrase-key.ts';
import { getProfileId } from '../../keychain/profile-identity.ts';
import { openSealedFile } from '../../keychain/sealed-file.ts';
import {
  emptyContent,
  parseSealedFile,
  type SealedHead,
  sealContent,
  wrapByPassphrase,
} from '../../keychain/sealed-format.ts';
import { getOrCreateSecret } from '../../keychain/secret-store.ts';
import {
  newTarget,
  openBackupRecord,
  type BackupRecord as State,
  type BackupTarget as Target,
} from '../../lib/backup-record.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { JsonFile } from '../../lib/json-file.ts';
import { logFailure } from '../../lib/log-failure.ts';
import { type ProfilePaths, profilePaths } from '../../lib/paths.ts';
import { createSerialQueue } from '../../lib/serial-queue.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { backupsOf, openBackupFolder, requireFolder } from '../store/backup/backup-folder.ts';
import type { BackupReport, BackupsFound } from '../store/backup/write-backup.ts';
import { type MaintenanceThread, startMaintenanceThread } from '../store/threads/maintenance-thread.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { backUpFiles } from './backed-up-files.ts';

/** A backup is due when the last one is almost a day old, because the next day's work may begin a little earlier. */
const dueAfterMs = 22 * 3_600_000;
/** How soon a folder that could not be reached is tried again. */
const retryAfterMs = 3_600_000;
const overdueAfterMs = 7 * 86_400_000;
const fullAfterMs = 7 * 86_400_000;

/** The removed content: everything of a workspace, claims of one, or documents. */
interface Removed {
  readonly workspaceId: string;
  readonly claimIds?: readonly number[] | undefined;
  readonly documents?: readonly { readonly sha256: string }[];
}

export interface Backups {
  getState(): Promise<BackupState>;
  /** @throws DeskError `backup.*`, `vault.weakPassphrase`, `app.notConfirmed`, `policy.setByOrganization` */
  set(changes: {
    folder?: string | undefined;
    passphrase?: string | null | undefined;
    /** A folder whose backups no longer exist. */
    forget?: string | undefined;
  }): Promise<BackupState>;
  /** @throws DeskError `backup.*`, `profile.busy` */
  now(): Promise<BackupReport>;
  check(options: { isFull: boolean }): Promise<BackupsFound>;
  /** Makes a backup if due, and removes from earlier folders what was removed since. False: nothing was due. */
  ifDue(): Promise<boolean>;
  /**
   * Removes something here with `act`, and records it before and after, so that it is removed from backups as well. It
   * does not wait for the backups: the state lists folders that can't be reached.
   */
  keepRemoved<T>(removed: Removed, act: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

type BackupPorts = Pick<
  EnginePorts,
  'profileDir' | 'secrets' | 'main' | 'clock' | 'log' | 'isReadOnly' | 'policy'
> & {
  readonly audit: Pick<AuditLog, 'append'>;
  readonly userData: UserDataStore;
  readonly emit: (event: AnyEvent) => void;
};

/** The state of a profile's backups, and the thread that makes one. */
interface Work extends BackupPorts {
  readonly paths: ProfilePaths;
  readonly file: JsonFile<State>;
  thread: MaintenanceThread | null;
  isClosed: boolean;
}

const timeOf = ({ clock }: Work): string => new Date(clock.now()).toISOString();

async function change({ file, emit }: Work, apply: (state: State) => Partial<State>): Promise<State> {
  const changed = await file.change((state) => {
    const next = { ...state, ...apply(state) };
    return { next, result: next };
  });
  emit({ name: 'backup:changed', payload: {} });
  return changed;
}
const changeTarget = (work: Work, dir: string, changes: Partial<Target>): Promise<State> =>
  change(work, ({ targets }) => ({
    targets: targets.map((target) => (target.dir === dir ? { ...target, ...changes } : target)),
  }));
const findTarget = ({ targets }: State, folder: string): Target | undefined =>
  targets.find(({ dir }) => folder !== '' && dirname(dir) === resolve(folder));

/** Whether backups contain something removed since, or can be opened with an earlier code or passphrase. */
const isOwing = ({ removals, seal }: State, { isNew, through }: Target): boolean =>
  !isNew && Math.max(seal?.number ?? 0, ...removals.map(({ number }) => number)) > through;

/** The name of the secret with the key of all backups of a profile. */
export const backupKeyAccount = async (profileDir: string): Promise<string> =>
  `backup-key/${await getProfileId(profileDir)}`;
const readKey = async ({ secrets, profileDir }: Work): Promise<Buffer> =>
  getOrCreateSecret(secrets, await backupKeyAccount(profileDir), { mayCreate: true });

/** The text of the file that opens the backups. @throws DeskError `backup.notSealed` */
async function readKeyFile(work: Work): Promise<string> {
  const { seal } = await work.file.read();
  const head = seal === null ? null : parseSealedFile(seal.text);
  if (seal !== null && head?.passphrase != null) return seal.text;
  const opened = openSealedFile(work.paths).read();
  if (opened?.recovery == null) throw new DeskError('backup.notSealed');
  const { id, recovery } = opened;
  if (seal !== null && isDeepStrictEqual(head?.recovery, recovery)) return seal.text;
  const profileKey = await work.main.getProfileKey({ mayMake: false });
  if (profileKey === null) throw new DeskError('backup.notSealed');
  const by: SealedHead = { version: 1, id, inKeychain: false, passphrase: null, recovery };
  return setSeal(work, sealKey(by, profileKey, await readKey(work)));
}

async function setSeal(work: Work, text: string): Promise<string> {
  await change(work, (state) => ({
    number: state.number + 1,
    seal: { text, number: state.number + 1 },
  }));
  return text;
}

async function sealByPassphrase(work: Work, passphrase: string): Promise<string> {
  requireStrong(passphrase);
  const id = await getProfileId(work.profileDir);
  const root = randomBytes(32);
  const wrap = await wrapByPassphrase(root, id, passphrase);
  const head = { version: 1, id, inKeychain: false, passphrase: wrap, recovery: null } as const;
  return sealKey(head, root, await readKey(work));
}

async function inThread<T>(work: Work, act: (maintenance: MaintenanceThread) => Promise<T>): Promise<T> {
  if (work.isClosed) throw new DeskError('engine.stopped');
  const { filePath } = work.userData;
  const thread = await startMaintenanceThread(filePath, await work.userData.readKey());
  work.thread = thread;
  try {
    return await act(thread);
  } finally {
    await thread.close();
    work.thread = null;
  }
}

/** Adds the folder that was chosen last to those in which backups are made. */
async function addTarget(work: Work, folder: string): Promise<Target> {
  const target = findTarget(await work.file.read(), folder);
  if (target !== undefined) return target;
  const dir = backupsOf(resolve(folder), await getProfileId(work.profileDir));
  const since = timeOf(work);
  const { targets } = await change(work, (state) => ({
    targets: [...state.targets, newTarget(dir, since, { isNew: true, through: state.number })],
  }));
  return targets.at(-1) as Target;
}

/** Whether a time is less than this ago; a future time is not. */
const isWithin = ({ clock }: Work, ms: number, at: string | undefined): boolean => {
  const ageMs = at === undefined ? Number.NaN : clock.now() - Date.parse(at);
  return ageMs >= 0 && ageMs < ms;
};

async function makeBackup(work: Work): Promise<BackupReport> {
  const { main, secrets, profileDir } = work;
  if (work.isReadOnly) throw new DeskError('profile.busy');
  const { folder, kept } = await main.getBackupRules();
  if (folder === '') throw new DeskError('backup.noFolder');
  const { dir, fullAt, isNew } = await addTarget(work, folder);
  const isFull = !isWithin(work, fullAfterMs, fullAt);
  try {
    await requireFolder(folder, profileDir);
    const where = { dir, backupKey: await readKey(work) };
    const keyFile = await readKeyFile(work);
    // Written first, so that the backup contains the entry; this also creates or migrates the file.
    await work.audit.append({ action: 'backup.begun', workspaceId: null, details: {} });
    const auditKey = await secrets.get(`audit-key/${await getProfileId(profileDir)}`);
    const request = {
      ...where,
      at: timeOf(work),
      app: await main.getVersion(),
      files: await backUpFiles(work.paths),
      auditKey: auditKey?.toString('base64') ?? null,
      keyFile,
      kept,
      isFull,
    };
    return await inThread(work, async (thread) => {
      const newest = await thread.call('beginBackups', { ...where, mayMake: isNew });
      await changeTarget(work, dir, { isNew: false });
      // Anything removed from here on gets a higher number.
      const { number, removals } = await change(work, (state) => ({
        number: Math.max(state.number, newest) + 1,
      }));
      const report = await thread.call('writeBackup', { ...request, number, removals });
      const read = isFull ? { fullAt: report.at } : {};
      await changeTarget(work, dir, { last: report, failed: null, through: number, refused: null, ...read });
      return report;
    });
  } catch (thrown) {
    if (!work.isClosed)
      await changeTarget(work, dir, { failed: { at: timeOf(work), code: toDeskError(thrown).code } });
    throw thrown;
  }
}

/** Updates every folder that can be reached: removes what was removed, and renews the seal. Others follow later. */
async function renewAll(work: Work): Promise<void> {
  if (work.isReadOnly) return;
  try {
    // What was removed is also removed from backups that nothing can open now.
    const keyFile = await readKeyFile(work).catch(() => null);
    const state = await work.file.read();
    const { number, removals } = state;
    for (const { dir } of state.targets.filter((target) => isOwing(state, target))) {
      try {
        const where = { dir, backupKey: await readKey(work) };
        await inThread(work, (thread) => thread.call('renewBackups', { ...where, keyFile, removals }));
        await changeTarget(work, dir, { through: number, refused: null });
      } catch (thrown) {
        logFailure(work.log, 'store.trouble', thrown);
        if (!work.isClosed) await changeTarget(work, dir, { refused: toDeskError(thrown).code });
      }
    }
  } catch (thrown) {
    logFailure(work.log, 'store.trouble', thrown);
  }
}

async function checkBackups(work: Work, isFull: boolean): Promise<BackupsFound> {
  const { folder } = await work.main.getBackupRules();
  if (folder === '') throw new DeskError('backup.noFolder');
  const target = await addTarget(work, folder);
  const state = await work.file.read();
  const where = { dir: target.dir, backupKey: await readKey(work) };
  const report = await inThread(work, (thread) => thread.call('findBackups', { ...where, isFull }));
  const isRight = report.keyFile === state.seal?.text || isOwing(state, target);
  return isRight ? report : { ...report, damaged: [{ file: 'key.json', of: 'key' }, ...report.damaged] };
}

async function getState(work: Work): Promise<BackupState> {
  const { folder } = await work.main.getBackupRules();
  // A new recovery code is another seal, which every folder owes until it has it.
  const { targets } = await work.file.read();
  if (!work.isReadOnly && targets.length > 0) await readKeyFile(work).catch(() => null);
  const state = await work.file.read();
  const hasCode = openSealedFile(work.paths).read()?.recovery != null;
  const isByPassphrase = state.seal !== null && parseSealedFile(state.seal.text).passphrase !== null;
  const target = findTarget(state, folder);
  return {
    folder,
    isOverdue: target !== undefined && !isWithin(work, overdueAfterMs, target.last?.at ?? target.since),
    isSetByOrganization: work.policy.backupFolder !== undefined,
    sealedBy: isByPassphrase ? 'passphrase' : hasCode ? 'recoveryCode' : null,
    last: target?.last ?? null,
    failed: target?.failed ?? null,
    hasRecoveryCode: hasCode,
    folders: state.targets.flatMap(({ dir, isNew }) => (isNew ? [] : [dir])),
    owing: state.targets.flatMap((target) =>
      isOwing(state, target) ? [{ folder: dirname(target.dir), code: target.refused }] : [],
    ),
  };
}

async function setBackups(
  work: Work,
  { folder, passphrase, forget }: Parameters<Backups['set']>[0],
): Promise<BackupState> {
  if (work.isReadOnly) throw new DeskError('profile.busy');
  if (folder !== undefined && folder !== '') await requireFolder(folder, work.profileDir);
  if (passphrase === null && openSealedFile(work.paths).read()?.recovery == null)
    throw new DeskError('backup.notSealed');
  if (passphrase !== undefined) await work.main.confirmBackupSeal({ isPassphrase: passphrase !== null });
  const sealed = passphrase == null ? null : await sealByPassphrase(work, passphrase);
  if (folder !== undefined) await work.main.setBackupFolder({ folder });
  if (forget !== undefined)
    await change(work, (state) => ({
      targets: state.targets.filter((target) => target !== findTarget(state, forget)),
    }));
  if (folder !== undefined && folder !== '') {
    const { dir } = await addTarget(work, folder);
    // Another USB drive, or the backups were deleted: the user has confirmed that this is the folder.
    const isThere = await access(dir).then(
      () => true,
      () => false,
    );
    if (!isThere) await changeTarget(work, dir, { isNew: true, last: null });
  }
  if (sealed !== null) await setSeal(work, sealed);
  if (passphrase === null) await change(work, () => ({ seal: null }));
  await work.audit.append({ action: 'backup.set', workspaceId: null, details: {} });
  work.emit({ name: 'backup:changed', payload: {} });
  return getState(work);
}

/** Records a removal under the next number. Returns null if there are no backups, or their list can't be read. */
async function addRemoval(work: Work, { workspaceId, claimIds, documents }: Removed): Promise<number | null> {
  const claims = claimIds?.map((claimId) => `claim ${workspaceId} ${claimId}`);
  const what = documents?.map(({ sha256 }) => `document ${sha256}`) ?? claims ?? [`workspace ${workspaceId}`];
  try {
    if (what.length === 0 || (await work.file.read()).targets.length === 0) return null;
  } catch (thrown) {
    logFailure(work.log, 'store.trouble', thrown);
    return null;
  }
  const digests = what.map(openBackupFolder('', await readKey(work)).digestOf);
  const { number } = await change(work, (state) => ({
    number: state.number + 1,
    removals: [...state.removals, { number: state.number + 1, digests }],
  }));
  return number;
}

async function keepRemoved<T>(work: Work, removed: Removed, act: () => Promise<T>): Promise<T> {
  const noted = await addRemoval(work, removed);
  try {
    return await act();
  } finally {
    // A backup that began in between may contain what was being removed.
    if (noted !== null)
      await change(work, (state) => {
        if (state.number === noted) return {};
        const number = state.number + 1;
        const removals = state.removals.map((kept) => (kept.number === noted ? { ...kept, number } : kept));
        return { number, removals };
      });
  }
}

/**
 * Makes backups of what users wrote in a folder that the user chose, each in a separate thread. The key of all backups
 * of a profile is a secret of the profile; the folder contains it sealed under a recovery code or passphrase.
 */
export function createBackups(ports: BackupPorts): Backups {
  const paths = profilePaths(ports.profileDir);
  const file = openBackupRecord(paths.backups);
  const work: Work = { ...ports, paths, file, thread: null, isClosed: false };
  const inTurn = createSerialQueue();
  return {
    getState: () => getState(work),
    async set(changes) {
      const state = await setBackups(work, changes);
      if (changes.passphrase === undefined) return state;
      await inTurn(() => renewAll(work));
      return getState(work);
    },
    now: () => inTurn(() => makeBackup(work)),
    check: ({ isFull }) => inTurn(() => checkBackups(work, isFull)),
    ifDue: () =>
      inTurn(async () => {
        if (ports.isReadOnly) return false;
        await renewAll(work);
        const { folder, sealedBy, last, failed } = await getState(work);
        // A folder set by policy is first known here.
        if (folder !== '') await addTarget(work, folder);
        if (folder === '' || sealedBy === null) return false;
        if (isWithin(work, dueAfterMs, last?.at) || isWithin(work, retryAfterMs, failed?.at)) return false;
        await makeBackup(work);
        return true;
      }),
    keepRemoved: (removed, act) =>
      keepRemoved(work, removed, act).finally(() => void inTurn(() => renewAll(work))),
    async close() {
      work.isClosed = true;
      // If it is ended in between, the backups are as after a kill.
      await work.thread?.end();
    },
  };
}

const sealKey = (head: SealedHead, root: Uint8Array, backupKey: Buffer): string =>
  sealContent(
    head,
    { ...emptyContent, secrets: { backup: backupKey.toString('base64') } },
    Buffer.from(root),
  );
