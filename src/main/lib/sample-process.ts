import { fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { childEnvironment } from './child-environment.ts';
import { DeskError } from './errors.ts';

/** A process of the sample: its service, or a team server and a colleague. */
export interface SampleProcess {
  readonly stdout: Readable;
  /** Calls `listener` once when the process has ended; immediately if it has already ended. */
  onEnded(listener: () => void): void;
  /** Sends a message to the process: other users of the computer can read its arguments. */
  send(message: object): void;
  end(): void;
  kill(): void;
}

/** Starts an entry with these arguments in the shell's own way. */
export type LaunchSample = (entry: URL, args: readonly string[]) => SampleProcess;

/** Generating a million claims takes long. */
const startLimitMs = 60_000;
const endLimitMs = 3_000;

export const forkSample: LaunchSample = (entry, args) => {
  const child = fork(fileURLToPath(entry), args, {
    env: childEnvironment(process.env),
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const { stdout } = child;
  if (stdout === null) throw new DeskError('sandbox.failed');
  return {
    stdout,
    onEnded(listener) {
      if (child.exitCode !== null || child.signalCode !== null) listener();
      else child.once('exit', listener).once('error', listener);
    },
    send: (message) => void child.send(message, () => undefined),
    end: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
  };
};

/** Reads the process's first line, a JSON object; one without it is killed. @throws DeskError `sandbox.failed` */
export const readFirstLine = <S extends z.ZodType>(child: SampleProcess, schema: S): Promise<z.output<S>> =>
  readLine(child, schema).catch((thrown: unknown) => {
    child.kill();
    throw thrown;
  });

const readLine = <S extends z.ZodType>(child: SampleProcess, schema: S): Promise<z.output<S>> =>
  new Promise((resolve, reject) => {
    const fail = (cause?: unknown): void => reject(new DeskError('sandbox.failed', { cause }));
    const timer = setTimeout(fail, startLimitMs);
    let text = '';
    child.onEnded(() => {
      clearTimeout(timer);
      fail();
    });
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      if (text.includes('\n')) return;
      text += chunk;
      const end = text.indexOf('\n');
      if (end < 0) return;
      clearTimeout(timer);
      try {
        resolve(schema.parse(JSON.parse(text.slice(0, end))));
      } catch (cause) {
        fail(cause);
      }
    });
  });

/** Asks a process to end, and kills it where it does not. */
export async function endProcess(child: SampleProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.onEnded(resolve));
  child.end();
  const isOver = await Promise.race([ended.then(() => true), wait(endLimitMs, false, { ref: false })]);
  if (isOver) return;
  child.kill();
  await ended;
}
