import type { StoreFile, TeamRemoval } from '../../../../contract/store.ts';
import { findRestorable, restoreBackup } from '../backup/restore-backup.ts';
import {
  type BackedUp,
  type BackupRequest,
  beginBackups,
  findBackups,
  renewBackups,
  writeBackup,
} from '../backup/write-backup.ts';
import { checkFile } from '../file/check-database.ts';
import { openDatabase } from '../file/database.ts';
import { requireNewest } from '../file/migrate.ts';
import { writeMarks } from '../file/side-files.ts';
import { checkRecords } from '../maintenance/check-records.ts';
import type { OnProgress } from '../maintenance/count-progress.ts';
import { liftRetention, planRemoval, removeRecords } from '../maintenance/remove-records.ts';
import { repairRecords } from '../maintenance/repair-records.ts';
import { openRecords } from '../record/open-records.ts';
import type { UnfinishedRemoval } from '../sync/retention.ts';
import { repairUserData } from '../user-data/repair-user-data.ts';

type BackupFiles = Pick<BackedUp, 'dir' | 'backupKey'>;

/** Operations on a file as a whole, each with a separate connection. */
export const createMaintenanceOperations = (filePath: string, key: Uint8Array, onProgress: OnProgress) => ({
  check: ({ file, isFull }: { file: StoreFile; isFull: boolean }) => {
    const isRecords = file === 'records';
    const open = isRecords ? openRecords : openDatabase;
    const database = open(filePath, key, { isReadOnly: true });
    try {
      requireNewest(database, file);
      const check = isRecords
        ? checkRecords(database, isFull, onProgress)
        : checkFile(database, isFull, undefined, onProgress);
      writeMarks(filePath, { lastCheck: check });
      return check;
    } finally {
      database.close();
    }
  },
  repair: ({ file, mayLose }: { file: StoreFile; mayLose: boolean }) =>
    file === 'userData'
      ? repairUserData({ filePath, key, mayLose })
      : repairRecords({ filePath, key, mayLose, onProgress }),
  planRemoval: (input: { removal: TeamRemoval; written: readonly { claimId: number; count: number }[] }) =>
    planRemoval({ filePath, key, onProgress, ...input }),
  removeRecords: (input: { removal: TeamRemoval; unfinished?: UnfinishedRemoval }) =>
    removeRecords({ filePath, key, onProgress, ...input }),
  liftRetention: (_input: null) => liftRetention({ filePath, key }),
  writeBackup: ({ dir, backupKey, ...request }: BackupFiles & BackupRequest) =>
    writeBackup({ filePath, key, dir, backupKey }, request),
  beginBackups: ({ mayMake, ...place }: BackupFiles & { mayMake: boolean }) => beginBackups(place, mayMake),
  renewBackups: ({ dir, backupKey, ...changes }: BackupFiles & Parameters<typeof renewBackups>[1]) =>
    renewBackups({ filePath, key, dir, backupKey }, changes),
  findBackups: ({ isFull, ...place }: BackupFiles & { isFull: boolean }) => findBackups(place, { isFull }),
  findRestorable: ({ before, ...place }: BackupFiles & { before: string | null }) =>
    findRestorable(place, { before }),
  restoreBackup: ({ before, ...place }: BackupFiles & { before: string | null }) =>
    restoreBackup({ filePath, key, ...place }, { before }),
});

export type MaintenanceOperations = ReturnType<typeof createMaintenanceOperations>;
