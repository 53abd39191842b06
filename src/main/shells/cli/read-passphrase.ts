import { createReadStream, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { DeskError } from '../../lib/errors.ts';
import { UsageError } from './usage.ts';

const maxBytes = 4000;

/**
 * Reads a passphrase: stdin up to the first newline or its end. Never from an argument or the environment, which other
 * processes can see.
 * @throws UsageError where it is too long
 */
export async function readPassphrase(stdin: AsyncIterable<Uint8Array> = process.stdin): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const end = chunk.indexOf(0x0a);
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    length += chunk.length;
    if (end >= 0) break;
    if (length > maxBytes) throw new UsageError('the passphrase has no end');
  }
  // Windows ends lines with two characters.
  return Buffer.concat(chunks).toString('utf8').replace(/\r$/, '');
}

/** Reads a passphrase from an open file descriptor; stdin is 0. @throws DeskError `usage.invalid` */
export async function readFromDescriptor(text: string, option: string): Promise<string> {
  const unreadable = new DeskError('usage.invalid', { details: { option, reason: 'no such descriptor' } });
  if (!/^\d{1,4}$/.test(text)) throw unreadable;
  return readPassphrase(createReadStream('', { fd: Number(text) })).catch(() => {
    throw unreadable;
  });
}

type Terminal = NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown };

/**
 * Asks on the terminal without showing the typed characters; null if there is no terminal.
 * @throws DeskError `app.notConfirmed` if the user presses Ctrl C or Ctrl D
 */
export async function askHidden(
  question: string,
  { input = openTerminal(), output = process.stderr as NodeJS.WritableStream } = {},
): Promise<string | null> {
  if (input?.isTTY !== true) return null;
  output.write(question);
  input.setRawMode?.(true);
  try {
    return await readTyped(input);
  } finally {
    input.setRawMode?.(false);
    input.pause();
    output.write('\n');
    if (input !== process.stdin && input instanceof ReadStream) input.destroy();
  }
}

const readTyped = (input: Terminal): Promise<string> =>
  new Promise((resolve, reject) => {
    let typed = '';
    const end = (settle: () => void): void => {
      input.off('data', onData).off('end', onClosed);
      settle();
    };
    const giveUp = (): void => end(() => reject(new DeskError('app.notConfirmed')));
    const onClosed = giveUp;
    const onData = (chunk: Buffer | string): void => {
      for (const letter of chunk.toString('utf8')) {
        if (letter === '\r' || letter === '\n') {
          end(() => resolve(typed));
          return;
        }
        if (letter === '\u0003' || letter === '\u0004') {
          giveUp();
          return;
        }
        typed = letter === '\u007f' || letter === '\b' ? [...typed].slice(0, -1).join('') : typed + letter;
      }
    };
    input.on('data', onData).on('end', onClosed).resume();
  });

/** The terminal of the command, also where stdin is something else; none in a script. */
function openTerminal(): Terminal | null {
  if (process.stdin.isTTY && !process.stdin.destroyed) return process.stdin;
  if (!process.stderr.isTTY) return null;
  try {
    return new ReadStream(openSync(process.platform === 'win32' ? '\\\\.\\CONIN$' : '/dev/tty', 'r'));
  } catch {
    return null;
  }
}
