import type { Writable } from 'node:stream';
import type { ErrorReport } from '../../../contract/result.ts';
import { type DeskError, toErrorReport } from '../../lib/errors.ts';
import { readAppVersion } from '../app-paths.ts';
import { findCommandStep } from './command-steps.ts';
import { shells, writeCompletion } from './completion.ts';
import { writeHelp } from './help.ts';
import { type CommandStreams, createOutput } from './output.ts';
import { parseCommand } from './parse-command.ts';
import { withInput } from './read-input.ts';
import { findCommand, runCommand } from './run-command.ts';
import { UsageError } from './usage.ts';

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
  // Without a reader of its progress and messages a command still does its work.
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
      const shell = shells.find((one) => one === command.words[1]);
      if (shell === undefined) throw new UsageError(`completion takes ${shells.join(', ')}`);
      stdout.write(writeCompletion(shell));
      return 0;
    }
    // Unknown commands are refused before stdin is read.
    findCommand(command.words);
    const filled = await withInput(command);
    return await runCommand(filled, createOutput({ isJson: filled.options.json === true }, streams));
  } catch (thrown) {
    return tellFailure(thrown, argv.includes('--json'), stderr);
  }
}

/**
 * Prints an error on stderr as `code: message`, followed by what to do; with --json, as one object on a line:
 * `{ error: { code, message, nextStep, requestId?, details? } }`. Returns the exit code.
 */
function tellFailure(thrown: unknown, isJson: boolean, stderr: Writable): number {
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
