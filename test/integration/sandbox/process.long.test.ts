import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Listening, Sandbox } from './start-sandbox.ts';
import { firstLine, SANDBOX_ENTRY, startSandbox } from './start-sandbox.ts';

const started: Sandbox[] = [];
const SMALL = ['--members', '5', '--claims', '10'];

async function start(...args: string[]): Promise<Sandbox> {
  const sandbox = await startSandbox(...SMALL, ...args);
  started.push(sandbox);
  return sandbox;
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.stop()));
});

const exitOf = (child: {
  once(event: 'exit', done: (code: number | null) => void): unknown;
}): Promise<number | null> => new Promise((resolve) => child.once('exit', resolve));

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

describe('the first line', () => {
  it('is one JSON object with its address', async () => {
    const {
      child: _child,
      control: _control,
      truth: _truth,
      stop: _stop,
      ...said
    } = await start('--email', 'Me@X.example');
    expect(said).toEqual({
      event: 'listening',
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      account: { email: 'Me@X.example' },
      controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      controlToken: expect.stringMatching(/^.{20,}$/),
      connect: {
        publicToken: expect.stringMatching(/^pk_.{20,}$/),
        secretKey: expect.stringMatching(/^sk_.{20,}$/),
        multiTenantToken: expect.stringMatching(/^pk_.{20,}$/),
        tenants: [
          { label: 'northwind-benefits', key: 'TK-30' },
          { label: 'acme benefits & co', key: 'TK-31' },
          { label: 'Ünïted/HR', key: 'TK-32' },
        ],
        people: [],
      },
    });
  });

  it('it listens only on loopback', async () => {
    const { baseUrl } = await start();
    const outside = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one?.family === 'IPv4' && !one.internal);
    const refused = await Promise.all(
      [...outside.map((one) => one?.address ?? ''), '127.0.0.2'].map(
        (host) =>
          new Promise<boolean>((resolve) => {
            const socket = connect({ host, port: Number(new URL(baseUrl).port), timeout: 2000 });
            const end = (isRefused: boolean) => {
              socket.destroy();
              resolve(isRefused);
            };
            socket
              .once('connect', () => end(false))
              .once('error', () => end(true))
              .once('timeout', () => end(true));
          }),
      ),
    );
    expect(refused).not.toContain(false);
    expect(refused.length).toBeGreaterThan(0);
  });
});

describe('the end', () => {
  it('SIGTERM ends it with 0', async () => {
    const sandbox = await start();
    const ended = exitOf(sandbox.child);
    sandbox.child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(await isUp(sandbox.baseUrl)).toBe(false);
  });

  it('SIGTERM ends it while a reply is still being sent', async () => {
    const sandbox = await start();
    await sandbox.control('PUT', '/faults', [{ kind: 'latency', ms: 60_000 }]);
    const hanging = fetch(`${sandbox.baseUrl}/api/v2/claims`).catch(() => undefined);
    const ended = exitOf(sandbox.child);
    sandbox.child.kill('SIGTERM');
    expect(await ended).toBe(0);
    await hanging;
  });

  it('the end of stdin ends it, on request', async () => {
    const sandbox = await start();
    const ended = exitOf(sandbox.child);
    sandbox.child.stdin?.end();
    expect(await ended).toBe(0);
  });

  it('POST /shutdown ends it', async () => {
    const sandbox = await start();
    const ended = exitOf(sandbox.child);
    await sandbox.control('POST', '/shutdown');
    expect(await ended).toBe(0);
  });

  it('a parent that disconnects its channel ends it', async () => {
    const child = fork(SANDBOX_ENTRY, SMALL, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const said = JSON.parse(await firstLine(child)) as Listening;
    expect(await isUp(said.baseUrl)).toBe(true);
    const ended = exitOf(child);
    child.disconnect();
    expect(await ended).toBe(0);
  });

  it('a parent that is killed ends it', async () => {
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ${JSON.stringify([SANDBOX_ENTRY, ...SMALL])}, { stdio: ['ignore', 'pipe', 'ignore'] });
      child.stdout.pipe(process.stdout);`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const said = JSON.parse(await firstLine(parent)) as Listening;
    expect(await isUp(said.baseUrl)).toBe(true);
    parent.kill('SIGKILL');
    const deadline = Date.now() + 10_000;
    while ((await isUp(said.baseUrl)) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await isUp(said.baseUrl)).toBe(false);
  });
});

describe('the command line', () => {
  it.each([
    [['--colour', 'red'], /colour/],
    [['--claims', '-1'], /claims/],
    [['stray'], /stray/],
  ])('%j: exit 2 with a sentence on stderr', async (args, pattern) => {
    const child = spawn(process.execPath, [SANDBOX_ENTRY, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(pattern);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('a port in use: exit 1 with a sentence', async () => {
    const first = await start();
    const port = new URL(first.baseUrl).port;
    await expect(startSandbox(...SMALL, '--port', port)).rejects.toThrow(/ended with 1: .*EADDRINUSE/);
  });

  it('--truth-file lists the special claims, as the control address does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'claimdesk-truth-'));
    try {
      const file = join(folder, 'truth.json');
      const sandbox = await startSandbox('--members', '50', '--claims', '1000', '--truth-file', file);
      started.push(sandbox);
      const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
      expect(written).toEqual(await sandbox.control('GET', '/truth/special-claims'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a sandbox without claims serves empty lists', async () => {
    const sandbox = await startSandbox('--members', '1', '--claims', '0');
    started.push(sandbox);
    expect(await sandbox.truth('claims')).toEqual([]);
    expect(await sandbox.truth('members')).toHaveLength(1);
  });
});
