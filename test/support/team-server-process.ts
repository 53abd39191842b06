import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const entry = fileURLToPath(new URL('../../deploy/team-server.mjs', import.meta.url));

/** Runs the team server's program to its end: its exit code and what it printed. */
export async function runTeamServer(...args: readonly string[]) {
  const child = startProcess(args);
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const read = { text: '' };
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      read.text += chunk;
    });
    return read;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: stdout?.text ?? '', stderr: stderr?.text ?? '' };
}

/** Starts the team server as a process of its own, which ends after the tests of the file. */
export const startTeamServer = (...args: readonly string[]) => startServerUntil(afterAll, args);

/** The same, until what `onEnd` knows ends. */
export async function startServerUntil(onEnd: (end: () => void) => void, args: readonly string[]) {
  const child = startProcess([...args, '--port', '0']);
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const log: string[] = [];
  createInterface(child.stderr as NodeJS.ReadableStream).on('line', (line) => log.push(line));
  onEnd(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
  const [line] = (await Promise.race([
    once(createInterface(child.stdout as NodeJS.ReadableStream), 'line'),
    ended.then(() => {
      throw new Error(log.join('\n'));
    }),
  ])) as [string];
  const { origin, port } = JSON.parse(line) as { origin: string; port: number };
  return {
    origin,
    port,
    pid: child.pid ?? 0,
    log,
    /** Ends it as the system does; its exit code. */
    async end(): Promise<number | null> {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
  };
}

const startProcess = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
