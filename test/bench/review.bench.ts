import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunStep } from '../../src/contract/run-procedures.ts';
import { defaultSettings } from '../../src/contract/settings.ts';
import { createReviews } from '../../src/main/engine/review/reviews.ts';
import { openRecords } from '../../src/main/engine/store/record/open-records.ts';
import { openStore } from '../../src/main/engine/store/threads/store.ts';
import { createUserDataStore } from '../../src/main/engine/store/threads/user-data-store.ts';
import type { RunLayout } from '../../src/rules/review/run-layout.ts';
import { makeEntrySigner } from '../support/entry-signer.ts';
import { report, spread, time } from './support/figures.ts';
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

const tell = (what: string, figure: number, unit: string, how: string): void =>
  report({ what, figure: Math.round(figure * 10) / 10, unit, how });
const many = (count: number): string => `${count.toLocaleString('en-US')} claims`;

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
  readSnapshot: async () => ({ query: { entity: 'claims' as const }, keys, shown: keys }),
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

/** A reimbursement run of claims that were decided as eligible, the first of those above: each of its steps. */
async function timeRun(): Promise<void> {
  keys = ids.slice(0, bulk);
  const { selectionId } = await reviews.freezeList(workspaceId, 'list', null);
  let [runId, count] = ['', 0];
  const layout: RunLayout = {
    ...{ rows: 'claim', format: 'csv', delimiter: ',', dates: 'YYYY-MM-DD', amounts: '1234.50' },
    columns: [{ field: 'amount', header: 'Amount' }],
  };
  const step = (wanted: RunStep) => () => reviews.stepRun(workspaceId, runId, wanted);
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['what it would come to', () => reviews.estimateRun({ workspaceId, selectionId })],
    [
      'made',
      async () => {
        const made = await reviews.makeRun(workspaceId, {
          selectionId,
          name: 'Run',
          account: '',
          offsets: true,
        });
        [runId, count] = [made.eventId ?? '', made.claims];
      },
    ],
    ['shown', () => reviews.getRun({ workspaceId, runId })],
    ['rows of its file', () => reviews.readRunFile(workspaceId, { runId, layout })],
    ['sent', step({ kind: 'send', file: null })],
    ['recorded', step({ kind: 'record', day: '2026-03-02' })],
    ['taken back a step', step({ kind: 'back', reason: 'Again' })],
  ];
  for (const [what, run] of steps) {
    const began = process.cpuUsage();
    const figure = Math.round(await time(run));
    const { user, system } = process.cpuUsage(began);
    const how = `once, ${many(count)} in it; ${Math.round((user + system) / 1000)} ms of processor time`;
    report({ what: `A run of ${many(bulk)}: ${what}`, figure, unit: 'ms', reach: '≤ 2,000', how });
  }
}

try {
  await reviews.updateOnce(workspaceId);
  const filling: number[] = [];
  for (let from = 0; from < reviewed; from += bulk)
    filling.push(await time(() => actOnList(ids.slice(from, from + bulk), from / bulk)));
  report({ what: `A decision of ${many(bulk)}`, ...spread(filling) });

  const presses: number[] = [];
  for (let press = 0; press < 200; press += 1) {
    const claimId = ids[reviewed + press] as number;
    presses.push(await time(() => reviews.act(workspaceId, { claimIds: [claimId] }, done(press))));
  }
  report({ what: 'A decision of one claim, kept and in lists', ...spread(presses) });

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
    const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => Math.round((user + system) / 1000);
    const all = `${many(size)} of a list`;
    tell(`${all}: chosen`, freezeMs, 'ms', 'once');
    tell(`${all}: decided`, actMs, 'ms', `once; ${cpuMs(act)} ms of processor time`);
    tell(`${all}: undone`, undoMs, 'ms', `once; ${cpuMs(undo) - cpuMs(act)} ms of processor time`);
    tell(`${all}: memory more than before`, (peak - rss) / 1_048_576, 'MB', 'peak of the process');
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
        ({ eventId } = await reviews.deal({ workspaceId, selectionId, owners }));
      }),
    );
    dealUndos.push(await time(() => reviews.undo(workspaceId, eventId ?? '')));
  }
  report({ what: `${many(bulk)} dealt to three people`, ...spread(deals) });
  report({ what: 'The same, undone', ...spread(dealUndos) });

  await timeRun();

  const after = await time(() => reviews.updateAfterSync(workspaceId));
  tell('What a sync without changes leaves to do', after, 'ms', 'once');
  const state = (value: string) => ({
    entity: 'claims' as const,
    conditions: [{ field: 'review.state', operator: 'is' as const, values: [value] }],
  });
  for (const value of ['done', 'todo']) {
    const query = state(value);
    const firstMs = await time(() => store.read('readFirst', { query, limit: 100 }));
    const listMs = await time(() => store.list('makeList', query));
    tell(`List of claims ${value}: first rows`, firstMs, 'ms', 'once');
    tell(`List of claims ${value}: all, with sums`, listMs, 'ms', 'once');
  }
  const rows = openRecords(filePath, key);
  rows.prepare("DELETE FROM sync_state WHERE name='reviews'").run();
  rows.close();
  const rebuilt = await time(() => createReviews(ports).updateOnce(workspaceId));
  tell('All reviews made again', rebuilt, 'ms', `once; ${many(reviewed)} reviewed`);
  let bytes = 0;
  const exportMs = await time(() =>
    reviews.writeFile(workspaceId, 'a long passphrase', async (part) => {
      bytes += part.length;
    }),
  );
  tell('A file of all reviews', exportMs, 'ms', `once; ${Math.round(bytes / 1_048_576)} MB`);
} finally {
  await userData.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
