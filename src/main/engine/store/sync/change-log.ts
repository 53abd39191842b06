import {
  type ChangeCounts,
  type ChangedRun,
  type ChangeKind,
  changeKinds,
  type RecordChange,
} from '../../../../contract/sync.ts';
import type { Database } from '../file/database.ts';
import type { JsonObject } from '../record/json.ts';
import type { ListKind } from '../record/list-kind.ts';
import { createRecordReader } from '../record/record-reader.ts';
import { diffRecords, type FieldChange, mergeFields } from './diff-records.ts';

/** Which sync changes a record, and whether new records are logged singly, which is not so where all are new. */
export interface ChangeSource {
  readonly runId: string;
  readonly keepsNew: boolean;
}

/** At most this many changes of one sync are logged singly; the others are only counted. */
export const maxChangesOfRun = 20_000;
/** Limits for all syncs together; the oldest are dropped first. */
const maxChanges = 100_000;
const maxRuns = 100;

const noCounts: ChangeCounts = { new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 };

interface Change {
  readonly kind: ListKind;
  readonly id: number;
  readonly change: ChangeKind;
  readonly at: string;
  /** The record as sent; it is compared with what is stored, so this is called before it is written. */
  readonly record?: JsonObject;
}

/**
 * Logs what each sync changed, within the transaction that changes it. A record that one sync changes twice is one
 * change, from its first state to its last. Beyond `maxChangesOfRun` changes are only counted.
 */
export function createChangeLog(database: Database) {
  let reader = createRecordReader(database);
  const find = database.prepare(
    'SELECT seq, change, fields, is_cut AS isCut FROM sync_changes WHERE run_id=? AND kind=? AND id=?',
  );
  const countOf = database.prepare('SELECT count(*) FROM sync_changes WHERE run_id=?').pluck();
  const insert = database.prepare(
    'INSERT INTO sync_changes (run_id, kind, id, change, at, fields, is_cut) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const update = database.prepare('UPDATE sync_changes SET change=?, fields=?, is_cut=? WHERE seq=?');
  const remove = database.prepare('DELETE FROM sync_changes WHERE seq=?');
  const begin = database.prepare('INSERT OR IGNORE INTO sync_change_counts (run_id, at) VALUES (?, ?)');
  const add = new Map(
    changeKinds.map((name) => [
      name,
      database.prepare(`UPDATE sync_change_counts SET ${name}=${name}+? WHERE run_id=?`),
    ]),
  );
  const kept = new Map<string, number>();

  const keptOf = (runId: string): number => {
    let count = kept.get(runId);
    if (count === undefined) {
      count = countOf.get(runId) as number;
      kept.clear();
      kept.set(runId, count);
    }
    return count;
  };
  const count = (runId: string, change: ChangeKind, at: string, by: number): void => {
    begin.run(runId, at);
    add.get(change)?.run(by, runId);
  };

  return {
    /** Counts records of a sync in which everything is new; they are not logged singly. */
    countNew(source: ChangeSource, at: string, by: number): void {
      count(source.runId, 'new', at, by);
    },
    logChange(source: ChangeSource, wanted: Change): void {
      const { kind, id, change, at, record } = wanted;
      const { runId } = source;
      const isFull = keptOf(runId) >= maxChangesOfRun;
      if (change === 'new' && (!source.keepsNew || isFull)) {
        count(runId, change, at, 1);
        return;
      }
      const known = find.get(runId, kind, id) as
        | { seq: number; change: ChangeKind; fields: string; isCut: number }
        | undefined;
      // A record that is new in this sync stays new when it changes again.
      if (known?.change === 'new') return;
      if (known === undefined && isFull) {
        count(runId, change, at, 1);
        return;
      }
      const stored = record === undefined ? null : (reader[kind](id)?.record ?? null);
      const diff =
        record === undefined || stored === null
          ? { fields: [], isCut: false }
          : diffRecords(stored, record, kind);
      if (known === undefined) {
        insert.run(runId, kind, id, change, at, JSON.stringify(diff.fields), Number(diff.isCut));
        kept.set(runId, keptOf(runId) + 1);
        count(runId, change, at, 1);
        return;
      }
      const isCut = diff.isCut || known.isCut === 1;
      const fields = mergeFields(JSON.parse(known.fields) as FieldChange[], diff.fields);
      if (known.change === 'changed' && change === 'changed' && fields.length === 0 && !isCut) {
        remove.run(known.seq);
        kept.set(runId, keptOf(runId) - 1);
        count(runId, 'changed', at, -1);
        return;
      }
      const becomes = change === 'changed' ? known.change : change;
      if (becomes !== known.change) {
        count(runId, known.change, at, -1);
        count(runId, becomes, at, 1);
      }
      update.run(becomes, JSON.stringify(fields), Number(isCut), known.seq);
    },
    /** Moves the changes of an interrupted sync to the run that continues it. */
    rename(from: string, to: string): void {
      if (from === to) return;
      database.prepare('UPDATE sync_changes SET run_id=? WHERE run_id=?').run(to, from);
      database.prepare('UPDATE sync_change_counts SET run_id=? WHERE run_id=?').run(to, from);
      kept.clear();
    },
    /** Drops the changes of the oldest syncs. */
    prune(): void {
      database.exec(`
        DELETE FROM sync_change_counts WHERE seq <= (SELECT max(seq) FROM sync_change_counts) - ${maxRuns};
        DELETE FROM sync_changes WHERE seq <= (SELECT max(seq) FROM sync_changes) - ${maxChanges}
          OR run_id NOT IN (SELECT run_id FROM sync_change_counts);`);
      kept.clear();
    },
    /** After a rollback: cached counts of rows that were rolled back are invalid. */
    forget(): void {
      kept.clear();
      reader = createRecordReader(database);
    },
  };
}

export type ChangeLog = ReturnType<typeof createChangeLog>;

/** How many records a run changed. */
export function readChangeCounts(database: Database, runId: string): ChangeCounts {
  const found = database
    .prepare('SELECT new, changed, missing, confirmed, returned FROM sync_change_counts WHERE run_id=?')
    .get(runId) as ChangeCounts | undefined;
  return found ?? noCounts;
}

/**
 * The changes of a run in the order they were made; without a run, of the newest run that changed anything. `total` is
 * of those recorded singly, of the wanted kind where one is. `runs` are all that changed anything, newest first.
 */
export function listChanges(
  database: Database,
  wanted: { runId: string | null; change?: ChangeKind | undefined; offset: number; limit: number },
): {
  runId: string | null;
  counts: ChangeCounts;
  total: number;
  changes: RecordChange[];
  runs: ChangedRun[];
} {
  const runs = (
    database
      .prepare(
        'SELECT run_id AS runId, at, new, changed, missing, confirmed, returned FROM sync_change_counts ORDER BY seq DESC',
      )
      .all() as ({ runId: string; at: string } & ChangeCounts)[]
  ).map(({ runId, at, ...counts }) => ({ runId, at, counts }));
  const runId = wanted.runId ?? runs[0]?.runId ?? null;
  if (runId === null) return { runId, counts: noCounts, total: 0, changes: [], runs };
  const kinds = wanted.change === undefined ? '' : ' AND change=?';
  const values = wanted.change === undefined ? [runId] : [runId, wanted.change];
  const rows = database
    .prepare(
      `SELECT kind AS list, id, change, at, fields, is_cut AS isCut FROM sync_changes
       WHERE run_id=?${kinds} ORDER BY seq LIMIT ? OFFSET ?`,
    )
    .all(...values, wanted.limit, wanted.offset) as (Omit<RecordChange, 'fields' | 'isCut'> & {
    fields: string;
    isCut: number;
  })[];
  return {
    runId,
    counts: readChangeCounts(database, runId),
    total: database
      .prepare(`SELECT count(*) FROM sync_changes WHERE run_id=?${kinds}`)
      .pluck()
      .get(...values) as number,
    changes: rows.map((row) => ({
      ...row,
      fields: JSON.parse(row.fields) as FieldChange[],
      isCut: row.isCut === 1,
    })),
    runs,
  };
}
