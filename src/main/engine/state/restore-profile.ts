import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
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
import { DeskError, toDeskError } from '../../lib/errors.ts';
import { profilePaths } from '../../lib/paths.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { inFolder, keyFileOf } from '../store/backup/backup-folder.ts';
import type { Restored } from '../store/backup/restore-backup.ts';
import { startMaintenanceThread } from '../store/threads/maintenance-thread.ts';
import { restoreFiles } from './backed-up-files.ts';
import { userDataKeyAccount } from './workspace-files.ts';

export interface RestoreRequest {
  /** The folder that was set as the backup folder. */
  readonly folder: string;
  /** The recovery code or the passphrase that the backups are sealed under. */
  readonly secret: string;
  /** The newest backup that is not later; null: the newest one. */
  readonly before: string | null;
}

/** Finds the backups that this code or passphrase opens. @throws DeskError `backup.none`, `backup.wrongSecret` */
async function openBackups(folder: string, secret: string) {
  const dirs = inFolder(() => readdirSync(folder))
    .filter((name) => name.startsWith('claimdesk-'))
    .map((name) => join(folder, name))
    .concat(folder)
    .filter((dir) => existsSync(keyFileOf(dir)));
  if (dirs.length === 0) throw new DeskError('backup.none');
  for (const dir of dirs) {
    try {
      const file = parseSealedFile(inFolder(() => readFileSync(keyFileOf(dir), 'utf8')));
      const root =
        file.passphrase === null
          ? unwrapByRecoveryCode(file, secret)
          : await unwrapByPassphrase(file, secret);
      const { secrets } = openContent(file, root);
      return { dir, backupKey: Buffer.from(secrets.backup ?? '', 'base64') };
    } catch (thrown) {
      if (!/^(vault|unlock)\./.test(toDeskError(thrown).code)) throw thrown;
    }
  }
  throw new DeskError('backup.wrongSecret');
}

/**
 * Restores a backup into a new profile, under new keys. A kill in between leaves a profile into which it can be restored again:
 * its workspaces are written last.
 *
 * @throws DeskError `restore.notEmpty`, `backup.*`, `store.newer`, `disk.*`, `keychain.*`, `vault.*`
 */
export async function restoreProfile(
  { profileDir, secrets, audit }: Pick<EnginePorts, 'profileDir' | 'secrets'> & { audit: AuditLog },
  { folder, secret, before }: RestoreRequest,
): Promise<Omit<Restored, 'files' | 'auditKey'>> {
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
  const { files, auditKey, ...restored } = await thread
    .call('restoreBackup', { ...opened, before })
    .finally(() => thread.close());
  if (auditKey !== null) await audit.adopt(Buffer.from(auditKey, 'base64'));
  const { at, events, documents } = restored;
  await audit.append({ action: 'backup.restored', workspaceId: null, details: { at, events, documents } });
  await restoreFiles(paths, files);
  await rm(restoring, { force: true });
  return restored;
}
