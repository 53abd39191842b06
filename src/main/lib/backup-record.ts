import { z } from 'zod';
import { backupReportSchema } from '../../contract/backup-procedures.ts';
import { failedBackupSchema } from '../../contract/store.ts';
import { type JsonFile, openJsonFile } from './json-file.ts';

/** The removed content, as keyed digests without any name. Its number is higher than those of all backups that may have it. */
export const removalSchema = z.object({ number: z.int(), digests: z.array(z.string()) });

const targetSchema = z.object({
  /** The profile's own folder in the one that was chosen; after a restore, that of the profile it was restored from. */
  dir: z.string(),
  since: z.iso.datetime(),
  last: backupReportSchema.nullable(),
  failed: failedBackupSchema.nullable(),
  /** When every part was read last; what was written since was read back. */
  fullAt: z.iso.datetime(),
  /** Nothing was written there, or it no longer exists: the folder may be made. */
  isNew: z.boolean(),
  /** Every removal and every other seal up to this number is in effect there. */
  through: z.int(),
  /** Why its backups could not be brought up to date. */
  refused: failedBackupSchema.shape.code.nullable(),
});
export type BackupTarget = z.infer<typeof targetSchema>;
/** A folder in which this profile has made no backup yet. */
export const newTarget = (
  dir: string,
  since: string,
  state: Pick<BackupTarget, 'isNew' | 'through'>,
): BackupTarget => ({ dir, since, last: null, failed: null, fullAt: since, refused: null, ...state });

const recordSchema = z.object({
  version: z.literal(1),
  /** The highest number of a backup, a removal, or a seal. */
  number: z.int(),
  /** The text of the file with the backups' key, under a separate passphrase or the profile's recovery code. */
  seal: z.object({ text: z.string(), number: z.int() }).nullable(),
  /** Every folder in which backups were made, also earlier ones. */
  targets: z.array(targetSchema),
  removals: z.array(removalSchema),
});
export type BackupRecord = z.infer<typeof recordSchema>;
/** The profile's file about its backups elsewhere, which the engine alone changes. */
export const openBackupRecord = (path: string): JsonFile<BackupRecord> =>
  openJsonFile<BackupRecord>(path, recordSchema, {
    version: 1,
    number: 0,
    seal: null,
    targets: [],
    removals: [],
  });
