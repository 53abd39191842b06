import { basename } from 'node:path';
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
import { bindTo, type Database } from '../file/database.ts';
import { readMarks, sideFilesOf, writeMarks } from '../file/side-files.ts';
import { emptyLog } from '../file/wal-state.ts';
import {
  acceptAudit,
  appendAudit,
  findDueTrim,
  hasAnchored,
  listAudit,
  readAuditEnd,
  readAuditFrom,
  trimAudit,
} from '../user-data/audit-entries.ts';
import { listCertificates } from '../user-data/certificates.ts';
import { copyOwn } from '../user-data/copy-own.ts';
import { listNumbered, readCounting, readCountingEvents } from '../user-data/counting-events.ts';
import {
  createDocuments,
  keepDocumentSent,
  listAttached,
  listUnsentDocuments,
} from '../user-data/documents.ts';
import {
  findReviewedAfter,
  foldReviews,
  readClaimEvents,
  readCompared,
  readReviewEnd,
  sumDone,
} from '../user-data/fold-claims.ts';
import { countReviews, forgetReviews } from '../user-data/forget-reviews.ts';
import { createJournal, type Journal } from '../user-data/journal.ts';
import { readComputerFacts, readTeamFacts, readWitnessed } from '../user-data/kept-facts.ts';
import { keepRules, readKeptRules } from '../user-data/kept-rules.ts';
import { readPaidValues, readReviewed } from '../user-data/kept-values.ts';
import { findKnownEntries, mayLackClaims } from '../user-data/known-entries.ts';
import {
  findReviewEvent,
  findUndoable,
  listReviewEvents,
  listUnsentActs,
  readKeptClaims,
  readReviewEntries,
} from '../user-data/list-events.ts';
import { readKeptMembers } from '../user-data/member-rows.ts';
import { findNewer } from '../user-data/newer-events.ts';
import { dismissOtherLogs, readOtherLogs, readRewound } from '../user-data/other-logs.ts';
import {
  countUnsent,
  listInvitations,
  readLost,
  readTeamHashes,
  readTeamLog,
  wasRead,
} from '../user-data/read-team-log.ts';
import { createReviews } from '../user-data/reviews.ts';
import {
  countRuleDecisions,
  listLeftOut,
  listUndoableByRule,
  reportRules,
} from '../user-data/rule-decisions.ts';
import { listRunEvents } from '../user-data/run-events.ts';
import { createViewWriter, listViews } from '../user-data/saved-views.ts';
import { endBehind, readBehindPosition, readCheckpoints } from '../user-data/team-checkpoints.ts';
import { listDoubts, resolveDoubts } from '../user-data/team-doubts.ts';
import { createTeamLog, teamTables } from '../user-data/team-log.ts';
import { readRemovals } from '../user-data/team-removals.ts';
import { tryDecisions } from '../user-data/try-rule.ts';
import { findStart, verifyAudit } from '../user-data/verify-audit.ts';

/** After a change, a backup is made if the newest one is older than this. */
const backupGapMs = 3_600_000;

const reading = {
  countRuleDecisions,
  countUnsent,
  countWritten: countReviews,
  findKnownEntries,
  findNewer,
  findReviewEvent,
  findReviewedAfter,
  findUndoable,
  foldReviews,
  readClaimEvents,
  hasAuditAnchor: hasAnchored,
  listAttached: (database: Database, _none: null) => listAttached(database),
  listAudit,
  listCertificates,
  listDoubts,
  listInvitations,
  listLeftOut,
  listNumbered,
  listReviewEvents,
  listRunEvents,
  listUndoableByRule,
  reportRules,
  listUnsentActs,
  listUnsentDocuments,
  listViews,
  mayLackClaims,
  readAuditEnd,
  readAuditFrom,
  readAuditStart: findStart,
  readBehindPosition,
  readCheckpoints,
  readCompared,
  readComputerFacts,
  readCounting,
  readCountingEvents,
  readLost,
  readPaidValues,
  readRemovals,
  readReviewEnd,
  readKeptClaims,
  readReviewEntries,
  readReviewed,
  readOtherLogs,
  readRewound,
  readTeamFacts,
  readKeptMembers,
  readKeptRules,
  readTeamHashes,
  readTeamLog,
  readWitnessed: (database: Database, _none: null) => readWitnessed(database),
  sumDone,
  tryDecisions,
  verifyAudit,
  wasRead,
};

/** The context of the operations. */
interface Opened {
  readonly database: Database;
  readonly filePath: string;
  readonly key: Uint8Array;
  readonly onTrouble: (thrown: unknown) => void;
  readonly journal: Journal;
  readonly reviews: ReturnType<typeof createReviews>;
}

/** Makes a backup and removes what is then superfluous: the journal so far, and backups beyond the rules. */
function backUp({ database, filePath, key, journal, reviews }: Opened, rules: BackupRules): { name: string } {
  // A backup contains no staged claims whose act was never appended.
  reviews.dropStaged(null);
  const size = journal.size();
  const at = new Date().toISOString();
  const path = writeBackup(database, filePath, key, { at }, (target) => copyOwn(database, target, key));
  const name = basename(path);
  database.transaction(() => journal.restart(name, size)).immediate();
  if (readMarks(filePath).failedBackup !== null) writeMarks(filePath, { failedBackup: null });
  for (const old of chooseBackupsToDrop(listDatedBackups(filePath), rules)) removeBackup(filePath, old);
  return { name };
}

/** A failed backup (a full disk) does not undo the change, which is already in file and journal. */
function backUpIfDue(opened: Opened): void {
  const { filePath, onTrouble, reviews } = opened;
  if (reviews.isStaging()) return;
  try {
    const [newest] = listDatedBackups(filePath);
    const ageMs = newest === undefined ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(newest.at);
    if (ageMs >= backupGapMs) backUp(opened, userDataBackupRules);
  } catch (thrown) {
    onTrouble(thrown);
    const failedBackup = { at: new Date().toISOString(), code: toDeskError(thrown).code };
    try {
      writeMarks(filePath, { failedBackup });
    } catch (again) {
      onTrouble(again);
    }
  }
}

/** Removes deleted rows from the file's free pages, its log, the journal and every backup but `kept`. */
function leaveNothing(opened: Opened, kept: string | null): void {
  const { database, filePath } = opened;
  // The file is small enough for VACUUM in place, which works while other processes have the file open.
  database.exec('VACUUM');
  emptyLog(filePath, database);
  const { name } = backUp(opened, userDataBackupRules);
  for (const old of listBackups(filePath))
    if (old.name !== name && old.name !== kept) removeBackup(filePath, old.name);
}

const isEmpty = (database: Database): boolean =>
  ['audit', 'views', 'stored_events'].every(
    (table) => database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined,
  );

/** The operations of the user data file, which a sync never changes. */
export function createUserDataOperations(
  database: Database,
  filePath: string,
  key: Uint8Array,
  onTrouble: (thrown: unknown) => void,
  isReadOnly = false,
) {
  // A confirmed entry must survive a power failure.
  database.pragma('synchronous=FULL');
  const journal = createJournal(sideFilesOf(filePath).journal, key);
  const reviews = createReviews(database, journal);
  const opened: Opened = { database, filePath, key, onTrouble, journal, reviews };
  if (!journal.isThere()) {
    if (isEmpty(database)) journal.restart(null, 0);
    else backUp(opened, userDataBackupRules);
  }
  const teamLog = createTeamLog(database, reviews);
  const documents = createDocuments(database, filePath, key, onTrouble, isReadOnly);
  const { saveView, removeView } = createViewWriter(database, journal);
  const onRow = (row: Readonly<Record<string, unknown>>): void =>
    journal.append({ kind: 'put', table: 'audit', row });
  /** Makes a change, and then a backup where one is due. */
  const changing =
    <I, O>(change: (input: I) => O) =>
    (input: I): O => {
      const changed = change(input);
      backUpIfDue(opened);
      return changed;
    };

  return {
    ...bindTo(database, reading),
    ...reviews,
    ...teamLog,
    ...documents,
    endBehind: (input: { workspaceId: string }): null => endBehind(database, input),
    keepDocumentSent: (input: Parameters<typeof keepDocumentSent>[1]) => keepDocumentSent(database, input),
    dismissOtherLogs: (input: Parameters<typeof dismissOtherLogs>[1]) => dismissOtherLogs(database, input),
    forgetTeam: (input: { workspaceId: string }): null => {
      teamLog.forgetTeam(input);
      // The journal lacks entries from the server, which are not read again.
      backUp(opened, userDataBackupRules);
      return null;
    },
    removeView,
    appendAudit: changing((entry: Parameters<typeof appendAudit>[1]) => appendAudit(database, entry, onRow)),
    acceptAudit: changing((entry: Parameters<typeof acceptAudit>[1]) => acceptAudit(database, entry, onRow)),
    saveView: changing(saveView),
    importReviews: changing(reviews.importReviews),
    appendReopened: changing(reviews.appendReopened),
    appendEach: changing(reviews.appendEach),
    keepRules: (input: Parameters<typeof keepRules>[1]) => keepRules(database, input),
    resolveDoubts: (input: Parameters<typeof resolveDoubts>[1]) => resolveDoubts(database, input),
    appendReview: changing(reviews.appendReview),
    trimAudit: (entry: Parameters<typeof trimAudit>[1]) => {
      const isDue = findDueTrim(database, entry) !== null;
      const kept = isDue ? backUpBeforeTrim(database, filePath, key) : null;
      database.pragma('secure_delete=ON');
      const trimmed = trimAudit(database, entry, onRow);
      if (trimmed.removed > 0) leaveNothing(opened, kept);
      return trimmed;
    },
    backUp: (rules: BackupRules | null) => backUp(opened, rules ?? userDataBackupRules),
    /**
     * Permanently removes reviews of claims, with documents that no other claim has: from the file, its log, the
     * journal and every backup. Without `claimIds`, everything that users wrote in the workspace. The audit log is not
     * changed.
     */
    forgetWritten: (input: { workspaceId: string; claimIds?: readonly number[] | undefined }): null => {
      const { workspaceId, claimIds } = input;
      const removed = listAttached(database).filter(
        (document) => document.workspaceId === workspaceId && claimIds?.includes(document.claimId) !== false,
      );
      documents.beginErasing(removed);
      database.pragma('secure_delete=ON');
      reviews.dropStaged(null);
      database
        .transaction(() => {
          forgetReviews(database, input);
          if (claimIds === undefined)
            for (const table of ['views', 'kept_rules', ...teamTables])
              database.prepare(`DELETE FROM ${table} WHERE workspace_id=?`).run(workspaceId);
        })
        .immediate();
      leaveNothing(opened, null);
      documents.endErasing(removed);
      return null;
    },
  };
}

export type UserDataOperations = ReturnType<typeof createUserDataOperations>;
