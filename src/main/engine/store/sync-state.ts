import type { SyncReceipt } from '../../../contract/sync.ts';
import type { Connection } from './connection.ts';
import type { ListKind } from './ingest.ts';
import type { PassPages } from './pass-pages.ts';

/** Where a sync stands; written with the rows, so that a killed sync goes on where it was. */
export interface RunState {
  runId: string;
  startedAt: string;
  kind: ListKind;
  pass: number;
  nextPage: number;
  perPage: number;
  /** Of finished passes of either list. */
  passes: {
    kind: ListKind;
    pass: number;
    digest: string;
    count: number;
    total: number | null;
    isSteady: boolean;
  }[];
  /** `total` as first seen in the pass under way, and whether it stayed. */
  total: number | null;
  isSteady: boolean;
  pages: number;
  failedRequests: number;
}

const runName = 'run';

/** The run that was interrupted, if any. */
export function readRun(connection: Connection): RunState | null {
  const value = connection.prepare('SELECT value FROM sync_state WHERE name=?').pluck().get(runName);
  return value === undefined ? null : (JSON.parse(value as string) as RunState);
}

/** Keeps where a run stands. Null ends the run. */
export function writeRun(connection: Connection, run: RunState | null): void {
  connection.transaction(() => {
    if (run === null) {
      connection.prepare('DELETE FROM sync_state WHERE name=?').run(runName);
      connection.prepare('DELETE FROM sync_pages').run();
      return;
    }
    connection
      .prepare(
        'INSERT INTO sync_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value=excluded.value',
      )
      .run(runName, JSON.stringify(run));
  })();
}

/** Begins a pass with nothing seen; the pass before it stays, to be compared with. */
export function beginPass(connection: Connection, run: RunState): void {
  connection.transaction(() => {
    writeRun(connection, run);
    connection
      .prepare('DELETE FROM sync_pages WHERE kind=? AND (pass<? OR pass>=?)')
      .run(run.kind, run.pass - 1, run.pass);
  })();
}

/**
 * Moves the position within the transaction that writes the page, with what the page said of the total: a pass
 * that goes on after a kill must know whether the total moved before it.
 */
export function writeRunPosition(connection: Connection, nextPage: number, total: number | null): void {
  connection
    .prepare(
      `UPDATE sync_state SET value=json_set(value,
         '$.nextPage', :nextPage,
         '$.pages', json_extract(value, '$.pages')+1,
         '$.isSteady', json(iif(json_extract(value, '$.isSteady')
           AND coalesce(json_extract(value, '$.total')=:total, 1), 'true', 'false')),
         '$.total', coalesce(:total, json_extract(value, '$.total')))
       WHERE name=:name`,
    )
    .run({ nextPage, total, name: runName });
}

/** Records that are here and that a pass did not see; and how many are here. */
function findUnseen(connection: Connection, pages: PassPages, kind: ListKind, pass: number) {
  const seen = pages.seenIds(kind, pass);
  const here = connection
    .prepare(`SELECT id FROM ${kind} WHERE gone_since IS NULL`)
    .pluck()
    .all() as number[];
  return { here: here.length, unseen: here.filter((id) => !seen.has(id)) };
}

/** How many records are here, and how many of them markGone() would mark. */
export function countUnseen(connection: Connection, pages: PassPages, kind: ListKind, pass: number) {
  const { here, unseen } = findUnseen(connection, pages, kind, pass);
  return { here, unseen: unseen.length };
}

/** Marks what a proven pass no longer saw; it is kept. Returns how many are newly marked. */
export function markGone(
  connection: Connection,
  pages: PassPages,
  wanted: { kind: ListKind; pass: number; at: string },
): number {
  const mark = connection.prepare(`UPDATE ${wanted.kind} SET gone_since=? WHERE id=?`);
  return connection.transaction(() => {
    const { unseen } = findUnseen(connection, pages, wanted.kind, wanted.pass);
    for (const id of unseen) mark.run(wanted.at, id);
    return unseen.length;
  })();
}

/** Keeps a receipt; the last hundred stay. */
export function writeReceipt(connection: Connection, receipt: SyncReceipt): void {
  connection.transaction(() => {
    connection
      .prepare(
        'INSERT OR REPLACE INTO sync_receipts (run_id, finished_at, outcome, receipt) VALUES (?, ?, ?, ?)',
      )
      .run(
        `${receipt.runId}/${receipt.finishedAt}`,
        receipt.finishedAt,
        receipt.outcome,
        JSON.stringify(receipt),
      );
    connection
      .prepare(
        `DELETE FROM sync_receipts WHERE outcome<>'complete' AND run_id NOT IN
         (SELECT run_id FROM sync_receipts ORDER BY rowid DESC LIMIT 100)`,
      )
      .run();
  })();
}

/** The newest receipt, and the newest one that proves completeness. */
export function readReceipts(connection: Connection): {
  last: SyncReceipt | null;
  lastComplete: SyncReceipt | null;
} {
  const newest = (where: string): SyncReceipt | null => {
    const value = connection
      .prepare(`SELECT receipt FROM sync_receipts ${where} ORDER BY rowid DESC LIMIT 1`)
      .pluck()
      .get();
    return value === undefined ? null : (JSON.parse(value as string) as SyncReceipt);
  };
  return { last: newest(''), lastComplete: newest("WHERE outcome='complete'") };
}
