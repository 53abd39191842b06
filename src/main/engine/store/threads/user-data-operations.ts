import { toDeskError } from '../../../lib/errors.ts';
import {
  type BackupRules,
  chooseBackupsToDrop,
  listBackups,
  listDatedBackups,
  removeBackup,
  usualBackupRules,
  writeBackup,
} from '../file/backup.ts';
import type { Connection } from '../file/connection.ts';
import { readMarks, sideFilesOf, writeMarks } from '../file/side-files.ts';
import { createAnnotations } from '../user-data/annotations.ts';
import type { AuditAnchor } from '../user-data/audit-chain.ts';
import {
  type AuditPage,
  acceptAudit,
  appendAudit,
  hasAnchored,
  listAudit,
  readAuditEnd,
  readAuditFrom,
  trimAudit,
} from '../user-data/audit-entries.ts';
import { createJournal } from '../user-data/journal.ts';
import { createReviews } from '../user-data/reviews.ts';
import { findStart, verifyAudit } from '../user-data/verify-audit.ts';

/** After a change, a backup is made if the newest one is older than this. */
const backupGapMs = 3_600_000;

/** The operations of the user data file, which a sync never changes. */
export function createUserDataOperations(
  connection: Connection,
  filePath: string,
  key: Uint8Array,
  onTrouble: (thrown: unknown) => void,
) {
  // A confirmed entry must survive a power failure.
  connection.pragma('synchronous=FULL');
  const journal = createJournal(sideFilesOf(filePath).journal, key);
  const annotations = createAnnotations(connection, journal);
  const reviews = createReviews(connection, journal);

  /** Makes a backup and removes what it makes superfluous: the journal so far, and backups beyond the rules. */
  const backUp = (rules: BackupRules = usualBackupRules): { name: string } => {
    const size = journal.size();
    const path = writeBackup(connection, filePath, key, { at: new Date().toISOString() });
    const name = path.slice(sideFilesOf(filePath).backupsDir.length + 1);
    connection.transaction(() => journal.restart(name, size)).immediate();
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
    ['audit', 'annotations', 'views', 'review_events'].every(
      (table) => connection.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined,
    );
  if (!journal.isThere()) {
    if (isEmpty()) journal.restart(null, 0);
    else backUp();
  }

  const noteRow = (row: Readonly<Record<string, unknown>>): void =>
    journal.append({ kind: 'put', table: 'audit', row });
  /** Removed rows leave the file, its log, the journal and every backup. */
  const leaveNothing = (): void => {
    // Small enough for a VACUUM in place, which works while other processes have the file open.
    connection.exec('VACUUM');
    connection.pragma('wal_checkpoint(TRUNCATE)');
    const { name } = backUp();
    for (const old of listBackups(filePath)) {
      if (old.name !== name) removeBackup(filePath, old.name);
    }
  };

  return {
    appendAudit: (entry: Parameters<typeof appendAudit>[1]) =>
      backUpIfDue(appendAudit(connection, entry, noteRow)),
    acceptAudit: (entry: Parameters<typeof acceptAudit>[1]) =>
      backUpIfDue(acceptAudit(connection, entry, noteRow)),
    trimAudit: (entry: Parameters<typeof trimAudit>[1]) => {
      connection.pragma('secure_delete=ON');
      const trimmed = trimAudit(connection, entry, noteRow);
      if (trimmed.removed > 0) leaveNothing();
      return trimmed;
    },
    listAudit: (page: AuditPage) => listAudit(connection, page),
    readAuditFrom: (wanted: { seq: number; limit: number }) => readAuditFrom(connection, wanted),
    readAuditStart: (_input: null) => findStart(connection),
    readAuditEnd: (_input: null) => readAuditEnd(connection),
    hasAuditAnchor: (anchor: AuditAnchor) => hasAnchored(connection, anchor),
    verifyAudit: (wanted: Parameters<typeof verifyAudit>[1]) => verifyAudit(connection, wanted),
    ...annotations,
    saveNote: (row: Parameters<typeof annotations.saveNote>[0]) => backUpIfDue(annotations.saveNote(row)),
    saveView: (row: Parameters<typeof annotations.saveView>[0]) => backUpIfDue(annotations.saveView(row)),
    ...reviews,
    appendReview: (act: Parameters<typeof reviews.appendReview>[0]) => backUpIfDue(reviews.appendReview(act)),
    backUp: (rules: BackupRules | null) => backUp(rules ?? usualBackupRules),
    /**
     * Removes what was written about records, for good: from the file, its log, the journal and every backup.
     * Without `about`, everything of the workspace. The audit log stays. Returns how many notes went.
     */
    forgetNotes: (wanted: {
      workspaceId: string;
      about?: { target: string; recordId: number }[] | undefined;
    }): number => {
      connection.pragma('secure_delete=ON');
      const count = connection
        .transaction(() => {
          const { workspaceId, about } = wanted;
          if (about !== undefined) {
            const remove = connection.prepare(
              'DELETE FROM annotations WHERE workspace_id=? AND target=? AND record_id=?',
            );
            return about.reduce(
              (sum, { target, recordId }) => sum + remove.run(workspaceId, target, recordId).changes,
              0,
            );
          }
          connection.prepare('DELETE FROM views WHERE workspace_id=?').run(workspaceId);
          return connection.prepare('DELETE FROM annotations WHERE workspace_id=?').run(workspaceId).changes;
        })
        .immediate();
      leaveNothing();
      return count;
    },
    countNotes: ({ workspaceId }: { workspaceId: string }) =>
      connection
        .prepare(
          'SELECT target, record_id AS recordId, count(*) AS count FROM annotations WHERE workspace_id=? GROUP BY 1, 2',
        )
        .all(workspaceId) as { target: string; recordId: number; count: number }[],
  };
}

export type UserDataOperations = ReturnType<typeof createUserDataOperations>;
