import type { Writable } from 'node:stream';
import type { ErrorReport } from '../../../contract/result.ts';
import { type DeskError, toErrorReport } from '../../lib/errors.ts';
import { readAppVersion } from '../app-paths.ts';
import { findCommandStep } from './command-steps.ts';
import { commandTable } from './command-table.ts';
import { writeHelp } from './help.ts';
import { type CommandStreams, createOutput } from './output.ts';
import { everywhere, parseCommand } from './parse-command.ts';
import { withInput } from './read-input.ts';
import { findCommand, readSynopsis, runCommand } from './run-command.ts';
import { UsageError } from './usage.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type CompletionShell = (typeof shells)[number];

/** The words and options that can follow each beginning of a command. The empty text is the beginning of all. */
function listFollowers(): Map<string, Set<string>> {
  const followers = new Map<string, Set<string>>();
  const add = (beginning: string, next: string): void => {
    followers.set(beginning, (followers.get(beginning) ?? new Set()).add(next));
  };
  for (const { words, options } of commandTable.flatMap(({ synopses }) => synopses.map(readSynopsis))) {
    for (const [at, word] of words.entries()) add(words.slice(0, at).join(' '), word);
    for (const option of [...options, ...everywhere]) add(words.join(' '), `--${option}`);
  }
  for (const word of ['help', 'completion']) add('', word);
  for (const shell of shells) add('completion', shell);
  return followers;
}

/** The longest beginnings first, so that the first one that matches is the command. */
const sortByLength = (followers: ReadonlyMap<string, ReadonlySet<string>>) =>
  [...followers].sort(([a], [b]) => b.split(' ').length - a.split(' ').length || (b === '' ? -1 : 0));

/** Returns a script that a shell loads to complete the words and options of `claimdesk`. */
export function writeCompletion(shell: CompletionShell): string {
  const followers = sortByLength(listFollowers());
  if (shell === 'fish') {
    const lines = followers.map(([beginning, next]) => {
      const typed = beginning === '' ? '' : ` ${beginning}`;
      return `complete -c claimdesk -n 'string match -qr "^claimdesk${typed} [^ ]*\\$" -- (commandline -c)' -a '${[...next].join(' ')}'`;
    });
    return `${lines.join('\n')}\n`;
  }
  const cases = followers.map(([beginning, next]) => {
    const pattern = beginning === '' ? '*' : `"${beginning} "*`;
    return `    ${pattern}) words="${[...next].join(' ')}" ;;`;
  });
  const script = `_claimdesk() {
  local words current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _claimdesk claimdesk
`;
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
}

/** Runs `claimdesk` with the words after its name; resolves to the exit code and never rejects. */
export async function runCommandLine(
  argv: readonly string[],
  streams: CommandStreams = process,
): Promise<number> {
  const { stdin, stdout, stderr } = streams;
  // A program that stops reading early (`| head`) is not an error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  // A command still does its work if its progress and messages have no reader.
  stderr.on('error', () => undefined);
  try {
    const command = { ...parseCommand(argv), stdin };
    const [word] = command.words;
    if (command.options.version === true) {
      stdout.write(`${readAppVersion()}\n`);
      return 0;
    }
    if (command.options.help === true || word === 'help' || word === undefined) {
      stdout.write(writeHelp(word === 'help' ? command.words.slice(1) : command.words));
      return 0;
    }
    if (word === 'completion') {
      const shell = shells.find((shellName) => shellName === command.words[1]);
      if (shell === undefined) throw new UsageError(`completion takes ${shells.join(', ')}`);
      stdout.write(writeCompletion(shell));
      return 0;
    }
    // Unknown commands are refused before stdin is read.
    findCommand(command.words);
    const filled = await withInput(command);
    return await runCommand(filled, createOutput({ isJson: filled.options.json === true }, streams));
  } catch (thrown) {
    return printFailure(thrown, argv.includes('--json'), stderr);
  }
}

/**
 * Prints an error on stderr as `code: message`, followed by what to do; with --json, as one object on a line:
 * `{ error: { code, message, nextStep, requestId?, details? } }`. Returns the exit code.
 */
function printFailure(thrown: unknown, isJson: boolean, stderr: Writable): number {
  const error: ErrorReport =
    thrown instanceof UsageError
      ? { code: 'usage.invalid', message: thrown.message, nextStep: 'claimdesk --help' }
      : toErrorReport(thrown);
  const nextStep = thrown instanceof UsageError ? error.nextStep : findCommandStep(error.code);
  if (isJson) stderr.write(`${JSON.stringify({ error: { ...error, nextStep } })}\n`);
  else {
    const lines = [`${error.code}: ${error.message}`];
    const details = Object.entries(error.details ?? {}).map(([name, value]) => `${name} ${value}`);
    if (details.length > 0) lines.push(`Details: ${details.join(', ')}`);
    if (error.requestId !== undefined) lines.push(`Request ID: ${error.requestId}`);
    stderr.write(`${lines.join('\n')}\nNext: ${nextStep}\n`);
  }
  if (process.env.CLAIMDESK_DEBUG === '1' && error.code === 'internal.fault')
    stderr.write(`${String((thrown as DeskError).cause ?? thrown)}\n`);
  return error.code === 'workspace.ambiguous' || error.code === 'usage.invalid' ? 2 : 1;
}
