import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/main/engine/store/file/database.ts';
import { migrate } from '../../../src/main/engine/store/file/migrate.ts';
import type { ListKind } from '../../../src/main/engine/store/record/list-kind.ts';
import { openRecords } from '../../../src/main/engine/store/record/open-records.ts';
import { writeCarriers } from '../../../src/main/engine/store/sync/connection-carriers.ts';
import {
  buildDeferredIndexes,
  deferClaimIndexes,
} from '../../../src/main/engine/store/sync/deferred-indexes.ts';
import { createWriteOperations } from '../../../src/main/engine/store/threads/operations.ts';
import { SandboxClock } from '../../../src/sandbox/clock.ts';
import { World } from '../../../src/sandbox/data/world.ts';

/** A big store that benchmarks share: made once a machine and kept in the folder for temporary files. */
export interface BenchStore {
  readonly filePath: string;
  /** 32 bytes. The data are generated, so the key is no secret. */
  readonly key: Buffer;
  readonly claims: number;
}

const perPage = 1000;
const today = Date.UTC(2026, 10, 20) / 86_400_000;

/** How many claims benchmarks run over; `CLAIMDESK_BENCH_CLAIMS` says otherwise. */
export const benchClaims = Number(process.env.CLAIMDESK_BENCH_CLAIMS ?? 1_000_000);

/** Records as the service would send them, generated in this process. */
export function createRecords(claims: number, members: number) {
  const world = new World({ seed: 1, members, claims, order: 'asc' }, new SandboxClock(today));
  return {
    claims: (index: number) => world.claimAt(index),
    member: (index: number) => world.memberAt(index),
  };
}

/** Pages of a list as the service would send them. */
export function createPages(claims: number): (kind: ListKind, page: number) => Buffer | null {
  const members = Math.ceil(claims / 10);
  const records = createRecords(claims, members);
  return (kind, page) => {
    const total = kind === 'claims' ? claims : members;
    const makeRecord = kind === 'claims' ? records.claims : records.member;
    const first = (page - 1) * perPage;
    const count = Math.min(perPage, total - first);
    if (count <= 0) return null;
    const data = Array.from({ length: count }, (_none, index) => makeRecord(first + index));
    const pages = Math.ceil(total / perPage);
    return Buffer.from(
      JSON.stringify({ data, page, per_page: perPage, pages, total, has_next: page < pages }),
    );
  };
}

/** Opens the shared store of this many claims, making it first where it is not there (minutes for a million). */
export function prepareBenchStore(claims = benchClaims): BenchStore {
  const folder = join(tmpdir(), `claimdesk-bench-${claims}`);
  const filePath = join(folder, 'records.db');
  const key = Buffer.alloc(32, 7);
  if (!existsSync(filePath)) {
    const building = `${folder}-${process.pid}`;
    mkdirSync(building, { recursive: true });
    buildStore(join(building, 'records.db'), key, claims);
    rmSync(folder, { recursive: true, force: true });
    renameSync(building, folder);
  }
  const database = openRecords(filePath, key);
  migrate(database);
  giveCarriers(database);
  database.close();
  return { filePath, key, claims };
}

/** Carriers for most connections, as if they had been read from Connect. */
function giveCarriers(database: Database): void {
  const ids = database
    .prepare('SELECT DISTINCT id FROM policy_holders WHERE id IS NOT NULL AND id%5<>0 ORDER BY id')
    .pluck()
    .all() as number[];
  writeCarriers(
    database,
    ids.map((policyHolderId) => ({ policyHolderId, carrier: `Carrier ${policyHolderId % 12}` })),
  );
}

function buildStore(filePath: string, key: Buffer, claims: number): void {
  const database = openRecords(filePath, key);
  migrate(database);
  const write = createWriteOperations(database);
  // A first read defers the indexes too.
  deferClaimIndexes(database);
  const readPage = createPages(claims);
  for (const kind of ['members', 'claims'] as const) {
    for (let page = 1; ; page += 1) {
      const body = readPage(kind, page);
      if (body === null) break;
      const seenAt = '2026-11-20T12:00:00.000Z';
      write.ingestPage({ kind, body, pass: 1, page, seenAt, requestId: null, isPartOfPass: false });
      if (page % 100 === 0) process.stderr.write(`${kind} ${page * perPage}\n`);
    }
  }
  buildDeferredIndexes(database);
  write.optimize(null);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}
