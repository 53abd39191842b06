import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { toDeskError } from '../../lib/errors.ts';
import { type Command, type Options, optionTypes } from './parse-command.ts';
import { UsageError } from './usage.ts';

const maxBytes = 1_000_000;
/** The name of the value that a command otherwise reads from stdin: a password, a passphrase, a secret key. */
const secretName = 'secret';

/** Every user of the computer can read the arguments of a process, and these open a team. */
const secretOptions = ['recovery-key', 'invitation', 'setup-code'] as const;

/**
 * Adds the options from the file of --input, or from stdin (`-`): one JSON object of options by name. Arguments are
 * visible to every user of the computer, so personal data is given this way. Its `secret` replaces the value that the
 * command otherwise reads from stdin. No message contains a value.
 * @throws UsageError, DeskError `disk.*` for a file that cannot be read
 */
export async function withInput(command: Command): Promise<Command> {
  const { input, ...options } = command.options;
  for (const name of secretOptions)
    if (options[name] !== undefined)
      throw new UsageError(`--${name} is a secret: give it by --input, as {"${name}": "…"}`);
  if (input === undefined) return command;
  if (input === '') throw new UsageError('--input takes a file, or - for stdin');
  const given = parseInput(input === '-' ? await readAll(command.stdin) : await readText(input));
  const merged: Record<string, unknown> = { ...options };
  let secret: string | null = null;
  for (const [name, value] of Object.entries(given)) {
    if (name === secretName) secret = typeof value === 'string' ? value : JSON.stringify(value);
    else merged[name] = mergeOption(name, merged[name], value);
  }
  const { stdin: _read, ...rest } = command;
  // If the object was read from stdin, nothing is left there.
  const left =
    secret !== null
      ? Readable.from([Buffer.from(secret)])
      : input === '-'
        ? Readable.from([])
        : command.stdin;
  return { ...rest, options: merged as Options, ...(left === undefined ? {} : { stdin: left }) };
}

function mergeOption(name: string, typed: unknown, value: unknown): unknown {
  const type = Object.hasOwn(optionTypes, name) ? optionTypes[name as keyof typeof optionTypes] : undefined;
  if (type === undefined || name === 'input') throw new UsageError(`the input has no option for “${name}”`);
  if (type === 'list') return [...((typed as string[] | undefined) ?? []), ...readList(name, value)];
  if (typed !== undefined) throw new UsageError(`--${name} is also in the input`);
  if (type === 'boolean') {
    if (typeof value !== 'boolean') throw new UsageError(`${name} in the input takes true or false`);
    return value;
  }
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new UsageError(`${name} in the input takes text`);
  return String(value);
}

/** Reads a list of texts. Carrier fields may also be an object by name. */
function readList(name: string, value: unknown): string[] {
  if (name === 'field' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).map(([field, inner]) =>
      typeof inner === 'string' ? `${field}=${inner}` : `${field}:=${JSON.stringify(inner)}`,
    );
  }
  const all: unknown[] = Array.isArray(value) ? value : [value];
  if (!all.every((entry) => typeof entry === 'string'))
    throw new UsageError(`${name} in the input takes a list of texts`);
  return all;
}

function parseInput(text: string): object {
  try {
    const given: unknown = JSON.parse(text);
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  } catch {
    // The parser's message is not used: it quotes what it read.
  }
  throw new UsageError('--input takes a JSON object of options, such as {"email": "ada@example.com"}');
}

const readText = async (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((thrown) => {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT')
      throw new UsageError('there is no such --input file');
    throw toDeskError(thrown);
  });

async function readAll(stdin: AsyncIterable<Uint8Array> = process.stdin): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw new UsageError('the input on stdin has no end');
  }
  return Buffer.concat(chunks).toString('utf8');
}
