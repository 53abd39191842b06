import type { Loss, RepairReport } from '../../../../contract/store.ts';
import { DeskError } from '../../../lib/errors.ts';
import { findBackup } from '../file/backup.ts';
import { isSound } from '../file/check-database.ts';
import { type Database, openDatabase } from '../file/database.ts';
import { checkStoreKey } from '../file/key-check.ts';
import { migrate } from '../file/migrate.ts';
import { openFile } from '../file/open-file.ts';
import { toStored } from '../file/packed-proofs.ts';
import { arePackedValuesWhole } from '../file/packed-values.ts';
import { readRowsAround } from '../file/read-around.ts';
import { replaceFile } from '../file/replace-file.ts';
import { readMarks, removeDatabase, sideFilesOf, timeInName, writeMarks } from '../file/side-files.ts';
import { putCertificateSql } from './certificates.ts';
import { createJournal, type JournalEntry } from './journal.ts';
import { claimRepair } from './repair-claim.ts';
import { putViewSql } from './saved-views.ts';
import { createEventWriter, type PutEvent, readStoredEvents } from './stored-events.ts';
import { putEventClaimSql, type ReviewEntry, toStoredValues } from './write-event.ts';

const tables = ['audit', 'views', 'certificates', 'review_events', 'review_event_claims'] as const;
type Table = (typeof tables)[number];
const putSql: Readonly<Record<Exclude<Table, 'review_events'>, string>> = {
  audit: `INSERT OR IGNORE INTO audit (seq, at, action, workspace_id, details, hash, actor)
          VALUES (:seq, :at, :action, :workspace_id, :details, :hash, :actor)`,
  views: putViewSql,
  certificates: putCertificateSql,
  review_event_claims: putEventClaimSql,
};
/** Columns that rows of an older file or journal do not have, with their values. */
const missingOf: Partial<Record<Table, object>> = {
  review_events: { folds_at: null, more: null, proof: null, seen: null },
};

/**
 * Restores the user data file from its backup, the journal of changes since then, and every row of the damaged file
 * that can be read. Backup and an unbroken journal together are complete; so is a file whose rows can all be read.
 * Otherwise something may be lost, and nothing is changed without `mayLose`.
 * @throws DeskError `store.wrongKey`, `store.newer`, `store.busy`, `disk.full`, `disk.readOnly`: nothing was changed
 */
export function repairUserData(options: {
  readonly filePath: string;
  readonly key: Uint8Array;
  readonly mayLose: boolean;
}): RepairReport {
  const { filePath, key } = options;
  if (checkStoreKey(filePath, key) === 'wrong') throw new DeskError('store.wrongKey');
  const release = claimRepair(sideFilesOf(filePath).repairing);
  try {
    return repairAlone(filePath, key, options.mayLose);
  } finally {
    release();
  }
}

function repairAlone(filePath: string, key: Uint8Array, mayLose: boolean): RepairReport {
  const at = new Date().toISOString();
  const base = { at, file: 'userData', needsSync: false } as const;
  if (isSoundAfterReopen(filePath, key)) {
    const { lastRepair } = readMarks(filePath);
    if (lastRepair !== null && lastRepair.at >= at) return lastRepair;
    const steps: RepairReport['steps'] = [{ step: 'reopen', outcome: 'sound' }];
    return { ...base, outcome: 'sound', steps, lost: [], keptAside: null };
  }
  const { next } = sideFilesOf(filePath);
  const merged = mergeInto(next, filePath, key);
  const steps: RepairReport['steps'] = [
    { step: 'reopen', outcome: 'notPossible' },
    ...(merged.isFromBackup
      ? [{ step: 'backup', outcome: 'done' } as const]
      : [
          { step: 'backup', outcome: 'notPossible' } as const,
          { step: 'salvage', outcome: merged.isSalvageWhole ? 'done' : 'needsConsent' } as const,
        ]),
  ];
  if (merged.lost.length > 0 && !mayLose) {
    removeDatabase(next);
    return { ...base, outcome: 'needsConsent', steps, lost: merged.lost, keptAside: null };
  }
  for (const step of steps) if (step.outcome === 'needsConsent') step.outcome = 'done';
  const keptAside = replaceFile(filePath, next, at);
  const report: RepairReport = { ...base, outcome: 'repaired', steps, lost: merged.lost, keptAside };
  writeMarks(filePath, { lastRepair: report });
  return report;
}

function isSoundAfterReopen(filePath: string, key: Uint8Array): boolean {
  try {
    const { database, close } = openFile(filePath, key, 'userData');
    try {
      return isSound(database);
    } finally {
      close();
    }
  } catch (thrown) {
    if (thrown instanceof DeskError && thrown.code === 'store.damaged') return false;
    throw thrown;
  }
}

function mergeInto(next: string, filePath: string, key: Uint8Array) {
  removeDatabase(next);
  const target = openDatabase(next, key);
  try {
    migrate(target, 'userData');
    const events = createEventWriter(target);
    const put = (table: Table, rows: readonly Record<string, unknown>[]): void => {
      const statement = table === 'review_events' ? null : target.prepare(putSql[table]);
      target.transaction(() => {
        for (const row of rows) {
          const whole = { ...missingOf[table], ...row, number: null };
          if (statement === null) events.put(whole as unknown as PutEvent);
          else statement.run(whole);
        }
      })();
    };
    /** Claims with damaged values, added after all others and without values: another source may have them. */
    const broken: Record<string, unknown>[] = [];
    const putWhole = (table: Table, rows: readonly Record<string, unknown>[]): boolean => {
      const stored = rows.map((row) => ({
        ...row,
        ...('reviewed' in row ? { reviewed: toStoredValues(row.reviewed) } : {}),
        ...('proof' in row ? { proof: toStored(row.proof) } : {}),
        ...('seen' in row ? { seen: toStored(row.seen) } : {}),
      }));
      const isBroken = (row: { reviewed?: unknown }): boolean =>
        Buffer.isBuffer(row.reviewed) && !arePackedValuesWhole(row.reviewed);
      const damaged = stored.filter(isBroken);
      broken.push(...damaged.map((row) => ({ ...row, reviewed: null })));
      put(table, damaged.length === 0 ? stored : stored.filter((row) => !isBroken(row)));
      return damaged.length === 0;
    };
    const copyAll = (source: Database): boolean =>
      tables
        .map((table) => {
          const { rows, isComplete } = readTable(source, table);
          return putWhole(table, rows) && isComplete;
        })
        .every(Boolean);

    const { entries, isWhole } = createJournal(sideFilesOf(filePath).journal, key).read();
    const first = entries[0];
    const backup = findBackup(filePath, key);
    if (backup !== null) withDatabase(backup.path, key, copyAll);
    replay(target, entries, events, putWhole);
    // It changes nothing to apply changes that a newer backup already has.
    const isFromBackup =
      isWhole &&
      first?.kind === 'after' &&
      (first.backup === null || (backup !== null && backup.at >= (timeInName(first.backup) ?? '~')));

    let isSalvageWhole = false;
    if (!isFromBackup) {
      try {
        // If the log was lost, rows may be missing without a sign.
        const isLogWhole = readMarks(filePath).lastCheck?.isSound !== false;
        isSalvageWhole = withDatabase(filePath, key, copyAll) && isLogWhole;
      } catch (thrown) {
        if (!(thrown instanceof DeskError) || thrown.code !== 'store.damaged') throw thrown;
      }
    }
    put('review_event_claims', broken);
    // The journal does not record which claims the lists have applied, so all are marked.
    target.exec(`INSERT OR IGNORE INTO claims_to_settle (workspace_id, claim_id)
      SELECT e.workspace_id, c.claim_id FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq`);
    target.pragma('wal_checkpoint(TRUNCATE)');
    const unknown: Loss[] = (['reviews', 'views', 'auditEntries'] as const).map((what) => ({
      what,
      count: null,
    }));
    return { isFromBackup, isSalvageWhole, lost: isFromBackup || isSalvageWhole ? [] : unknown };
  } finally {
    target.close();
  }
}

/** The texts of events by their numbers, each from the table or from the index, which contains it again. */
function readTexts(source: Database): Map<number, string> {
  const table = readRowsAround(source, 'review_texts').rows;
  const index = readRowsAround(
    source,
    'review_texts INDEXED BY sqlite_autoindex_review_texts_1',
    'text',
  ).rows;
  return new Map([...table, ...index].map(({ n, text }) => [n as number, text as string]));
}

/** The values of a claim for which an event stores none, and of a claim whose values are lost. */
const [noValues, damagedValues] = [
  { reviewed: null, digest: null },
  { reviewed: Buffer.alloc(0), digest: null },
];

/** A table that an older file does not have yet counts as complete. */
function readTable(source: Database, table: Table): ReturnType<typeof readRowsAround> {
  const isThere = (name: string): boolean =>
    source.prepare("SELECT 1 FROM sqlite_schema WHERE type='table' AND name=?").get(name) !== undefined;
  try {
    if (table === 'review_events' && isThere('stored_events')) {
      const stored = readRowsAround(source, 'stored_events');
      const { rows, isComplete } = readStoredEvents(stored.rows, readTexts(source));
      return { rows, isComplete: isComplete && stored.isComplete };
    }
    if (table === 'review_event_claims' && isThere('stored_claims')) {
      const stored = readRowsAround(source, 'stored_claims', 'claim_id DESC, event_seq');
      const values = new Map(
        readRowsAround(source, 'claim_values').rows.map(({ n, reviewed, digest }) => [
          n,
          { reviewed, digest: Buffer.isBuffer(digest) ? digest.toString('hex') : digest },
        ]),
      );
      const rows = stored.rows.map(({ kept, ...row }) => ({
        ...row,
        ...(kept === null ? noValues : (values.get(kept) ?? damagedValues)),
      }));
      return { rows, isComplete: stored.isComplete };
    }
    return isThere(table) ? readRowsAround(source, table) : { rows: [], isComplete: true };
  } catch {
    return { rows: [], isComplete: false };
  }
}

function replay(
  target: Database,
  entries: readonly JournalEntry[],
  events: ReturnType<typeof createEventWriter>,
  put: (table: Table, rows: readonly Record<string, unknown>[]) => unknown,
): void {
  const putClaims = (seq: number, claims: ReviewEntry['claims']): unknown =>
    put(
      'review_event_claims',
      claims.map(([claim_id, reviewed, digest, detail]) => ({
        event_seq: seq,
        claim_id,
        reviewed,
        digest,
        detail,
      })),
    );
  const whole = new Set(
    entries.map((entry) => (entry.kind === 'put' && entry.table === 'reviews' ? entry.row.id : null)),
  );
  for (const entry of entries) {
    if (entry.kind === 'put' && entry.table === 'reviews') {
      const { claims, ...event } = entry.row as unknown as ReviewEntry & { seq: number };
      put('review_events', [event]);
      putClaims(event.seq, claims);
    } else if (entry.kind === 'put' && entry.table === 'reviewClaims') {
      const { id, seq, claims } = entry.row as unknown as Pick<ReviewEntry, 'id' | 'claims'> & {
        seq: number;
      };
      if (whole.has(id)) putClaims(seq, claims);
    } else if (entry.kind === 'put' && entry.table === 'reviewTimes') {
      events.move(entry.row as unknown as Parameters<typeof events.move>[0]);
    } else if (entry.kind === 'put' && entry.table === 'reviewProofs') {
      events.putProof(entry.row.id as string, toStored(entry.row.proof));
    } else if (entry.kind === 'put') put(entry.table as Table, [entry.row]);
    else if (entry.kind === 'remove' && entry.table !== 'audit' && !entry.table.startsWith('review')) {
      target.prepare(`DELETE FROM ${entry.table} WHERE id=?`).run(entry.id);
    }
  }
}

function withDatabase<T>(path: string, key: Uint8Array, use: (database: Database) => T): T {
  const database = openDatabase(path, key, { isReadOnly: true });
  try {
    return use(database);
  } finally {
    database.close();
  }
}
