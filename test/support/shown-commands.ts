import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** All documents of the repository that people read. */
export const documents: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'src/sandbox/README.md',
  'test/electron-stand-in/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .map((name) => `docs/${String(name).replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md')),
];

/** Matches the start of a command that users can type. */
const command = /^(claimdesk|npm|npx|node|\.ci\/run) /;
/** The help mostly shows patterns of commands; only its examples can be typed as they are. */
const example = /^claimdesk .*(--input (?!FILE)|--filter ')/;

export interface ShownCommand {
  readonly document: string;
  /** The command as users would type it: on one line and without the comment after it. */
  readonly text: string;
  readonly isInBlock: boolean;
}

/** The commands of one document in order, from blocks of code and from sentences. */
export function listShownCommands(document: string): readonly ShownCommand[] {
  const text = readFileSync(join(root, document), 'utf8');
  return text.split(/^(```.*\n[\s\S]*?^```$)/m).flatMap((piece) => {
    const [, language, block] = /^```(\S*)\n([\s\S]*)```$/.exec(piece) ?? [];
    if (block === undefined) return readSentences(document, piece);
    const lines = block.replaceAll(/\\\n\s*/g, '').split('\n');
    return lines
      .map((line) => line.trim().split(/ {2,}/)[0] as string)
      .filter((line) => command.test(line) && (language !== 'text' || example.test(line)))
      .map((line) => ({ document, text: line, isInBlock: true }));
  });
}

const readSentences = (document: string, text: string): ShownCommand[] =>
  [...text.matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code.replaceAll(/\s+/g, ' '))
    .filter((code) => command.test(code))
    .map((code) => ({ document, text: code, isInBlock: false }));

/** A command after a shell has parsed it: the words after `claimdesk`, and the text redirected to its stdin. */
export interface TypedCommand {
  readonly words: readonly string[];
  readonly stdin: string;
}

/** Separates the words of a command from its stdin. */
const separator = '\u0001';
const script = `claimdesk() { printf '%s\\0' "$@" $'\\x01'; cat; }
npm() { [ "$1 $2 $3 $4" = 'run -s claimdesk --' ] || exit 3; shift 4; claimdesk "$@"; }
eval "$1"`;

/** Has a real shell parse a command of Claimdesk, in a folder that is its home as well. @throws where it is none */
export function readByShell(text: string, folder: string): TypedCommand {
  const read = execFileSync('bash', ['-c', script, 'bash', text], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  const [words = '', stdin = ''] = read.split(`${separator}\0`);
  return { words: words.split('\0').slice(0, -1), stdin };
}
