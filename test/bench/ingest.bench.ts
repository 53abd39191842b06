import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SyncState } from '../../src/main/engine/store/sync/sync-state.ts';
import { openStore, type Store } from '../../src/main/engine/store/threads/store.ts';
import { report } from './support/figures.ts';
import { benchClaims, createPages } from './support/million-store.ts';

// Pages of claims into an empty store, as a sync writes them: taken apart in one thread, written in another.
// Pages are generated in batches between the clockings. Then the same bytes again (a proof), and the same
// records in other bytes (a later sync of records that did not change). Claims: CLAIMDESK_BENCH_CLAIMS.

const batchPages = 40;
const how = `${benchClaims.toLocaleString('en-US')} claims, once`;
const tell = (what: string, figure: number, unit: string): void =>
  report({ what, figure: Math.round(figure * 100) / 100, unit, how });
const perSecond = (claims: number, ms: number): number => Math.round((claims / ms) * 1000);

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-'));
const filePath = join(folder, 'records.db');
const readPage = createPages(benchClaims);
const at = '2026-11-20T12:00:00.000Z';
const run: SyncState = {
  runId: 'bench',
  startedAt: at,
  kind: 'claims',
  pass: 1,
  nextPage: 1,
  perPage: 1000,
  passes: [],
  passStartedAt: at,
  total: null,
  isSteady: true,
  pages: 0,
  failedRequests: 0,
  failures: [],
  isFirst: true,
  isPaused: false,
  lossQuestion: null,
};

/** Writes pages in order, each taken apart while the one before is written. */
async function writePages(store: Store, pass: number, first: number, bodies: Buffer[]): Promise<void> {
  const prepared = bodies.map((body) => {
    const own = Uint8Array.from(body);
    if (pass > 1) return { body: own };
    return store.prepare('claims', own, null);
  });
  for (const [index, arriving] of prepared.entries()) {
    const arrived = await arriving;
    const packed = 'packed' in arrived ? { packed: arrived.packed } : {};
    await store.write('ingestPage', {
      kind: 'claims',
      body: arrived.body,
      ...packed,
      pass,
      page: first + index,
      seenAt: at,
      requestId: null,
      isPartOfPass: true,
      changes: { syncId: 'bench', keepsNew: false },
    });
  }
}

async function clockPass(store: Store, pass: number, change: (body: Buffer) => Buffer): Promise<number> {
  await store.write('beginPass', { ...run, pass });
  let ms = 0;
  for (let first = 1; ; first += batchPages) {
    const bodies: Buffer[] = [];
    for (let page = first; page < first + batchPages; page += 1) {
      const body = readPage('claims', page);
      if (body !== null) bodies.push(change(body));
    }
    if (bodies.length === 0) break;
    const began = performance.now();
    await writePages(store, pass, first, bodies);
    ms += performance.now() - began;
  }
  return ms;
}

const store = await openStore({ filePath, key: Buffer.alloc(32, 7), isReadOnly: false, readers: 1 });
try {
  const firstMs = await clockPass(store, 1, (body) => body);
  const began = performance.now();
  await store.write('digestPass', { kind: 'claims', pass: 1 });
  const indexMs = performance.now() - began;
  tell('Pages into an empty store, with its indexes', perSecond(benchClaims, firstMs + indexMs), 'claims/s');
  tell('Pages alone', firstMs / 1000, 's');
  tell('Indexes alone', indexMs / 1000, 's');
  const sameMs = await clockPass(store, 2, (body) => body);
  tell('The same bytes again', perSecond(benchClaims, sameMs), 'claims/s');
  const otherMs = await clockPass(store, 3, (body) => Buffer.concat([body, Buffer.from(' ')]));
  tell('The same records in other bytes', perSecond(benchClaims, otherMs), 'claims/s');
  await store.write('writeSyncState', null);
} finally {
  await store.close();
}
tell('Store on disk, a claim', statSync(filePath).size / benchClaims / 1024, 'kB');
rmSync(folder, { recursive: true, force: true });
