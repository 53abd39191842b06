import { execFile, fork } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { SyncReceipt, SyncStatus } from '../../src/contract/sync.ts';
import type { EngineChannelMessage } from '../../src/main/lib/engine-protocol.ts';
import { findEntry } from '../../src/main/lib/entries.ts';
import { startSandbox } from '../integration/sandbox/start-sandbox.ts';
import { findPythonWithJwt } from '../interop/tokens/interop-programs.ts';
import { callAs, startShellUnderTest } from '../support/browser-shell.ts';

// The first read and the proof of many claims, end to end: the sandbox, this process as main, and the engine in
// a process of its own share the computer. CLAIMDESK_BENCH_CLAIMS says how many (100,000; up to a million).
// Beside it, against the same sandbox, the Python script that a service's documentation suggests.
const claims = Number(process.env.CLAIMDESK_BENCH_CLAIMS ?? 100_000);
const members = Math.max(100, Math.round(claims / 20));

const round = (value: number): number => Math.round(value * 100) / 100;
const tell = (bench: string, figures: Record<string, unknown>): void =>
  void process.stdout.write(`${JSON.stringify({ bench, claims, ...figures })}\n`);

const probe = fileURLToPath(new URL('../support/loop-probe.mjs', import.meta.url));
const script = fileURLToPath(new URL('page_to_csv.py', import.meta.url));

const sandbox = await startSandbox('--members', String(members), '--claims', String(claims), '--seed', '1');
let enginePid = 0;
let probePath = '';
const under = await startShellUnderTest({
  closedAfterMs: 24 * 60 * 60 * 1000,
  startEngineProcess(port) {
    const child = fork(fileURLToPath(findEntry('engine')), [`--port=${port}`], {
      env: { ...process.env, CLAIMDESK_LOOP_PROBE: probePath },
      execArgv: ['--import', probe],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    enginePid = child.pid ?? 0;
    return {
      pipe: {
        post: (message) => void (child.connected && child.send(message, () => undefined)),
        onMessage: (listener) =>
          void child.on('message', (message) => listener(message as EngineChannelMessage)),
      },
      onEnded: (listener) => void child.once('exit', listener),
      kill: () => void child.kill('SIGKILL'),
    };
  },
});
probePath = join(under.folder, 'loop.jsonl');

/** Peak resident memory of a process, in MB. */
const peakMb = (pid: number): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000);

async function readProbe(): Promise<Record<string, unknown>> {
  process.kill(enginePid, 'SIGUSR2');
  for (let tries = 0; !existsSync(probePath) && tries < 100; tries += 1) await wait(50);
  const text = readFileSync(probePath, 'utf8').trim();
  rmSync(probePath);
  return JSON.parse(text) as Record<string, unknown>;
}

try {
  const main = async (name: Parameters<typeof under.shell.desk.call>[0], input: unknown) => {
    const result = await under.shell.desk.call(name, input);
    if (!result.ok) throw new Error(result.error.code);
    return result.value as { id: string; publicKey: string };
  };
  const { id: workspaceId } = await main('workspaces:add', {
    baseUrl: sandbox.baseUrl,
    email: sandbox.account.email,
  });
  const key = await main('keys:generate', { type: 'ed25519', workspaceId });
  await sandbox.control('POST', '/keys', { name: 'bench', publicKey: key.publicKey });
  const page = await under.loadPage(await under.enter());
  const engine = async <T>(name: 'sync:start' | 'sync:getStatus'): Promise<T> => {
    const result = await callAs(under, page, 'engine', name, { workspaceId });
    if (!result.ok) throw new Error(result.error.code);
    return result.value as T;
  };
  const syncOnce = async (): Promise<SyncReceipt> => {
    await engine('sync:start');
    for (;;) {
      await wait(250);
      const { running, lastReceipt } = await engine<SyncStatus>('sync:getStatus');
      if (running === null && lastReceipt !== null) return lastReceipt;
    }
  };

  await engine('sync:getStatus');
  for (const bench of ['sync.first', 'sync.unchanged']) {
    await readProbe();
    const mainDelay = monitorEventLoopDelay({ resolution: 5 });
    mainDelay.enable();
    const receipt = await syncOnce();
    mainDelay.disable();
    const { p99Ms, maxMs } = await readProbe();
    const rateOf = (pass: number): number => {
      const read = receipt.reads.find((one) => one.list === 'claims' && one.pass === pass);
      if (read === undefined) return 0;
      return Math.round((read.ids * 1000) / (Date.parse(read.finishedAt) - Date.parse(read.startedAt)));
    };
    tell(bench, {
      proof: receipt.proof,
      seconds: round(receipt.seconds),
      firstReadPerSecond: rateOf(1),
      proofReadPerSecond: rateOf(2),
      bothReadsPerSecond: Math.round(claims / receipt.seconds),
      enginePeakMb: peakMb(enginePid),
      engineLoopP99Ms: p99Ms,
      engineLoopMaxMs: maxMs,
      mainLoopP99Ms: round(mainDelay.percentile(99) / 1e6),
    });
  }

  const { stdout } = await promisify(execFile)(
    findPythonWithJwt(),
    [script, sandbox.baseUrl, sandbox.account.email, join(under.folder, 'claims.csv')],
    { maxBuffer: 1e6 },
  );
  const python = JSON.parse(stdout) as { rows: number; seconds: number; rssMb: number };
  tell('sync.python', {
    rows: python.rows,
    seconds: round(python.seconds),
    perSecond: Math.round(python.rows / python.seconds),
    rssMb: python.rssMb,
  });
} finally {
  await under.close();
  await sandbox.stop();
}
