import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../../lib/child-environment.ts';
import { findEntry } from '../../../lib/entries.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import { type Command, parseWhole } from '../parse-command.ts';

/** How often to check whether the parent process has ended. */
const parentPollMs = 1_000;

/**
 * `claimdesk sandbox`: runs the sample service as a child and prints its output; it ends with the process that started
 * it.
 */
export async function runSandbox(command: Command, _output: Output): Promise<number> {
  const { options } = command;
  const args: string[] = [];
  for (const [name, min] of [
    ['port', 0],
    ['members', 1],
    ['claims', 0],
    ['seed', 0],
  ] as const) {
    const value = parseWhole(options[name], `--${name}`, min);
    if (value !== undefined) args.push(`--${name}`, String(value));
  }
  const child = spawn(process.execPath, [fileURLToPath(findEntry('sandbox')), ...args], {
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
  if (code === 0 || signal === 'SIGTERM') return 0;
  throw new DeskError('sandbox.failed', { details: { exitCode: code } });
}
