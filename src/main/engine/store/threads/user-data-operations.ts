import { toDeskError } from '../../../lib/errors.ts';
import {
  type BackupRules,
  backUpBeforeTrim,
  chooseBackupsToDrop,
  listBackups,
  listDatedBackups,
  removeBackup,
  userDataBackupRules,
  writeBackup,
} from '../file/backup.ts';
import type { Database } from '../file/database.ts';
import { readMarks, sideFilesOf, writeMarks } from '../file/side-files.ts';
import type { AuditAnchor } from '../user-data/audit-chain.ts';
import {
  type AuditPage,
  acceptAudit,
  appendAudit,
  findDueTrim,
  hasAnchored,
  listAudit,
  readAuditEnd,
  readAuditFrom,
  trimAudit,
} from '../user-data/audit-entries.ts';
import { countReviews, forgetReviews } from '../user-data/forget-reviews.ts';
import { createJournal } from '../user-data/journal.ts';
import { createReviewReading } from '../user-data/read-reviews.ts';
import { createReviews } from '../user-data/reviews.ts';
import { createSavedViews } from '../user-data/saved-views.ts';
import { findStart, verifyAudit } from '../user-data/verify-audit.ts';

/** After a change, a backup is made if the newest one is older than this. */
const backupGapMs = 3_600_000;

/** The operations of the user data file, which a sync never changes. */
export function createUserDataOperations(
  database: Database,
  filePath: string,
  key: Uint8Array,
  onTrouble: (thrown: unknown) => void,
) {
  // A confirmed entry must survive a power failure.
  database.pragma('synchronous=FULL');
  const journal = createJournal(sideFilesOf(filePath).journal, key);
  const views = createSavedViews(database, journal);
  const reviews = createReviews(database, journal);

  /** Makes a backup and removes what it makes superfluous: the journal so far, and backups beyond the rules. */
  const backUp = (rules: BackupRules = userDataBackupRules): { name: string } => {
    // A backup holds no claims of an act that is not there.
    reviews.dropStaged(null);
    const size = journal.size();
    const path = writeBackup(database, filePath, key, { at: new Date().toISOString() });
    const name = path.slice(sideFilesOf(filePath).backupsDir.length + 1);
    database.transaction(() => journal.restart(name, size)).immediate();
    if (readMarks(filePath).failedBackup !== null) writeMarks(filePath, { failedBackup: null });
    for (const old of chooseBackupsToDrop(listDatedBackups(filePath), rules)) removeBackup(filePath, old);
    return { name };
  };
  const markFailedBackup = (thrown: unknown): void => {
    const failedBackup = { at: new Date().toISOString(), code: toDeskError(thrown).code };
    try {
      writeMarks(filePath, { failedBackup });
    } catch (again) {
      onTrouble(again);
    }
  };
  /** A backup that fails (a full disk) does not undo the change, which is already in file and journal. */
  const backUpIfDue = <T>(written: T): T => {
    if (reviews.isStaging()) return written;
    try {
      const [newest] = listDatedBackups(filePath);
      const ageMs = newest === undefined ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(newest.at);
      if (ageMs >= backupGapMs) backUp();
    } catch (thrown) {
      onTrouble(thrown);
      markFailedBackup(thrown);
    }
    return written;
  };
  const isEmpty = (): boolean =>
    ['audit', 'views', 'review_events'].every(
      (table) => database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined,
    );
  if (!journal.isThere()) {
    if (isEmpty()) journal.restart(null, 0);
    else backUp();
  }

  const noteRow = (row: Readonly<Record<string, unknown>>): void =>
    journal.append({ kind: 'put', table: 'audit', row });
  /** Removed rows leave the file, its log, the journal and every backup but `kept`. */
  const leaveNothing = (kept: string | null = null): void => {
    // Small enough for a VACUUM in place, which works while other processes have the file open.
    database.exec('VACUUM');
    database.pragma('wal_checkpoint(TRUNCATE)');
    const { name } = backUp();
    for (const old of listBackups(filePath)) {
      if (old.name !== name && old.name !== kept) removeBackup(filePath, old.name);
    }
  };

  return {
    appendAudit: (entry: Parameters<typeof appendAudit>[1]) =>
      backUpIfDue(appendAudit(database, entry, noteRow)),
    acceptAudit: (entry: Parameters<typeof acceptAudit>[1]) =>
      backUpIfDue(acceptAudit(database, entry, noteRow)),
    trimAudit: (entry: Parameters<typeof trimAudit>[1]) => {
      const isDue = findDueTrim(database, entry) !== null;
      const kept = isDue ? backUpBeforeTrim(database, filePath, key) : null;
      database.pragma('secure_delete=ON');
      const trimmed = trimAudit(database, entry, noteRow);
      if (trimmed.removed > 0) leaveNothing(kept);
      return trimmed;
    },
    listAudit: (page: AuditPage) => listAudit(database, page),
    readAuditFrom: (wanted: { seq: number; limit: number }) => readAuditFrom(database, wanted),
    readAuditStart: (_input: null) => findStart(database),
    readAuditEnd: (_input: null) => readAuditEnd(database),
    hasAuditAnchor: (anchor: AuditAnchor) => hasAnchored(database, anchor),
    verifyAudit: (wanted: Parameters<typeof verifyAudit>[1]) => verifyAudit(database, wanted),
    ...views,
    saveView: (row: Parameters<typeof views.saveView>[0]) => backUpIfDue(views.saveView(row)),
    ...createReviewReading(database),
    ...reviews,
    importReviews: (input: Parameters<typeof reviews.importReviews>[0]) =>
      backUpIfDue(reviews.importReviews(input)),
    appendReopened: (wanted: Parameters<typeof reviews.appendReopened>[0]) =>
      backUpIfDue(reviews.appendReopened(wanted)),
    appendReview: (act: Parameters<typeof reviews.appendReview>[0]) => backUpIfDue(reviews.appendReview(act)),
    backUp: (rules: BackupRules | null) => backUp(rules ?? userDataBackupRules),
    /**
     * Removes reviews of claims, for good: from the file, its log, the journal and every backup. Without `claimIds`,
     * everything that people wrote in the workspace. The audit log stays.
     */
    forgetWritten: (wanted: { workspaceId: string; claimIds?: readonly number[] | undefined }): null => {
      database.pragma('secure_delete=ON');
      reviews.dropStaged(null);
      database
        .transaction(() => {
          forgetReviews(database, wanted);
          if (wanted.claimIds === undefined)
            database.prepare('DELETE FROM views WHERE workspace_id=?').run(wanted.workspaceId);
        })
        .immediate();
      leaveNothing();
      return null;
    },
    countWritten: ({ workspaceId }: { workspaceId: string }) => countReviews(database, workspaceId),
  };
}

export type UserDataOperations = ReturnType<typeof createUserDataOperations>;
