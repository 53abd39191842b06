import { access, constants } from 'node:fs/promises';
import { type DoctorFinding, finding } from '../../../contract/doctor.ts';
import type { FindingCode } from '../../../contract/doctor-steps.ts';
import { toDeskError } from '../../lib/errors.ts';
import type { Backups } from './backups.ts';

const codeOfError: Readonly<Record<string, FindingCode>> = {
  'backup.folderUnwritable': 'backupFolder.unwritable',
  'backup.damaged': 'backupFolder.damaged',
};

/**
 * Finds whether the backup folder exists and can be written, and whether its newest backup can be read; finds nothing
 * if no folder is set. Never rejects.
 */
export async function diagnoseBackups(
  backups: Pick<Backups, 'getState' | 'check'>,
): Promise<DoctorFinding | null> {
  const began = performance.now();
  const find = (code: FindingCode): DoctorFinding =>
    finding('backupFolder', code, { tookMs: performance.now() - began });
  try {
    const { folder, last, isOverdue } = await backups.getState();
    if (folder === '') return null;
    await access(folder);
    const isWritable = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) return find('backupFolder.unwritable');
    if (last !== null) {
      const { backups: readableBackups, damaged } = await backups.check({ isFull: false });
      if (damaged.length > 0) return find('backupFolder.damaged');
      if (readableBackups.length === 0) return find('backupFolder.missing');
    }
    return isOverdue ? find('backupFolder.old') : last === null ? null : find('backupFolder.readable');
  } catch (thrown) {
    return find(codeOfError[toDeskError(thrown).code] ?? 'backupFolder.missing');
  }
}
