import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { type ProcedureName, procedures } from '../../src/contract/procedures.ts';
import { firstLine } from '../integration/sandbox/start-sandbox.ts';
import { givenUsualSecrets, vaultPassphrase } from './cheap-secrets.ts';
import { listChildren } from './child-processes.ts';
import { ask, type OpenStream, openStream } from './loopback-client.ts';

type Input<N extends ProcedureName> = z.input<(typeof procedures)[N]['input']>;
type Output<N extends ProcedureName> = z.output<(typeof procedures)[N]['output']>;

/**
 * The resources of a process after all its threads have collected garbage. Bytes; `used` is what JavaScript still
 * references.
 */
export interface ProcessResources {
  readonly resident: number;
  readonly used: number;
  readonly files: number;
  readonly threads: number;
  readonly handles: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const samples = 9;
const sampleEveryMs = 250;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/**
 * The built app in the browser shell, with main and engine as processes of their own, and a client that acts as a
 * window.
 */
export async function startSoakApp() {
  const folder = await mkdtemp(join(tmpdir(), 'claimdesk-soak-'));
  const [profileDir, downloads, probeFile] = ['profile', 'downloads', 'probe.jsonl'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await mkdir(downloads);
  await givenUsualSecrets(profileDir);
  const main: ChildProcess = spawn(
    process.execPath,
    ['out/main/browser.js', '--no-open', '--profile', profileDir],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        CLAIMDESK_VAULT_PASSPHRASE: vaultPassphrase,
        CLAIMDESK_DOWNLOADS: downloads,
        NODE_OPTIONS: `--expose-gc --import=${join(root, 'test/support/memory-probe.mjs')}`,
        SOAK_PROBE_FILE: probeFile,
      },
    },
  );
  const address = new URL(/http:\/\/\S+/.exec(await firstLine(main))?.[0] ?? '');
  const { origin } = address;
  const json = { origin, 'content-type': 'application/json' };
  const entered = await ask(origin, '/enter', {
    method: 'POST',
    headers: { ...json, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ pass: address.hash.replace('#pass=', '') }),
  });
  const { token } = JSON.parse(entered.text) as { token: string };
  const headers = { ...json, 'x-claimdesk-window': token };
  // Open as long as the window is, because the shell ends without it.
  const mainEvents = await openStream(origin, headers);
  let engineUrl = '';
  let enginePid = 0;
  let engineEvents: OpenStream | null = null;

  async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
    const at = procedures[name].answeredBy === 'main' ? origin : engineUrl;
    const body = JSON.stringify(input);
    const reply = await ask(at, `/call/${name}`, { method: 'POST', headers, body });
    const result = JSON.parse(reply.text) as
      | { ok: true; value: Output<N> }
      | { ok: false; error: { code: string } };
    if (!result.ok) throw new Error(`${name}: ${result.error.code}`);
    return result.value;
  }

  async function enter(): Promise<void> {
    const session = await ask(origin, '/session', { headers: { 'x-claimdesk-window': token } });
    ({ engineUrl } = JSON.parse(session.text) as { engineUrl: string });
    enginePid = (await listChildren(main.pid ?? 0, 'engine'))[0] ?? 0;
    engineEvents = await openStream(engineUrl, headers);
  }

  const readProbe = async (): Promise<Record<string, unknown>[]> =>
    (await readFile(probeFile, 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  async function measureProcess(pid: number): Promise<ProcessResources> {
    const isOfProcess = (line: Record<string, unknown>): boolean => line.pid === pid && 'used' in line;
    const before = (await readProbe()).filter(isOfProcess).length;
    process.kill(pid, 'SIGUSR2');
    let found: Record<string, unknown> | undefined;
    while (found === undefined) {
      await wait(100);
      found = (await readProbe()).filter(isOfProcess)[before];
    }
    const status: number[] = [];
    const files: number[] = [];
    for (let index = 0; index < samples; index += 1) {
      await wait(sampleEveryMs);
      const text = await readFile(`/proc/${pid}/status`, 'utf8');
      status.push(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) * 1024);
      files.push((await readdir(`/proc/${pid}/fd`)).length);
    }
    return {
      resident: median(status),
      used: found.used as number,
      // The lowest count: a file that stays open raises it, a connection that is about to close does not.
      files: Math.min(...files),
      threads: (await readdir(`/proc/${pid}/task`)).length,
      handles: (found.handles as string[]).length,
    };
  }

  await enter();
  return {
    call,
    downloads,
    get enginePid() {
      return enginePid;
    },
    /** The next event of this name from the engine; fails where the engine ends first. */
    next(name: string): Promise<unknown> {
      const { next, closed } = engineEvents as OpenStream;
      const ended = closed.then(() => {
        throw new Error(`the engine ended before ${name}`);
      });
      const payload = Promise.race([next(name), ended]).then((event) => event.payload);
      // Prevents an unhandled rejection where the call before it fails and nothing awaits this.
      payload.catch(() => undefined);
      return payload;
    },
    /** Locks, which ends the engine, and unlocks again. */
    async lock(): Promise<void> {
      await call('lock:lock', {});
      engineEvents?.close();
      await call('lock:unlock', { passphrase: vaultPassphrase });
      await enter();
    },
    measure: async (): Promise<{ main: ProcessResources; engine: ProcessResources }> => ({
      main: await measureProcess(main.pid ?? 0),
      engine: await measureProcess(enginePid),
    }),
    /** Uncaught errors of all processes and threads. */
    readUnhandled: async () => (await readProbe()).filter((line) => 'origin' in line),
    async close(): Promise<void> {
      engineEvents?.close();
      mainEvents.close();
      if (main.exitCode === null) {
        main.kill('SIGTERM');
        await once(main, 'exit');
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type SoakApp = Awaited<ReturnType<typeof startSoakApp>>;
