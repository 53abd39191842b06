import { createHash } from 'node:crypto';
import type { SyncReceipt } from '../../../contract/sync.ts';
import type { Connection } from './connection.ts';
import { type ListKind, seenKinds } from './ingest.ts';

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
      connection.prepare('DELETE FROM sync_seen').run();
      return;
    }
    connection
      .prepare(
        'INSERT INTO sync_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value=excluded.value',
      )
      .run(runName, JSON.stringify(run));
  })();
}

/** Begins a pass: nothing is seen yet. What the pass before it saw is no longer needed once digested. */
export function beginPass(connection: Connection, run: RunState): void {
  connection.transaction(() => {
    writeRun(connection, run);
    const kinds = kindsOf(run.kind);
    connection.prepare('DELETE FROM sync_seen WHERE kind IN (?, ?)').run(...kinds);
  })();
}

const kindsOf = (kind: ListKind): [number, number] =>
  kind === 'members' ? [seenKinds.members, seenKinds.oddMembers] : [seenKinds.claims, seenKinds.oddClaims];

/** Moves the position within the transaction that writes the page. */
export function writeRunPosition(connection: Connection, nextPage: number): void {
  connection
    .prepare("UPDATE sync_state SET value=json_set(value, '$.nextPage', ?) WHERE name=?")
    .run(nextPage, runName);
}

/** The set that a finished pass saw: how many, and a digest over (id, record digest) in order of ids. */
export function digestPass(
  connection: Connection,
  kind: ListKind,
  pass: number,
): { count: number; digest: string } {
  const hash = createHash('sha256');
  let count = 0;
  const kinds =
    kind === 'members' ? [seenKinds.members, seenKinds.oddMembers] : [seenKinds.claims, seenKinds.oddClaims];
  for (const seenKind of kinds) {
    const rows = connection
      .prepare('SELECT key, digest FROM sync_seen WHERE kind=? AND pass=? ORDER BY key')
      .raw()
      .iterate(seenKind, pass) as IterableIterator<[number, Buffer]>;
    for (const [key, digest] of rows) {
      hash.update(`${key}:`).update(digest);
      count += 1;
    }
  }
  return { count, digest: hash.digest('hex') };
}

/** Marks what a proven pass no longer saw; it is kept. Returns how many are newly marked. */
export function markGone(connection: Connection, kind: ListKind, pass: number, at: string): number {
  return connection
    .prepare(
      `UPDATE ${kind} SET gone_since=? WHERE gone_since IS NULL
       AND NOT EXISTS (SELECT 1 FROM sync_seen WHERE kind=? AND pass=? AND key=${kind}.id)`,
    )
    .run(at, seenKinds[kind], pass).changes;
}

/** How many records are here and would be marked by markGone(). */
export function countUnseen(
  connection: Connection,
  kind: ListKind,
  pass: number,
): { here: number; unseen: number } {
  const here = connection
    .prepare(`SELECT count(*) FROM ${kind} WHERE gone_since IS NULL`)
    .pluck()
    .get() as number;
  const unseen = connection
    .prepare(
      `SELECT count(*) FROM ${kind} WHERE gone_since IS NULL
       AND NOT EXISTS (SELECT 1 FROM sync_seen WHERE kind=? AND pass=? AND key=${kind}.id)`,
    )
    .pluck()
    .get(seenKinds[kind], pass) as number;
  return { here, unseen };
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
         (SELECT run_id FROM sync_receipts ORDER BY finished_at DESC LIMIT 100)`,
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
      .prepare(`SELECT receipt FROM sync_receipts ${where} ORDER BY finished_at DESC LIMIT 1`)
      .pluck()
      .get();
    return value === undefined ? null : (JSON.parse(value as string) as SyncReceipt);
  };
  return { last: newest(''), lastComplete: newest("WHERE outcome='complete'") };
}
