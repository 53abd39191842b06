import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { z } from 'zod';
import { type BackupState, backupReportSchema } from '../../../contract/backup-procedures.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import { failedBackupSchema } from '../../../contract/store.ts';
import { requireStrong } from '../../keychain/passphrase-key.ts';
import { getProfileId } from '../../keychain/profile-identity.ts';
import { openSealedFile } from '../../keychain/sealed-file.ts';
import {
  emptyContent,
  type SealedHead,
  sealContent,
  wrapByPassphrase,
} from '../../keychain/sealed-format.ts';
import { getOrCreateSecret } from '../../keychain/secret-store.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { type JsonFile, openJsonFile } from '../../lib/json-file.ts';
import { logFailure } from '../../lib/log-failure.ts';
import { type ProfilePaths, profilePaths } from '../../lib/paths.ts';
import { createSerialQueue } from '../../lib/serial-queue.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { backupsOf, openBackupFolder, removalsSchema } from '../store/backup/backup-folder.ts';
import type { BackupReport, BackupsFound } from '../store/backup/write-backup.ts';
import { type MaintenanceThread, startMaintenanceThread } from '../store/threads/maintenance-thread.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { backUpFiles } from './backed-up-files.ts';

const targetSchema = z.object({
  path: z.string(),
  since: z.iso.datetime(),
  last: backupReportSchema.nullable(),
  failed: failedBackupSchema.nullable(),
  /** When every part was read last. */
  fullAt: z.iso.datetime().nullable(),
  /** Its backups have what was removed since. */
  owes: z.boolean(),
});
type Target = z.infer<typeof targetSchema>;
const stateSchema = z.object({
  version: z.literal(1),
  /** The backups' key under a passphrase of its own; null: it is sealed under the profile's recovery code. */
  sealed: z.string().nullable(),
  /** Every folder in which backups were made, also earlier ones. */
  targets: z.array(targetSchema),
  removals: removalsSchema,
});
type State = z.infer<typeof stateSchema>;

/** The last backup is a day old, also where the next day's work begins a little earlier. */
const dueAfterMs = 22 * 3_600_000;
/** A folder that was away is tried again. */
const retryAfterMs = 3_600_000;
const overdueAfterMs = 7 * 86_400_000;
const fullAfterMs = 7 * 86_400_000;

/** What is removed: everything of a workspace, claims of one, or documents. */
export interface Removed {
  readonly workspaceId: string;
  readonly claimIds?: readonly number[] | undefined;
  readonly documents?: readonly { readonly sha256: string }[];
}

export interface Backups {
  getState(): Promise<BackupState>;
  /** @throws DeskError `backup.*`, `vault.weakPassphrase`, `app.notConfirmed`, `policy.setByOrganization` */
  set(changes: { folder?: string | undefined; passphrase?: string | null | undefined }): Promise<BackupState>;
  /** @throws DeskError `backup.*`, `profile.busy` */
  now(): Promise<BackupReport>;
  check(options: { isFull: boolean }): Promise<BackupsFound>;
  /** Backs up where that is due, and removes from earlier folders what was removed since. False: nothing was due. */
  ifDue(): Promise<boolean>;
  /** Notes what is about to be removed here, so that it is removed from backups as well. */
  noteRemoved(removed: Removed): Promise<void>;
  /** Rewrites the backups that can be reached. Never rejects: a folder that can't is named in the state. */
  rewrite(): Promise<void>;
  close(): Promise<void>;
}

type BackupPorts = Pick<
  EnginePorts,
  'profileDir' | 'secrets' | 'host' | 'clock' | 'log' | 'isReadOnly' | 'policy'
> & {
  readonly audit: Pick<AuditLog, 'append'>;
  readonly userData: UserDataStore;
  readonly emit: (event: AnyEvent) => void;
};

/** What is known of the backups of a profile, and the thread that makes one. */
interface Work extends BackupPorts {
  readonly paths: ProfilePaths;
  readonly file: JsonFile<State>;
  thread: MaintenanceThread | null;
  isClosed: boolean;
}

const timeOf = ({ clock }: Work): string => new Date(clock.now()).toISOString();

async function change({ file, emit }: Work, apply: (state: State) => Partial<State>): Promise<void> {
  await file.change((state) => ({ next: { ...state, ...apply(state) }, result: null }));
  emit({ name: 'backup:changed', payload: {} });
}
const changeTarget = (work: Work, path: string, changes: Partial<Target>): Promise<void> =>
  change(work, ({ targets }) => ({
    targets: targets.map((target) => (target.path === path ? { ...target, ...changes } : target)),
  }));

const readKey = async ({ secrets, profileDir }: Work): Promise<Buffer> =>
  getOrCreateSecret(secrets, `backup-key/${await getProfileId(profileDir)}`, { mayCreate: true });

/** The text of the file that opens the backups. @throws DeskError `backup.notSealed` */
async function makeKeyFile({ file, paths, host }: Work, backupKey: Buffer): Promise<string> {
  const { sealed } = await file.read();
  if (sealed !== null) return sealed;
  const opened = openSealedFile(paths).read();
  const profileKey = opened?.recovery == null ? null : await host.getProfileKey({ mayMake: false });
  if (opened === null || profileKey === null) throw new DeskError('backup.notSealed');
  const { id, recovery } = opened;
  return sealKey({ version: 1, id, inKeychain: false, passphrase: null, recovery }, profileKey, backupKey);
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

async function findBackupsIn(work: Work, folder: string) {
  const backupKey = await readKey(work);
  return { dir: backupsOf(folder, await getProfileId(work.profileDir)), backupKey };
}

async function addTarget(work: Work, path: string): Promise<Target> {
  const known = (await work.file.read()).targets.find((target) => target.path === path);
  if (known !== undefined) return known;
  const target = { path, since: timeOf(work), last: null, failed: null, fullAt: null, owes: false };
  await change(work, ({ targets }) => ({ targets: [...targets, target] }));
  return target;
}

async function makeBackup(work: Work): Promise<BackupReport> {
  const { host, clock, secrets, profileDir } = work;
  if (work.isReadOnly) throw new DeskError('profile.busy');
  const { folder, kept } = await host.getBackupRules();
  if (folder === '') throw new DeskError('backup.noFolder');
  const { fullAt, last, owes } = await addTarget(work, folder);
  const isFull = fullAt === null || clock.now() - Date.parse(fullAt) >= fullAfterMs;
  try {
    requireFolder(folder, profileDir);
    const where = await findBackupsIn(work, folder);
    const keyFile = await makeKeyFile(work, where.backupKey);
    // Written first, so that the backup has it; this also makes or migrates the file.
    await work.audit.append({ action: 'backup.begun', workspaceId: null, details: {} });
    const auditKey = await secrets.get(`audit-key/${await getProfileId(profileDir)}`);
    const request = {
      ...where,
      at: timeOf(work),
      app: await host.getVersion(),
      files: await backUpFiles(work.paths),
      auditKey: auditKey?.toString('base64') ?? null,
      keyFile,
      kept,
      isNew: last === null,
      isFull,
      removals: owes ? (await work.file.read()).removals : [],
    };
    const report = await inThread(work, (thread) => thread.call('writeBackup', request));
    const read = isFull ? { fullAt: report.at } : {};
    await changeTarget(work, folder, { last: report, failed: null, owes: false, ...read });
    return report;
  } catch (thrown) {
    if (!work.isClosed)
      await changeTarget(work, folder, { failed: { at: timeOf(work), code: toDeskError(thrown).code } });
    throw thrown;
  }
}

/** Removes from every folder that can be reached what was removed since; the others are tried again later. */
async function removeFromAll(work: Work): Promise<void> {
  if (work.isReadOnly) return;
  const { targets, removals } = await work.file.read();
  for (const { path, owes } of targets) {
    if (!owes) continue;
    try {
      const where = await findBackupsIn(work, path);
      await inThread(work, (thread) => thread.call('removeFromBackups', { ...where, removals }));
      await changeTarget(work, path, { owes: false });
    } catch (thrown) {
      logFailure(work.log, 'store.trouble', thrown);
    }
  }
}

async function getState({ host, clock, file, paths, policy }: Work): Promise<BackupState> {
  const { folder } = await host.getBackupRules();
  const { targets, sealed } = await file.read();
  const hasCode = openSealedFile(paths).read()?.recovery != null;
  const target = targets.find(({ path }) => path === folder);
  const from = target?.last?.at ?? target?.since;
  return {
    folder,
    isOverdue: folder !== '' && (from === undefined || clock.now() - Date.parse(from) >= overdueAfterMs),
    isSetByOrganization: policy.backupFolder !== undefined,
    sealedBy: sealed !== null ? 'passphrase' : hasCode ? 'recoveryCode' : null,
    last: target?.last ?? null,
    failed: target?.failed ?? null,
    owing: targets.flatMap(({ path, owes }) => (owes ? [path] : [])),
  };
}

async function setBackups(
  work: Work,
  { folder, passphrase }: Parameters<Backups['set']>[0],
): Promise<BackupState> {
  if (work.isReadOnly) throw new DeskError('profile.busy');
  if (folder !== undefined && folder !== '') requireFolder(folder, work.profileDir);
  const sealed = passphrase == null ? null : await sealByPassphrase(work, passphrase);
  if (folder !== undefined) await work.host.setBackupFolder({ folder });
  if (folder !== undefined && folder !== '') await addTarget(work, folder);
  if (passphrase !== undefined) await change(work, () => ({ sealed }));
  await work.audit.append({ action: 'backup.set', workspaceId: null, details: {} });
  work.emit({ name: 'backup:changed', payload: {} });
  return getState(work);
}

async function noteRemoved(work: Work, { workspaceId, claimIds, documents }: Removed): Promise<void> {
  if ((await work.file.read()).targets.length === 0) return;
  const { digestOf } = openBackupFolder('', await readKey(work));
  const claims = claimIds?.map((claimId) => `claim ${workspaceId} ${claimId}`);
  const what = documents?.map(({ sha256 }) => `document ${sha256}`) ?? claims ?? [`workspace ${workspaceId}`];
  if (what.length === 0) return;
  await change(work, ({ removals, targets }) => ({
    removals: [...removals, { at: timeOf(work), digests: what.map(digestOf) }],
    targets: targets.map((target) => ({ ...target, owes: target.last !== null || target.owes })),
  }));
}

/**
 * Makes backups of what people wrote in a folder that the user chose, each in a thread of its own. The key of all backups of a
 * profile is a secret of the profile, and is in the folder under a recovery code or passphrase.
 */
export function createBackups(ports: BackupPorts): Backups {
  const paths = profilePaths(ports.profileDir);
  const empty: State = { version: 1, sealed: null, targets: [], removals: [] };
  const file = openJsonFile<State>(paths.backups, stateSchema, empty);
  const work: Work = { ...ports, paths, file, thread: null, isClosed: false };
  const inTurn = createSerialQueue();
  return {
    getState: () => getState(work),
    set: (changes) => setBackups(work, changes),
    now: () => inTurn(() => makeBackup(work)),
    check: (options) =>
      inTurn(async () => {
        const { folder } = await ports.host.getBackupRules();
        if (folder === '') throw new DeskError('backup.noFolder');
        const where = await findBackupsIn(work, folder);
        return inThread(work, (thread) => thread.call('findBackups', { ...where, ...options }));
      }),
    ifDue: () =>
      inTurn(async () => {
        if (ports.isReadOnly) return false;
        await removeFromAll(work);
        const { folder, sealedBy, last, failed } = await getState(work);
        if (folder === '' || sealedBy === null) return false;
        const isWithin = (ms: number, made: { at: string } | null): boolean =>
          made !== null && ports.clock.now() - Date.parse(made.at) < ms;
        if (isWithin(dueAfterMs, last) || isWithin(retryAfterMs, failed)) return false;
        await makeBackup(work);
        return true;
      }),
    noteRemoved: (removed) => noteRemoved(work, removed),
    rewrite: () =>
      inTurn(() => removeFromAll(work)).catch((thrown) => logFailure(work.log, 'store.trouble', thrown)),
    async close() {
      work.isClosed = true;
      // Ending it in between leaves what is there, as a kill does.
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

/** @throws DeskError `backup.folderMissing`, `backup.folderInside` */
function requireFolder(folder: string, profileDir: string): void {
  const isFolder = isAbsolute(folder) && existsSync(folder) && statSync(folder).isDirectory();
  if (!isFolder) throw new DeskError('backup.folderMissing');
  const inside = relative(resolve(profileDir), resolve(folder));
  if (!inside.startsWith('..') && !isAbsolute(inside)) throw new DeskError('backup.folderInside');
}
