import { fork } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SyncReceipt, SyncStatus } from '../../src/contract/sync.ts';
import type { ChannelMessage } from '../../src/main/lib/channel.ts';
import { engineAllocation, engineArguments } from '../../src/main/shells/browser/fork-engine.ts';
import { startShellUnderTest } from '../support/browser-shell.ts';
import { openWindow } from './support/bench-shell.ts';
import { at, report, spread } from './support/figures.ts';
import { measureFirstClaims } from './support/first-claims.ts';
import { readProcessorMs, readResidentMb } from './support/processes.ts';
import { pageToCsv, pageToSqlcipher } from './support/python-scripts.ts';
import { startReplay } from './support/start-replay.ts';

// Syncs end to end, with a list of claims open: this process as main, and the engine as built, in a process of
// its own. The service is a replay that costs next to nothing, so the rates are those of the app: claims divided by
// the seconds of the whole. CLAIMDESK_BENCH_CLAIMS says how many (100,000; up to a million). Beside it, against the same replay,
// the Python script that a service's documentation suggests, and one that stores the same encrypted and searchable.
const claims = Number(process.env.CLAIMDESK_BENCH_CLAIMS ?? 100_000);
const members = Math.max(100, Math.round(claims / 20));

/** Seconds of work with lists, and records a second that the service then sends. */
const workSeconds = 20;
const throttledTo = 3000;

const round = (value: number): number => Math.round(value * 100) / 100;

const probe = fileURLToPath(new URL('../support/loop-probe.mjs', import.meta.url));
const engineEntry = fileURLToPath(new URL('../../out/main/engine.js', import.meta.url));

const replay = await startReplay(claims, members);
let enginePid = 0;
let probePath = '';
const under = await startShellUnderTest({
  closedAfterMs: 24 * 60 * 60 * 1000,
  startEngineProcess(port) {
    const child = fork(engineEntry, [`--port=${port}`], {
      env: { ...process.env, ...engineAllocation, CLAIMDESK_LOOP_PROBE: probePath },
      execArgv: ['--import', probe, ...engineArguments],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    enginePid = child.pid ?? 0;
    return {
      pipe: {
        post: (message) => void (child.connected && child.send(message, () => undefined)),
        onMessage: (listener) => void child.on('message', (message) => listener(message as ChannelMessage)),
      },
      onEnded: (listener) => void child.once('exit', listener),
      kill: () => void child.kill('SIGKILL'),
    };
  },
});
probePath = join(under.folder, 'loop.jsonl');

/** How late the engine's event loop was since the last call. */
async function readProbe(): Promise<{ p99Ms: number; maxMs: number }> {
  process.kill(enginePid, 'SIGUSR2');
  for (let tries = 0; !existsSync(probePath) && tries < 100; tries += 1) await wait(50);
  const text = readFileSync(probePath, 'utf8').trim();
  rmSync(probePath);
  return JSON.parse(text) as { p99Ms: number; maxMs: number };
}

const all = claims.toLocaleString('en-US');
const rate = (seconds: number): number => Math.round(claims / seconds);
/** Seconds from the beginning of the first read to the end of the read of the claims in this pass. */
function secondsToEndOf({ reads }: SyncReceipt, pass: number): number {
  const last = reads.find((one) => one.list === 'claims' && one.pass === pass);
  const began = Math.min(...reads.map(({ startedAt }) => Date.parse(startedAt)));
  return (Date.parse(last?.finishedAt ?? '') - began) / 1000;
}

try {
  const csv = await pageToCsv(replay.baseUrl, join(under.folder, 'claims.csv'));
  const cpuOf = ({ cpuSeconds }: { cpuSeconds: number }): string =>
    `${Math.round((cpuSeconds / claims) * 1e6)} µs of processor time a claim`;
  report({
    what: `Python script, ${all} claims into a CSV file`,
    figure: rate(csv.seconds),
    unit: 'claims/s',
    how: `requests and csv, one page after the other; ${cpuOf(csv)}`,
  });
  const sqlcipher = await pageToSqlcipher(replay.baseUrl, join(under.folder, 'claims.db'));
  if (sqlcipher === null)
    process.stderr.write('Without SQLCipher (libsqlcipher0), nothing to compare with.\n');
  else
    report({
      what: `Python script, ${all} claims into SQLCipher with a full-text index`,
      figure: rate(sqlcipher.seconds),
      unit: 'claims/s',
      how: `requests and SQLCipher ${sqlcipher.version} with ${sqlcipher.index.toUpperCase()}, a transaction a page, then indexes; ${cpuOf(sqlcipher)}`,
    });

  const shown: number[] = [];
  for (let run = 0; run < 3; run += 1) shown.push(await measureFirstClaims(replay.baseUrl, 1_000));
  report({
    what: 'First sync: the first 1,000 claims in a list that is open',
    ...{ figure: at(shown, 0.5), unit: 'ms', reach: '≤ 2,000' },
    how: `median of 3, longest ${at(shown, 1)}; press of Sync now to rows and count in the window`,
  });

  const { call } = await openWindow(under.shell.makeAddress());
  const { id: workspaceId } = await call<{ id: string }>('main', 'workspaces:add', {
    baseUrl: replay.baseUrl,
    email: 'bench@example.org',
  });
  await call('main', 'keys:generate', { type: 'ed25519', workspaceId });
  const query = { entity: 'claims', sort: [{ field: 'eob_date', direction: 'desc' }] };
  const openList = async (): Promise<string> => {
    const input = { workspaceId, query, limit: 100 };
    const { snapshotId } = await call<{ snapshotId: string }>('engine', 'records:begin', input);
    await call('engine', 'records:getCount', { workspaceId, snapshotId });
    return snapshotId;
  };
  const syncOnce = async (): Promise<SyncReceipt> => {
    await call('engine', 'sync:start', { workspaceId });
    let snapshotId = await openList();
    for (let isEmpty = true; ; ) {
      await wait(250);
      const status = await call<SyncStatus>('engine', 'sync:getStatus', { workspaceId });
      if (status.running === null && status.lastReceipt !== null) return status.lastReceipt;
      // A window with an open list, whose person asks for the claims once they are there.
      if (isEmpty && (status.running?.read ?? 0) > claims / 2) {
        snapshotId = await openList();
        isEmpty = false;
      }
      await call('engine', 'records:getWindow', { workspaceId, snapshotId, offset: 0, limit: 100 });
    }
  };
  const loops: number[] = [];
  const measure = async (what: string, reach?: string): Promise<SyncReceipt> => {
    await readProbe();
    const cpuBefore = readProcessorMs(enginePid) / 1000;
    const mainDelay = monitorEventLoopDelay({ resolution: 5 });
    mainDelay.enable();
    const receipt = await syncOnce();
    if (receipt.outcome !== 'complete') throw new Error(`${what}: ${receipt.reason}`);
    mainDelay.disable();
    const engine = await readProbe();
    loops.push(engine.p99Ms, mainDelay.percentile(99) / 1e6);
    const cpuSeconds = readProcessorMs(enginePid) / 1000 - cpuBefore;
    report({
      // On a computer that is busy with other things, the one figure that can be compared.
      what: `${what}: processor time of the engine, a claim`,
      figure: Math.round((cpuSeconds / claims) * 1e6),
      unit: 'µs',
      reach,
      how: `${round(receipt.seconds)} s in all; its loop at most ${engine.maxMs} ms late; ${Math.round(readResidentMb(enginePid))} MB`,
    });
    return receipt;
  };

  await call('engine', 'sync:getStatus', { workspaceId });
  const first = await measure('First sync', '≤ 110');
  const memoryReach = claims > 100_000 ? '≤ 650' : '≤ 450';
  const peak = Math.round(readResidentMb(enginePid));
  const firstSeconds = secondsToEndOf(first, 1);
  report({
    what: `First read of ${all} claims and their members`,
    figure: rate(firstSeconds),
    unit: 'claims/s',
    how: `with its proof ${rate(first.seconds)}; a list of claims open`,
  });
  if (sqlcipher !== null)
    report({
      what: 'First read, times the rate of the script into SQLCipher',
      figure: round(sqlcipher.seconds / firstSeconds),
      unit: '×',
      reach: claims > 100_000 ? '≥ 2' : '≥ 1.5',
      how: 'wall clock of each, one after the other',
    });
  report({
    what: `Memory of the engine in the first sync of ${all} claims`,
    ...{ figure: peak, unit: 'MB', reach: memoryReach },
    how: 'peak of the process (VmHWM), a list of claims open',
  });
  const cpuBefore = readProcessorMs(enginePid) / 1000;
  const isCurrent = async (): Promise<boolean> =>
    (await call<{ isCurrent: boolean }>('engine', 'worklists:counts', { workspaceId })).isCurrent;
  while (!(await isCurrent())) await wait(100);
  report({
    what: 'Duplicates and worklists after the first sync: processor time of the engine, a claim',
    figure: Math.round(((readProcessorMs(enginePid) / 1000 - cpuBefore) / claims) * 1e6),
    unit: 'µs',
    how: 'from the receipt until the counts are those of all claims',
  });
  for (const [what, change] of [
    ['nothing changed', false],
    ['0.1 % changed and every claim moved in its page', true],
  ] as const) {
    if (change) await replay.change();
    const receipt = await measure(`Sync, ${what}`);
    report({
      what: `Sync of ${all} claims, ${what}`,
      figure: rate(receipt.seconds),
      unit: 'claims/s',
      reach: '≥ 10,000',
      how: `both reads, to the receipt; the first of them ${rate(secondsToEndOf(receipt, 1))}`,
    });
  }
  report({
    what: `Memory of the engine in all syncs of ${all} claims`,
    ...{ figure: Math.round(readResidentMb(enginePid)), unit: 'MB', reach: memoryReach },
    how: 'peak of the process (VmHWM) over the first sync and two later ones',
  });
  // Lists are used first with nothing else running, then during a sync of an ordinary service.
  const works = ['List opened', 'List scrolled', 'List searched'] as const;
  const workWithLists = async (isOver: () => boolean) => {
    const times = new Map<(typeof works)[number], number[]>(works.map((work) => [work, []]));
    const clock = async <T>(work: (typeof works)[number], done: Promise<T>): Promise<T> => {
      const began = performance.now();
      const value = await done;
      times.get(work)?.push(performance.now() - began);
      return value;
    };
    const words = ['smi', 'smith', 'gar', 'garcia', 'ortho', 'valley', 'dental', 'pharm'];
    const fields = ['eob_date', 'amount_billed', 'patient_name', 'service_provider'];
    for (let round = 0; !isOver(); round += 1) {
      const sort = [{ field: fields[round % fields.length], direction: round % 2 === 0 ? 'desc' : 'asc' }];
      const ask = (search: string) => ({
        workspaceId,
        query: { entity: 'claims', sort, search },
        limit: 100,
      });
      const list = call<{ snapshotId: string }>('engine', 'records:begin', ask(''));
      const { snapshotId } = await clock('List opened', list);
      await call('engine', 'records:getCount', { workspaceId, snapshotId });
      for (let window = 0; window < 5; window += 1) {
        const offset = Math.floor(((window * 7 + round) * claims) / 60) % claims;
        const input = { workspaceId, snapshotId, offset, limit: 100 };
        await clock('List scrolled', call('engine', 'records:getWindow', input));
        await wait(20);
      }
      const word = words[round % words.length] as string;
      await clock('List searched', call('engine', 'records:begin', ask(word)));
      await wait(100);
    }
    return times;
  };
  const quietUntil = performance.now() + workSeconds * 1000;
  const quiet = await workWithLists(() => performance.now() > quietUntil);
  await replay.change();
  await replay.throttle(throttledTo);
  await call('engine', 'sync:start', { workspaceId });
  const busyUntil = performance.now() + workSeconds * 1000;
  const busy = await workWithLists(() => performance.now() > busyUntil);
  const { running } = await call<SyncStatus>('engine', 'sync:getStatus', { workspaceId });
  if (running === null) throw new Error('the sync was over before the lists were');
  await call('engine', 'sync:cancel', { workspaceId });
  for (const work of works) {
    const usual = quiet.get(work) ?? [];
    report({
      what: `${work} beside a sync of ${throttledTo.toLocaleString('en-US')} claims/s`,
      ...spread(busy.get(work) ?? []),
      reach: `≤ ${Math.round(2 * at(usual, 0.95))}, twice its usual`,
    });
  }
  report({
    what: `Event loops of engine and main in syncs of ${all} claims`,
    figure: round(Math.max(...loops)),
    unit: 'ms',
    reach: '≤ 20',
    how: 'p99 of the lateness, the worst of three syncs',
  });
} finally {
  await under.close();
  await replay.stop();
}
