import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '../../src/contract/settings.ts';
import { createReviews } from '../../src/main/engine/review/reviews.ts';
import { openRecords } from '../../src/main/engine/store/record/open-records.ts';
import { openStore } from '../../src/main/engine/store/threads/store.ts';
import { createUserDataStore } from '../../src/main/engine/store/threads/user-data-store.ts';
import { makeEntrySigner } from '../support/entry-signer.ts';
import { prepareBenchStore } from './support/million-store.ts';

/**
 * Reviews over a big store: what a key press takes until it is kept and lists show it, many claims at once and their
 * undoing, and what a start takes that finds a tenth of the claims reviewed. On a copy of the shared store.
 */
const { filePath: shared, key, claims } = prepareBenchStore();
const reviewed = Math.min(100_000, Math.floor(claims / 2));
const bulk = Math.min(10_000, Math.floor(claims / 10));
const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-review-'));
const filePath = join(folder, 'records.db');
copyFileSync(shared, filePath);
const workspaceId = 'bench';

const tell = (bench: string, figures: Record<string, unknown>): void =>
  void process.stdout.write(`${JSON.stringify({ bench, ...figures })}\n`);
const round = (value: number): number => Math.round(value * 10) / 10;
const at = (values: readonly number[], share: number): number =>
  round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0);
const time = async (run: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await run();
  return performance.now() - began;
};

const plain = openRecords(filePath, key, { isReadOnly: true });
const ids = Float64Array.from(plain.prepare('SELECT id FROM claims ORDER BY id').pluck().all() as number[]);
plain.close();

const store = await openStore({ filePath, key: Buffer.from(key), isReadOnly: false, readers: 2 });
const userData = createUserDataStore({
  filePath: join(folder, 'ours.db'),
  readKey: async () => Buffer.from(key),
});
let keys = ids;
const ports = {
  clock: { now: () => Date.now() },
  now: () => Date.now(),
  isReadOnly: false,
  emit: () => undefined,
  getStore: async () => store,
  getUserData: async () => userData,
  findAuthor: async () => 'bench@example.com',
  signer: makeEntrySigner('bench@example.com'),
  getSettings: async () => ({
    ...defaultSettings,
    service: 'https://claims.example.com',
    reviewsFrom: { [workspaceId]: '2000-01-01' },
  }),
  readSnapshot: async () => ({ query: { entity: 'claims' as const }, keys }),
};
const reviews = createReviews(ports);
const outcomes = ['eligible', 'notEligible', 'noAction', 'disputed'] as const;
const done = (index: number) =>
  ({
    kind: 'decision',
    state: 'done',
    outcome: outcomes[index % outcomes.length] ?? 'eligible',
    onWhom: null,
    reason: null,
    reminder: null,
  }) as const;
const actOnList = async (some: Float64Array<ArrayBuffer>, index: number) => {
  keys = some;
  const { selectionId } = await reviews.freezeList(workspaceId, 'list', null);
  return reviews.act(workspaceId, { selectionId }, done(index));
};

try {
  await reviews.settleOnce(workspaceId);
  const filling: number[] = [];
  for (let from = 0; from < reviewed; from += bulk)
    filling.push(await time(() => actOnList(ids.slice(from, from + bulk), from / bulk)));
  tell('review.fill', { reviewed, eachMs: at(filling, 0.5), maxMs: at(filling, 1) });

  const presses: number[] = [];
  for (let press = 0; press < 200; press += 1) {
    const claimId = ids[reviewed + press] as number;
    presses.push(await time(() => reviews.act(workspaceId, { claimIds: [claimId] }, done(press))));
  }
  tell('review.keyPress', { medianMs: at(presses, 0.5), p95Ms: at(presses, 0.95), maxMs: at(presses, 1) });

  for (const size of [bulk, Math.min(200_000, claims - reviewed)]) {
    keys = ids.slice(ids.length - size);
    let selectionId = '';
    const freezeMs = await time(async () => {
      ({ selectionId } = await reviews.freezeList(workspaceId, 'list', null));
    });
    let eventId: string | null = null;
    const [cpu, rss] = [process.cpuUsage(), process.memoryUsage.rss()];
    let peak = rss;
    const watching = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 50);
    const actMs = await time(async () => {
      ({ eventId } = await reviews.act(workspaceId, { selectionId }, done(0)));
    });
    const act = process.cpuUsage(cpu);
    const undoMs = await time(() => reviews.undo(workspaceId, eventId ?? ''));
    const undo = process.cpuUsage(cpu);
    clearInterval(watching);
    const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => round((user + system) / 1000);
    tell('review.bulk', {
      claims: size,
      freezeMs: round(freezeMs),
      actMs: round(actMs),
      actCpuMs: cpuMs(act),
      undoMs: round(undoMs),
      undoCpuMs: round(cpuMs(undo) - cpuMs(act)),
      addedMb: round((peak - rss) / 1_048_576),
    });
  }

  const deals: number[] = [];
  const dealUndos: number[] = [];
  const owners = ['ana@example.com', 'ben@example.com', 'cleo@example.com'];
  keys = ids.slice(0, bulk);
  for (let run = 0; run < 5; run += 1) {
    const { selectionId } = await reviews.freezeList(workspaceId, 'list', null);
    let eventId: string | null = null;
    deals.push(
      await time(async () => {
        ({ eventId } = await reviews.deal(workspaceId, { selectionId, owners }));
      }),
    );
    dealUndos.push(await time(() => reviews.undo(workspaceId, eventId ?? '')));
  }
  tell('review.deal', {
    claims: bulk,
    medianMs: at(deals, 0.5),
    maxMs: at(deals, 1),
    undoMs: at(dealUndos, 0.5),
  });

  tell('review.afterSync', { ms: round(await time(() => reviews.settleAfterSync(workspaceId))) });
  const state = (value: string) => ({
    entity: 'claims' as const,
    conditions: [{ field: 'review.state', operator: 'is' as const, values: [value] }],
  });
  for (const value of ['done', 'todo']) {
    const query = state(value);
    const firstMs = await time(() => store.read('readFirst', { query, limit: 100 }));
    const listMs = await time(() => store.list('makeList', query));
    tell('review.list', { state: value, firstMs: round(firstMs), listMs: round(listMs) });
  }
  const rows = openRecords(filePath, key);
  rows.prepare("DELETE FROM sync_state WHERE name='reviews'").run();
  rows.close();
  tell('review.rebuild', { ms: round(await time(() => createReviews(ports).settleOnce(workspaceId))) });
  let bytes = 0;
  const exportMs = await time(() =>
    reviews.writeFile(workspaceId, 'a long passphrase', async (part) => {
      bytes += part.length;
    }),
  );
  tell('review.export', { ms: round(exportMs), mb: round(bytes / 1_048_576) });
} finally {
  await userData.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
