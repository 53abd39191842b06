import { closeSync, fsyncSync, openSync } from 'node:fs';
import type { Loss } from '../../../../contract/store.ts';
import { toDeskError } from '../../../lib/errors.ts';
import type { Database } from '../file/database.ts';
import { readIdsAround, readRowsAround } from '../file/read-around.ts';
import { reviewPositionName } from '../record/claim-reviews.ts';
import type { JsonObject } from '../record/json.ts';
import type { ListKind } from '../record/list-kind.ts';
import { type PreparedRecord, prepareRecord } from '../record/prepare-page.ts';
import { createRecordReader, type StoredRow } from '../record/record-reader.ts';
import { createRecordWriter } from '../record/record-writer.ts';
import { buildDeferredIndexes, deferClaimIndexes, deferredName } from '../sync/deferred-indexes.ts';
import { isLeftOut, type LeavingRules } from '../sync/retention.ts';
import { syncStateName } from '../sync/sync-state.ts';
import { createCount, type OnProgress } from './count-progress.ts';

const perTransaction = 2_000;
/** Tables that hold no records; which of them are copied depends on the purpose of the copy. */
const alongside = [
  'set_aside',
  'sync_receipts',
  'sync_state',
  'gone_records',
  'sync_changes',
  'sync_change_counts',
  'connection_carriers',
];
/**
 * Not copied: a sync in progress, the position of the copied reviews, and the dropped indexes. The copy starts over
 * with all of these.
 */
const notCopied: ReadonlySet<unknown> = new Set([syncStateName, reviewPositionName, deferredName]);
/** Tables with data about single records; when records are removed, only rows of copied records are copied. */
const ofRecords: ReadonlySet<string> = new Set(['gone_records', 'sync_changes']);

export interface CopyOutcome {
  readonly members: number;
  readonly claims: number;
  readonly lost: readonly Loss[];
  /** Records that the rules exclude. */
  readonly leftOut: { readonly members: number; readonly claims: number };
}

/**
 * Copies every record that is fully readable and matches its digest into an empty, migrated file. Each is written
 * again, so that indexes, search text and shared rows come only from the copied records; the indexes of claims are
 * built at the end, which at a million claims takes a third of the time. The file is complete once it is closed and
 * `syncCopy` has returned. A sync in progress begins again. With `rules`, records that they exclude are not copied.
 * Neither are unreadable records, whose member is unknown; a sync adds these again.
 */
export function copyRecords(
  source: Database,
  target: Database,
  rules: LeavingRules | null,
  onProgress: OnProgress = () => undefined,
): CopyOutcome {
  const writer = createRecordWriter(target);
  const counts = { members: 0, claims: 0 };
  const leftOut = { members: 0, claims: 0 };
  const lost: Loss[] = [];
  const findIds = (kind: ListKind) =>
    readIdsAround(source, kind, (done, of) => onProgress({ doing: 'findingRecords', done, of }));
  const idsByKind = { members: findIds('members'), claims: findIds('claims') };
  const total = idsByKind.members.ids.length + idsByKind.claims.ids.length;
  const count = createCount(onProgress, 'copyingRecords', total);

  const copyKind = (kind: ListKind): void => {
    const { ids, isComplete } = idsByKind[kind];
    const markMissing = target.prepare(`UPDATE ${kind} SET gone_since=? WHERE id=?`);
    const read = createTolerantReader(source, kind);
    let broken = 0;
    const copySome = target.transaction((some: readonly number[]) => {
      for (const id of some) {
        count();
        const whole = read(id);
        if (whole === null) {
          broken += 1;
          continue;
        }
        if (rules !== null && isLeftOut(rules, kind, whole.record)) {
          leftOut[kind] += 1;
          continue;
        }
        writer[kind](whole.prepared, true);
        if (whole.missingSince !== null) markMissing.run(whole.missingSince, id);
        counts[kind] += 1;
      }
      writer.writeTexts();
    });
    for (let at = 0; at < ids.length; at += perTransaction) copySome(ids.slice(at, at + perTransaction));
    if (!isComplete) lost.push({ what: kind, count: null });
    else if (broken > 0) lost.push({ what: kind, count: broken });
  };
  // The file is deleted if this fails, so it needs no log; with a log, everything would be written twice.
  target.pragma('journal_mode=MEMORY');
  target.pragma('synchronous=OFF');
  deferClaimIndexes(target);
  copyKind('members');
  copyKind('claims');
  buildDeferredIndexes(target, (done, of) => onProgress({ doing: 'buildingIndexes', done, of }));
  copyAlongside();
  countOn(source, target);
  return { ...counts, lost, leftOut };

  function copyAlongside(): void {
    const isKept = {
      members: target.prepare('SELECT 1 FROM members WHERE id=?').pluck(),
      claims: target.prepare('SELECT 1 FROM claims WHERE id=?').pluck(),
    };
    const tables = new Set(target.prepare("SELECT name FROM sqlite_schema WHERE type='table'").pluck().all());
    for (const table of alongside) {
      if (!tables.has(table)) continue;
      if (table === 'set_aside' && rules !== null) continue;
      const { rows, isComplete } = readRowsAround(source, table);
      if (table === 'set_aside' && !isComplete) lost.push({ what: 'setAside', count: null });
      // A receipt that says "complete" would be false for a file that lost records.
      if (table === 'sync_receipts' && lost.length > 0) continue;
      const keptRows = rows.filter((row) => {
        if (table === 'sync_state') return !notCopied.has(row.name);
        if (!ofRecords.has(table) || rules === null) return true;
        return isKept[row.kind as ListKind]?.get(row.id) === 1;
      });
      insertAll(target, table, keptRows);
    }
  }
}

/** Waits until a copied file is synced to disk, before it replaces another. @throws DeskError `disk.*` */
export function syncCopy(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } catch (thrown) {
    throw toDeskError(thrown);
  } finally {
    closeSync(file);
  }
}

/** Copies the version counters and advances them, so that nothing cached for the old file counts as current. */
function countOn(source: Database, target: Database): void {
  const raise = target.prepare('UPDATE record_versions SET version=max(version, ?)+1 WHERE kind=?');
  const { rows } = readRowsAround(source, 'record_versions');
  for (const { kind, version } of rows) raise.run(version, kind);
}

function insertAll(target: Database, table: string, rows: readonly Record<string, unknown>[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const names = Object.keys(first);
  const insert = target.prepare(
    `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  target.transaction(() => {
    for (const row of rows) insert.run(names.map((name) => row[name]));
  })();
}

/** Creates a reader of whole records that returns null where a part is missing or the digest does not match. */
function createTolerantReader(source: Database, kind: ListKind) {
  const select = source.prepare(`SELECT * FROM ${kind} WHERE id=?`);
  let records: ReturnType<typeof createRecordReader> | null = null;
  return (
    id: number,
  ): { record: JsonObject; prepared: PreparedRecord; missingSince: string | null } | null => {
    try {
      records ??= createRecordReader(source);
      const row = select.get(id) as (StoredRow & { digest: Buffer; gone_since: string | null }) | undefined;
      if (row === undefined) return null;
      const record = records.fromRow[kind](row);
      const prepared = prepareRecord(kind, id, record);
      if (!row.digest.equals(prepared.digest)) return null;
      return { record, prepared, missingSince: row.gone_since };
    } catch {
      // The reader's cache may contain parts of shared rows.
      records = null;
      return null;
    }
  };
}
