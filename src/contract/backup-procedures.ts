import { z } from 'zod';
import { inEngine, nothing, withoutRecords } from './procedure-parts.ts';
import { failedBackupSchema } from './store.ts';

/**
 * One backup. `bytes`: all that it consists of; `written`: what was not in the folder yet; `missing`: documents that could not
 * be read here.
 */
export const backupReportSchema = z.object({
  at: z.iso.datetime(),
  bytes: z.int(),
  written: z.int(),
  missing: z.int(),
});

const backupStateSchema = z.object({
  /** Empty: no backups are made. */
  folder: z.string(),
  isSetByOrganization: z.boolean(),
  /** Null: there is neither a recovery code nor a passphrase for backups. */
  sealedBy: z.enum(['recoveryCode', 'passphrase']).nullable(),
  last: backupReportSchema.nullable(),
  /** A folder is set, and nothing was backed up there for a week. */
  isOverdue: z.boolean(),
  failed: failedBackupSchema.nullable(),
  /** The folders with backups of this profile, also earlier ones; *Remove everything* leaves them. */
  folders: z.array(z.string()),
  /** The profile has a recovery code. */
  hasRecoveryCode: z.boolean(),
  /** Folders whose backups still have what was removed since; `code`: why, null: that was not tried yet. */
  owing: z.array(z.object({ folder: z.string(), code: failedBackupSchema.shape.code.nullable() })),
});
export type BackupState = z.infer<typeof backupStateSchema>;

const foundSchema = z.object({
  backups: z.array(z.object({ file: z.string(), at: z.string() })),
  /** Names of files that can't be read; `of`: the table in a part, `document`, `removals`, `key`, or `backup`. */
  damaged: z.array(z.object({ file: z.string(), of: z.string() })),
  bytes: z.int(),
});

export const backupProcedures = {
  'backup:getState': inEngine(nothing, backupStateSchema, withoutRecords),
  /**
   * Changes where backups are made, or how they are sealed: by a separate passphrase; null: by the profile's recovery
   * code. The user confirms a new folder or seal outside the page. An empty folder ends backups; those that are there stay.
   */
  'backup:set': inEngine(
    z.object({
      folder: z.string().trim().max(4000).optional(),
      passphrase: z.string().max(1000).nullable().optional(),
      /** A folder whose backups no longer exist, so that nothing is owed there. */
      forget: z.string().max(4000).optional(),
    }),
    backupStateSchema,
    withoutRecords,
  ),
  'backup:now': inEngine(nothing, backupReportSchema, withoutRecords),
  /** Reads the folder; `isFull`: every file in it. */
  'backup:check': inEngine(z.object({ isFull: z.boolean() }), foundSchema, withoutRecords),
} as const;
