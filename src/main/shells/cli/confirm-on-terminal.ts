import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ReadStream } from 'node:tty';
import type { Question } from '../../desk/desk-state.ts';

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/**
 * Asks on the terminal; only `yes` confirms. If stdin is not a terminal, the answer is no unless the command has --yes.
 */
export async function confirmOnTerminal(
  { message, detail }: Question,
  { isYes, output = process.stderr, ...given }: ConfirmOptions,
): Promise<boolean> {
  if (isYes) return true;
  const input = given.input ?? openTerminal();
  if (input.isTTY !== true) return false;
  const terminal = createInterface({ input, output });
  try {
    const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const typed = terminal.question(`${message}\n${detail}\nType yes to continue: `);
    return (await Promise.race([typed, ended])).trim() === 'yes';
  } finally {
    terminal.close();
    if (input !== process.stdin && input instanceof ReadStream) input.destroy();
  }
}

/** stdin, or, where a passphrase was already read from it, the controlling terminal. */
function openTerminal(): Input {
  if (!process.stdin.isTTY || !process.stdin.destroyed) return process.stdin;
  return new ReadStream(openSync(process.platform === 'win32' ? '\\\\.\\CONIN$' : '/dev/tty', 'r'));
}

interface ConfirmOptions {
  readonly isYes: boolean;
  readonly input?: Input;
  readonly output?: NodeJS.WritableStream;
}
