import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { getProfileId } from '../../keychain/profile-identity.ts';
import { hasProtectedData } from '../../keychain/protected-data.ts';
import {
  openContent,
  parseSealedFile,
  unwrapByPassphrase,
  unwrapByRecoveryCode,
} from '../../keychain/sealed-format.ts';
import { getOrCreateSecret } from '../../keychain/secret-store.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import { newTarget, openBackupRecord } from '../../lib/backup-record.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { profilePaths } from '../../lib/paths.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { keyFileOf, toFolderError } from '../store/backup/backup-folder.ts';
import type { Restored } from '../store/backup/restore-backup.ts';
import { startMaintenanceThread } from '../store/threads/maintenance-thread.ts';
import { restoreFiles } from './backed-up-files.ts';
import { backupKeyAccount } from './backups.ts';
import { userDataKeyAccount } from './workspace-files.ts';

interface RestoreRequest {
  /** The folder that was set as the backup folder. */
  readonly folder: string;
  /** The recovery code or the passphrase with which the backups are sealed. */
  readonly secret: string;
  /** The newest backup that is not later; null: the newest one. */
  readonly before: string | null;
}

interface OpenedBackups {
  readonly dir: string;
  readonly backupKey: Buffer;
  readonly keyFile: string;
}

/**
 * Opens all backups in the folder that this code or passphrase opens.
 * @throws DeskError `backup.none`, `backup.wrongSecret`, `backup.damaged`, `backup.folder*`
 */
async function openBackups(folder: string, secret: string): Promise<OpenedBackups[]> {
  const names = await readdir(folder).catch((thrown: unknown) => {
    throw toFolderError(thrown);
  });
  const dirs = names.filter((name) => name.startsWith('claimdesk-')).map((name) => join(folder, name));
  const opened: OpenedBackups[] = [];
  let error = new DeskError('backup.none');
  for (const dir of [...dirs, folder]) {
    const keyFile = await readFile(keyFileOf(dir), 'utf8').catch(() => null);
    if (keyFile === null) continue;
    try {
      const file = parseSealedFile(keyFile);
      const root =
        file.passphrase === null
          ? unwrapByRecoveryCode(file, secret)
          : await unwrapByPassphrase(file, secret);
      const { secrets } = openContent(file, root);
      opened.push({ dir, keyFile, backupKey: Buffer.from(secrets.backup ?? '', 'base64') });
    } catch (thrown) {
      const { code } = toDeskError(thrown);
      if (!/^(vault|unlock)\./.test(code)) throw thrown;
      if (code === 'vault.damaged')
        error = new DeskError('backup.damaged', { details: { file: 'key.json' } });
      else if (error.code === 'backup.none') error = new DeskError('backup.wrongSecret');
    }
  }
  if (opened.length === 0) throw error;
  return opened;
}

/** Lets a restored profile continue the backups that it came from: with their key, folder and removals. */
async function adoptBackups(
  { profileDir, secrets }: Pick<EnginePorts, 'profileDir' | 'secrets'>,
  { dir, backupKey, keyFile }: OpenedBackups,
  { number, removals }: Pick<Restored, 'number' | 'removals'>,
): Promise<void> {
  await secrets.set(await backupKeyAccount(profileDir), backupKey);
  const seal = parseSealedFile(keyFile).passphrase === null ? null : { text: keyFile, number: 0 };
  const target = newTarget(dir, new Date().toISOString(), { isNew: false, through: 0 });
  await openBackupRecord(profilePaths(profileDir).backups).change((state) => ({
    next: { ...state, number, seal, targets: [target], removals: [...removals] },
    result: null,
  }));
}

/**
 * Restores a backup into a new profile, with new keys. If the process is killed, the backup can be restored into the
 * same profile again: its workspaces are written last.
 * @throws DeskError `restore.notEmpty`, `backup.*`, `store.newer`, `disk.*`, `keychain.*`, `vault.*`
 */
export async function restoreProfile(
  { profileDir, secrets, audit }: Pick<EnginePorts, 'profileDir' | 'secrets'> & { audit: AuditLog },
  { folder, secret, before }: RestoreRequest,
): Promise<Omit<Restored, 'files' | 'auditKey' | 'removals' | 'number'> & { from: string }> {
  const paths = profilePaths(profileDir);
  const { userData, workspaces, restoring } = paths;
  const isBegun = existsSync(restoring);
  if (existsSync(workspaces) || (!isBegun && (await hasProtectedData(profileDir))))
    throw new DeskError('restore.notEmpty');
  const opened = await openBackups(folder, secret);
  await writeFileAtomic(restoring, '').catch((thrown: unknown) => {
    throw toDeskError(thrown);
  });
  const key = await getOrCreateSecret(secrets, userDataKeyAccount(await getProfileId(profileDir)), {
    mayCreate: true,
  });
  const thread = await startMaintenanceThread(userData, key);
  const restore = async () => {
    let newest = { at: '', from: opened[0] as OpenedBackups };
    for (const from of opened) {
      const at = (await thread.call('findRestorable', { ...from, before })) ?? '';
      if (at > newest.at) newest = { at, from };
    }
    return { from: newest.from, ...(await thread.call('restoreBackup', { ...newest.from, before })) };
  };
  const { files, auditKey, removals, number, from, ...restored } = await restore().finally(() =>
    thread.close(),
  );
  if (auditKey !== null) await audit.adopt(Buffer.from(auditKey, 'base64'));
  const { at, events, documents } = restored;
  await audit.append({ action: 'backup.restored', workspaceId: null, details: { at, events, documents } });
  await adoptBackups({ profileDir, secrets }, from, { number, removals });
  await restoreFiles(paths, files);
  await rm(restoring, { force: true });
  return { ...restored, from: from.dir };
}
