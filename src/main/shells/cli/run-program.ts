import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../lib/child-environment.ts';
import { type EntryName, findEntry } from '../../lib/entries.ts';

/** How often to check whether the parent process has ended. */
const parentPollMs = 1_000;

/**
 * Runs a separate program as a child and prints its output; it ends with the process that started this one. Returns the
 * exit code, 0 if it was asked to end; null if a signal ended it.
 */
export async function runProgram(entry: EntryName, args: readonly string[]): Promise<number | null> {
  const child = spawn(process.execPath, [fileURLToPath(findEntry(entry)), ...args], {
    env: childEnvironment(process.env),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const end = (): void => void child.kill('SIGTERM');
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  process.on('exit', end);
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) end();
  }, parentPollMs);
  const [code, signal] = (await once(child, 'exit').finally(() => clearInterval(watch))) as [
    number | null,
    string | null,
  ];
  return signal === 'SIGTERM' ? 0 : code;
}
