import type { FailedRequest, LossQuestion, SyncReceipt } from '../../../../contract/sync.ts';
import type { Database } from '../file/database.ts';
import type { ListKind } from '../record/list-kind.ts';
import { readState, removeState, writeState } from '../record/state.ts';
import type { NewestFirst } from './list-order.ts';

/** A full read of one list that was completed; times are ISO date-times. */
export interface FinishedPass {
  kind: ListKind;
  pass: number;
  pages: number;
  digest: string;
  count: number;
  total: number | null;
  isSteady: boolean;
  startedAt: string;
  finishedAt: string;
}

/** The state of a sync; written with the rows, so that a killed sync continues from there. */
export interface SyncState {
  /** The sync's ID. Stored states and receipts use this name. */
  runId: string;
  startedAt: string;
  kind: ListKind;
  pass: number;
  nextPage: number;
  perPage: number;
  /** Completed passes of both lists. */
  passes: FinishedPass[];
  passStartedAt: string;
  /** `total` as first received in the current pass, and whether it stayed the same. */
  total: number | null;
  isSteady: boolean;
  pages: number;
  failedRequests: number;
  failures: FailedRequest[];
  /** The store was empty before, so records are not logged as changes. */
  isFirst: boolean;
  isPaused: boolean;
  /** The question that the sync waits on after everything was read; null: none. */
  lossQuestion: LossQuestion | null;
}

/** The order in which each list has its newest records first, as of the last full read; null if there is none. */
export type ListOrders = Partial<Record<ListKind, NewestFirst | null>>;

/** The name of the row in `sync_state` with the state of the sync in progress. */
export const syncStateName = 'run';
const ordersName = 'orders';

/** The state of the sync that was interrupted, if any. */
export const readSyncState = (database: Database): SyncState | null =>
  readState<SyncState>(database, syncStateName);

export const readOrders = (database: Database): ListOrders =>
  readState<ListOrders>(database, ordersName) ?? {};

/** Stores the order of a list, as found in a full read. */
export function writeOrder(database: Database, kind: ListKind, order: NewestFirst | null): void {
  writeState(database, ordersName, { ...readOrders(database), [kind]: order });
}

/** Stores the state of a sync. Null ends the sync. */
export function writeSyncState(database: Database, sync: SyncState | null): void {
  database.transaction(() => {
    if (sync !== null) return writeState(database, syncStateName, sync);
    removeState(database, syncStateName);
    database.prepare('DELETE FROM sync_pages').run();
  })();
}

/** Begins a pass with nothing received; the previous pass is kept for comparison. */
export function beginPass(database: Database, sync: SyncState): void {
  database.transaction(() => {
    writeSyncState(database, sync);
    database
      .prepare('DELETE FROM sync_pages WHERE kind=? AND (pass<? OR pass>=?)')
      .run(sync.kind, sync.pass - 1, sync.pass);
  })();
}

/**
 * Stores the position within the transaction that writes the page, with the total that the page reported: a pass that
 * continues after a killed process must know whether the total changed before.
 */
export function writeSyncPosition(database: Database, nextPage: number, total: number | null): void {
  database
    .prepare(
      `UPDATE sync_state SET value=json_set(value,
         '$.nextPage', :nextPage,
         '$.pages', json_extract(value, '$.pages')+1,
         '$.isSteady', json(iif(json_extract(value, '$.isSteady')
           AND coalesce(json_extract(value, '$.total')=:total, 1), 'true', 'false')),
         '$.total', coalesce(:total, json_extract(value, '$.total')))
       WHERE name=:name`,
    )
    .run({ nextPage, total, name: syncStateName });
}

/** Stores a receipt; the last hundred are kept. */
export function writeReceipt(database: Database, receipt: SyncReceipt): void {
  database.transaction(() => {
    database
      .prepare(
        'INSERT OR REPLACE INTO sync_receipts (run_id, finished_at, outcome, receipt) VALUES (?, ?, ?, ?)',
      )
      .run(
        `${receipt.runId}/${receipt.finishedAt}`,
        receipt.finishedAt,
        receipt.outcome,
        JSON.stringify(receipt),
      );
    database
      .prepare(
        `DELETE FROM sync_receipts WHERE outcome<>'complete' AND run_id NOT IN
         (SELECT run_id FROM sync_receipts ORDER BY rowid DESC LIMIT 100)`,
      )
      .run();
  })();
}

/** Whether a sync was verified complete, so that a record that is not here was not in the service at that time. */
export const hasCompleteSync = (database: Database): boolean =>
  database.prepare("SELECT EXISTS (SELECT 1 FROM sync_receipts WHERE outcome='complete')").pluck().get() ===
  1;

/** The newest receipt, and the newest one that is verified complete. */
export function readReceipts(database: Database): {
  last: SyncReceipt | null;
  lastComplete: SyncReceipt | null;
} {
  const newest = (where: string): SyncReceipt | null => {
    const value = database
      .prepare(`SELECT receipt FROM sync_receipts ${where} ORDER BY rowid DESC LIMIT 1`)
      .pluck()
      .get();
    return value === undefined ? null : (JSON.parse(value as string) as SyncReceipt);
  };
  return { last: newest(''), lastComplete: newest("WHERE outcome='complete'") };
}
