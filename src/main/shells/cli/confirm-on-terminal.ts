import { createInterface } from 'node:readline/promises';
import type { Question } from '../../ipc/desk-state.ts';

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/**
 * Asks on the terminal; only `yes` is a yes. Where stdin is no terminal nobody can be asked: that is a no, unless
 * the command was given --yes.
 */
export async function confirmOnTerminal(
  { message, detail }: Question,
  { isYes, input = process.stdin, output = process.stderr }: ConfirmOptions,
): Promise<boolean> {
  if (isYes) return true;
  if (input.isTTY !== true) return false;
  const terminal = createInterface({ input, output });
  try {
    const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const typed = terminal.question(`${message}\n${detail}\nType yes to continue: `);
    return (await Promise.race([typed, ended])).trim() === 'yes';
  } finally {
    terminal.close();
  }
}

interface ConfirmOptions {
  readonly isYes: boolean;
  readonly input?: Input;
  readonly output?: NodeJS.WritableStream;
}
