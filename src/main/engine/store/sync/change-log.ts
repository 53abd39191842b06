import {
  type ChangeCounts,
  type ChangedSync,
  type ChangeKind,
  changeKinds,
  type RecordChange,
} from '../../../../contract/sync.ts';
import type { Database, Statement } from '../file/database.ts';
import type { JsonObject } from '../record/json.ts';
import type { ListKind } from '../record/list-kind.ts';
import { createRecordReader } from '../record/record-reader.ts';
import { diffRecords, type FieldChange, mergeFields } from './diff-records.ts';

/** The sync that changes a record, and whether it logs new records one by one, which it does not if all are new. */
export interface ChangeSource {
  readonly syncId: string;
  readonly keepsNew: boolean;
}

/** At most this many changes per sync are logged one by one; the others are only counted. */
export const maxChangesOfSync = 20_000;
/** The most changes that are kept of all syncs together; the oldest are dropped first. */
const maxChanges = 100_000;
const maxSyncs = 100;

const noCounts: ChangeCounts = { new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 };

interface Change {
  readonly kind: ListKind;
  readonly id: number;
  readonly change: ChangeKind;
  readonly at: string;
  /** The record as sent. It is compared with the stored one, so the change is logged before the record is written. */
  readonly record?: JsonObject;
}

/** A change in its stored form. */
interface LoggedChange {
  readonly seq: number;
  readonly change: ChangeKind;
  readonly fields: string;
  /** 0 or 1. */
  readonly isCut: number;
}

const prepareStatements = (database: Database) => ({
  find: database.prepare(
    'SELECT seq, change, fields, is_cut AS isCut FROM sync_changes WHERE run_id=? AND kind=? AND id=?',
  ),
  countOf: database.prepare('SELECT count(*) FROM sync_changes WHERE run_id=?').pluck(),
  insert: database.prepare(
    'INSERT INTO sync_changes (run_id, kind, id, change, at, fields, is_cut) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ),
  update: database.prepare('UPDATE sync_changes SET change=?, fields=?, is_cut=? WHERE seq=?'),
  remove: database.prepare('DELETE FROM sync_changes WHERE seq=?'),
  begin: database.prepare('INSERT OR IGNORE INTO sync_change_counts (run_id, at) VALUES (?, ?)'),
  add: Object.fromEntries(
    changeKinds.map((name) => [
      name,
      database.prepare(`UPDATE sync_change_counts SET ${name}=${name}+? WHERE run_id=?`),
    ]),
  ) as Record<ChangeKind, Statement>,
});

interface Log {
  readonly statements: ReturnType<typeof prepareStatements>;
  /** How many changes of the sync are logged one by one; null: not counted yet. */
  kept: { readonly syncId: string; count: number } | null;
  reader: ReturnType<typeof createRecordReader>;
}

function keptOf(log: Log, syncId: string): { count: number } {
  if (log.kept?.syncId !== syncId) log.kept = { syncId, count: log.statements.countOf.get(syncId) as number };
  return log.kept;
}

function count({ statements }: Log, syncId: string, change: ChangeKind, at: string, amount: number): void {
  statements.begin.run(syncId, at);
  statements.add[change].run(amount, syncId);
}

function logChange(log: Log, { syncId, keepsNew }: ChangeSource, entry: Change): void {
  const { kind, id, change, at, record } = entry;
  const { find, insert } = log.statements;
  const kept = keptOf(log, syncId);
  const isFull = kept.count >= maxChangesOfSync;
  if (change === 'new' && (!keepsNew || isFull)) {
    count(log, syncId, change, at, 1);
    return;
  }
  const logged = find.get(syncId, kind, id) as LoggedChange | undefined;
  // A record that is new in this sync stays new when it changes again.
  if (logged?.change === 'new') return;
  if (logged === undefined && isFull) {
    count(log, syncId, change, at, 1);
    return;
  }
  const stored = record === undefined ? null : (log.reader[kind](id)?.record ?? null);
  const diff =
    record === undefined || stored === null
      ? { fields: [], isCut: false }
      : diffRecords(stored, record, kind);
  if (logged !== undefined) {
    joinChange(log, syncId, entry, logged, diff);
    return;
  }
  insert.run(syncId, kind, id, change, at, JSON.stringify(diff.fields), Number(diff.isCut));
  kept.count += 1;
  count(log, syncId, change, at, 1);
}

/** Merges a second change of a record in the same sync into the first. */
function joinChange(
  log: Log,
  syncId: string,
  { change, at }: Change,
  logged: LoggedChange,
  diff: ReturnType<typeof diffRecords>,
): void {
  const isCut = diff.isCut || logged.isCut === 1;
  const fields = mergeFields(JSON.parse(logged.fields) as FieldChange[], diff.fields);
  if (logged.change === 'changed' && change === 'changed' && fields.length === 0 && !isCut) {
    log.statements.remove.run(logged.seq);
    keptOf(log, syncId).count -= 1;
    count(log, syncId, 'changed', at, -1);
    return;
  }
  const becomes = change === 'changed' ? logged.change : change;
  if (becomes !== logged.change) {
    count(log, syncId, logged.change, at, -1);
    count(log, syncId, becomes, at, 1);
  }
  log.statements.update.run(becomes, JSON.stringify(fields), Number(isCut), logged.seq);
}

/**
 * Logs what each sync changed, within the transaction that changes it. A record that one sync changes twice is one
 * change, from its first state to its last. Beyond `maxChangesOfSync`, changes are only counted.
 */
export function createChangeLog(database: Database) {
  const log: Log = {
    statements: prepareStatements(database),
    kept: null,
    reader: createRecordReader(database),
  };
  return {
    /** Counts records of a sync in which everything is new; they are not logged one by one. */
    countNew: ({ syncId }: ChangeSource, at: string, amount: number): void =>
      count(log, syncId, 'new', at, amount),
    logChange: (source: ChangeSource, entry: Change): void => logChange(log, source, entry),
    /** Gives the changes of an interrupted sync to the sync that continues it. */
    rename(from: string, to: string): void {
      if (from === to) return;
      for (const table of ['sync_changes', 'sync_change_counts'])
        database.prepare(`UPDATE ${table} SET run_id=? WHERE run_id=?`).run(to, from);
      log.kept = null;
    },
    /** Drops the changes of the oldest syncs. */
    prune(): void {
      database.exec(`
        DELETE FROM sync_change_counts WHERE seq <= (SELECT max(seq) FROM sync_change_counts) - ${maxSyncs};
        DELETE FROM sync_changes WHERE seq <= (SELECT max(seq) FROM sync_changes) - ${maxChanges}
          OR run_id NOT IN (SELECT run_id FROM sync_change_counts);`);
      log.kept = null;
    },
    /** After a rollback: cached counts of rows that were rolled back are invalid. */
    forget(): void {
      log.kept = null;
      log.reader = createRecordReader(database);
    },
  };
}

export type ChangeLog = ReturnType<typeof createChangeLog>;

/** How many records a sync changed. */
export function readChangeCounts(database: Database, syncId: string): ChangeCounts {
  const counts = database
    .prepare('SELECT new, changed, missing, confirmed, returned FROM sync_change_counts WHERE run_id=?')
    .get(syncId) as ChangeCounts | undefined;
  return counts ?? noCounts;
}

/** How much the patient responsibility of a claim changed, in dollars; for a new claim, the amount itself. */
const moneySql = `ifnull((SELECT abs(ifnull(CAST(json_extract(f.value, '$.after') AS REAL), 0)
    - ifnull(CAST(json_extract(f.value, '$.before') AS REAL), 0))
  FROM json_each(s.fields) f WHERE json_extract(f.value, '$.path')='patient_responsibility'),
  CASE s.change WHEN 'changed' THEN 0 ELSE ifnull(c.patient_responsibility, 0)/10000.0 END)`;

/**
 * Lists the changes of a sync, one for each record: first claims that `person` decided, then claims that others
 * decided, then undecided ones, then members; within each, the largest amounts first. Without `syncId`, the newest sync
 * that changed anything. `total` counts those logged one by one, of the requested kind if any. `syncs` lists all syncs
 * that changed anything, newest first.
 */
export function listChanges(
  database: Database,
  request: {
    syncId: string | null;
    change?: ChangeKind | undefined;
    /** In the order of recording, which a decision between two pages does not change. */
    order?: 'logged' | undefined;
    offset: number;
    limit: number;
    /** An email; absent: decided claims come first, whoever decided them. */
    person?: string;
  },
): {
  syncId: string | null;
  counts: ChangeCounts;
  total: number;
  changes: RecordChange[];
  syncs: ChangedSync[];
} {
  const syncs = (
    database
      .prepare(
        'SELECT run_id AS syncId, at, new, changed, missing, confirmed, returned FROM sync_change_counts ORDER BY seq DESC',
      )
      .all() as ({ syncId: string; at: string } & ChangeCounts)[]
  ).map(({ syncId, at, ...counts }) => ({ syncId, at, counts }));
  const syncId = request.syncId ?? syncs[0]?.syncId ?? null;
  if (syncId === null) return { syncId, counts: noCounts, total: 0, changes: [], syncs };
  const kinds = request.change === undefined ? '' : ' AND change=?';
  const values = request.change === undefined ? [syncId] : [syncId, request.change];
  const order =
    request.order === 'logged'
      ? ''
      : `CASE WHEN s.kind<>'claims' THEN 3 WHEN v.reviewed_by=:person THEN 0 WHEN v.reviewed_by IS NOT NULL THEN 1
         ELSE 2 END, ${moneySql} DESC,`;
  const rows = database
    .prepare(
      `SELECT s.kind AS list, s.id, s.change, s.at, s.fields, s.is_cut AS isCut, v.reviewed_by AS decidedBy
       FROM sync_changes s LEFT JOIN claims c ON s.kind='claims' AND c.id=s.id
       LEFT JOIN claim_reviews v ON v.claim_id=c.id
       WHERE s.run_id=?${kinds}
       ORDER BY ${order} s.seq LIMIT :limit OFFSET :offset`,
    )
    .all(...values, { person: request.person ?? '', limit: request.limit, offset: request.offset }) as (Omit<
    RecordChange,
    'fields' | 'isCut'
  > & {
    fields: string;
    isCut: number;
  })[];
  return {
    syncId,
    counts: readChangeCounts(database, syncId),
    total: database
      .prepare(`SELECT count(*) FROM sync_changes WHERE run_id=?${kinds}`)
      .pluck()
      .get(...values) as number,
    changes: rows.map((row) => ({
      ...row,
      fields: JSON.parse(row.fields) as FieldChange[],
      isCut: row.isCut === 1,
    })),
    syncs,
  };
}
