import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ListQuery } from '../../src/rules/query.ts';
import type { ReviewAct } from '../../src/rules/review/event-kinds.ts';
import type { ServiceFault } from '../../src/sandbox/faults/fault-schema.ts';
import { startSandbox } from '../integration/sandbox/start-sandbox.ts';
import { type ProcessResources, startSoakApp } from './soak-app.ts';

// Rounds of syncs with faults, queries, reviews and exports on the built app: first with locks in between, each of
// which ends the engine, then as many with one engine. The amount of work is fixed: the long form takes half an hour,
// the short one has no pauses. Fails where memory after the warm-up grows by more than a tenth, where a file, a thread
// or a handle is left open, where an act of a review is missing, and at any uncaught error.
const isShort = process.argv[2] === '--short';
const rounds = isShort ? 32 : 200;
const minutes = isShort ? 0 : 30;
const roundsWithLocks = isShort ? 8 : rounds / 2;
const roundsOfEngine = isShort ? 2 : 5;
/** Rounds of the first and of the last engine during which caches and tables still fill. */
const warmUpRounds = isShort ? 8 : 20;
const growthAllowed = 0.1;
const queriesInRound = 25;
const actsInRound = 5;
const readsAtOnce = 200;

const badDays: readonly (Partial<ServiceFault> & { kind: ServiceFault['kind'] })[][] = [
  [],
  [{ kind: 'status', status: 500, rate: 0.3, times: 4 }],
  [{ kind: 'reset', times: 2 }],
  [],
  [{ kind: 'truncated', keep: 0.4, route: 'claims', times: 2 }],
  [{ kind: 'replace-body', body: 'html', times: 2 }],
];
const queries: readonly ListQuery[] = [
  { entity: 'claims', sort: [{ field: 'amount_billed', direction: 'desc' }] },
  { entity: 'claims', search: 'garcia' },
  { entity: 'claims', conditions: [{ field: 'status', operator: 'is', values: ['Rejected'] }] },
  { entity: 'members', search: 'an' },
  { entity: 'lines' },
];
/** `undo` undoes the previous act. */
const acts: readonly (ReviewAct | 'undo')[] = [
  decide('inReview'),
  { kind: 'flag', isFlagged: true },
  { kind: 'note', text: 'Note' },
  decide('waiting'),
  { kind: 'flag', isFlagged: true },
  'undo',
  { kind: 'note', text: 'Note' },
  decide('done'),
  { kind: 'tag', add: ['soak'], remove: [] },
  'undo',
];

function decide(state: 'inReview' | 'waiting' | 'done'): ReviewAct {
  const isWaiting = state === 'waiting';
  return {
    kind: 'decision',
    state,
    outcome: state === 'done' ? 'eligible' : null,
    onWhom: isWaiting ? 'Carrier' : null,
    reason: isWaiting ? 'EOB missing' : null,
    reminder: null,
  };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
const describe = (name: string, held: ProcessResources): string =>
  `${name}: ${megabytes(held.resident)} MB in memory, ${megabytes(held.used)} MB used by JavaScript, ` +
  `${held.files} open files, ${held.threads} threads, ${held.handles} active handles.`;

const sandbox = await startSandbox('--members', '60', '--claims', '600', '--seed', '5');
const app = await startSoakApp();
const failures: string[] = [];
const count = { rounds: 0, syncs: 0, incomplete: 0, queries: 0, acts: 0, exports: 0, locks: 0 };
/** The expected content of the history, by event. */
const expected = new Map<string, { note: string | null; isUndone: boolean }>();
let lastEventId: string | null = null;

const { id: workspaceId } = await app.call('workspaces:add', {
  baseUrl: sandbox.baseUrl,
  email: sandbox.account.email,
  name: 'Soak',
});
const { publicKey } = await app.call('keys:generate', { type: 'ed25519', workspaceId });
await sandbox.control('POST', '/keys', { name: 'soak', publicKey });

async function syncOnce(faults: (typeof badDays)[number] = []): Promise<void> {
  await sandbox.control('PUT', '/faults', faults);
  // Some claims change between two syncs, so that some reviews are reopened.
  const edits = [{ op: 'churn', list: 'claims', count: 5, seed: count.rounds }];
  if (count.rounds > 0) await sandbox.control('POST', '/edits', { edits });
  const finished = app.next('sync:finished');
  await app.call('sync:start', { workspaceId });
  const { receipt } = (await finished) as { receipt: { outcome: string } };
  await sandbox.control('DELETE', '/faults');
  count.syncs += 1;
  if (receipt.outcome !== 'complete') count.incomplete += 1;
}

/** Runs queries and resolves to the claims of the first list. */
async function ask(): Promise<number[]> {
  let claimIds: number[] = [];
  for (let index = 0; index < queriesInRound; index += 1) {
    const query = queries[index % queries.length] as ListQuery;
    const { snapshotId } = await app.call('records:open', { workspaceId, query });
    const window = { workspaceId, snapshotId, offset: 0, limit: 50 };
    const { rows } = await app.call('records:getWindow', window);
    if (index === 0) claimIds = rows.map((row) => Number(row.id));
    count.queries += 1;
  }
  return claimIds;
}

/**
 * Reads so much at once that every reading thread is started: otherwise one that is first needed after the warm-up,
 * where another process takes the processor for a moment, counts as a leak.
 */
async function startReaders(): Promise<void> {
  const { snapshotId } = await app.call('records:open', { workspaceId, query: queries[0] as ListQuery });
  const window = { workspaceId, snapshotId, offset: 0, limit: 50 };
  await Promise.all(Array.from({ length: readsAtOnce }, () => app.call('records:getWindow', window)));
}

async function review(claimIds: readonly number[]): Promise<void> {
  for (let index = 0; index < actsInRound; index += 1) {
    const act = acts[count.acts % acts.length] as ReviewAct | 'undo';
    if (act === 'undo') {
      // Null: the act before was not recorded, because its claim had it already.
      if (lastEventId !== null) {
        await app.call('reviews:undo', { workspaceId, eventId: lastEventId });
        const undone = expected.get(lastEventId);
        if (undone !== undefined) undone.isUndone = true;
      }
    } else {
      const note = act.kind === 'note' ? `Note ${count.acts}` : null;
      const { eventId } = await app.call('reviews:act', {
        workspaceId,
        target: { claimIds: [claimIds[(count.acts + count.rounds) % claimIds.length] as number] },
        act: act.kind === 'note' ? { ...act, text: `Note ${count.acts}` } : act,
      });
      lastEventId = eventId;
      if (eventId !== null) expected.set(eventId, { note, isUndone: false });
    }
    count.acts += 1;
  }
}

async function exportClaims(): Promise<void> {
  const wanted = { purpose: 'records', suggestedName: 'soak.csv' } as const;
  const target = await app.call('files:chooseSaveTarget', wanted);
  const finished = app.next('export:finished');
  await app.call('export:start', {
    workspaceId,
    source: { kind: 'list', query: { entity: 'claims' } },
    format: 'csv',
    reason: 'Soak',
    targetId: target?.targetId ?? '',
  });
  const { error } = (await finished) as { error: { code: string } | null };
  if (error !== null) throw new Error(`export: ${error.code}`);
  for (const name of await readdir(app.downloads)) await rm(join(app.downloads, name));
  count.exports += 1;
}

async function runRound(): Promise<void> {
  const { enginePid } = app;
  await app.call('lock:noteActivity', {});
  await syncOnce(badDays[count.rounds % badDays.length]);
  await review(await ask());
  if (count.rounds % 2 === 1) await exportClaims();
  await app.call('lock:noteActivity', {});
  if (app.enginePid !== enginePid) failures.push('the engine ended by itself');
  count.rounds += 1;
}

/** Measures after a sync without faults, because a sync with faults closes connections that are open otherwise. */
async function measure(): Promise<{ main: ProcessResources; engine: ProcessResources }> {
  await startReaders();
  await syncOnce();
  return app.measure();
}

/** Acts that are missing in the history, or differ from what was done. */
async function countLost(): Promise<number> {
  const missing = new Map(expected);
  for (let offset = 0; ; offset += 500) {
    const { events, total } = await app.call('reviews:listEvents', { workspaceId, offset, limit: 500 });
    for (const { id, fact, isUndone } of events) {
      const one = missing.get(id);
      const note = fact.kind === 'note' ? fact.text : null;
      if (one?.isUndone === isUndone && one.note === note) missing.delete(id);
    }
    if (offset + events.length >= total) return missing.size;
  }
}

/** Compares a process after its warm-up with its end. */
function judge(name: string, warm: ProcessResources, last: ProcessResources): void {
  say(describe(`${name} after the warm-up`, warm));
  say(describe(`${name} at the end`, last));
  const isMore = (a: number, b: number): boolean => a > b * (1 + growthAllowed);
  if (isMore(last.resident, warm.resident)) failures.push(`${name}: the memory grew by more than a tenth`);
  if (isMore(last.used, warm.used)) failures.push(`${name}: JavaScript's memory grew by more than a tenth`);
  if (last.files > warm.files) failures.push(`${name}: files stay open`);
  if (last.threads > warm.threads) failures.push(`${name}: threads are left`);
  if (last.handles > warm.handles) failures.push(`${name}: handles stay active`);
}

const startedMs = performance.now();
let warmMain: ProcessResources | null = null;
let warmEngine: ProcessResources | null = null;
try {
  while (count.rounds < rounds) {
    await runRound();
    if (count.rounds <= roundsWithLocks && count.rounds % roundsOfEngine === 0) {
      await app.lock();
      count.locks += 1;
    }
    if (count.rounds === warmUpRounds) warmMain = (await measure()).main;
    if (count.rounds === roundsWithLocks + warmUpRounds) warmEngine = (await measure()).engine;
    else if (!isShort && count.rounds % 10 === 0) {
      const { main, engine } = await measure();
      say(describe(`Round ${count.rounds}, main`, main));
      say(describe(`Round ${count.rounds}, engine`, engine));
    }
    // Spread over the time, so that timers and idle tasks run too.
    await wait(Math.max(0, startedMs + (count.rounds / rounds) * minutes * 60_000 - performance.now()));
  }
  const last = await measure();
  const lost = await countLost();
  say(
    `${count.syncs} syncs (${count.incomplete} incomplete), ${count.queries} queries, ${count.acts} acts of reviews, ` +
      `${count.exports} exports, ${count.locks} locks in ${Math.round((performance.now() - startedMs) / 1000)} s.`,
  );
  if (warmMain !== null) judge('Main', warmMain, last.main);
  if (warmEngine !== null) judge('Engine', warmEngine, last.engine);
  say(`Acts lost: ${lost}.`);
  if (lost > 0) failures.push('acts of reviews are missing');
} catch (thrown) {
  failures.push(`round ${count.rounds + 1} broke off: ${(thrown as Error).message}`);
}
const unhandled = await app.readUnhandled();
say(`Not caught: ${unhandled.length}.`);
for (const { origin, text } of unhandled) say(`${origin}: ${text}`);
if (unhandled.length > 0) failures.push('something was not caught');
await app.close();
await sandbox.stop();
for (const failure of failures) say(`Failed: ${failure}.`);
process.exit(failures.length > 0 ? 1 : 0);
