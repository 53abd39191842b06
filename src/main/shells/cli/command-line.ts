import type { Writable } from 'node:stream';
import { errorTable } from '../../../contract/error-codes.ts';
import { type DeskError, toErrorReport } from '../../lib/errors.ts';
import { readAppVersion } from '../app-paths.ts';
import { listHelp } from './list-help.ts';
import { type CommandStreams, createOutput, type Output } from './output.ts';
import { type Command, parseCommand } from './parse-command.ts';
import { withInput } from './read-input.ts';
import { UsageError, usage } from './usage.ts';

/** Runs one command to its end; the exit code is 0 done, 1 failed, 2 wrong usage. */
type Runner = (command: Command, output: Output) => Promise<number>;

/** Loaded when it is called: the help, a typing error and a key have no need of the engine. */
const runners: Readonly<Record<string, () => Promise<Runner>>> = {
  sandbox: async () => (await import('./commands/sandbox.ts')).runSandbox,
  workspace: async () => (await import('./commands/workspace.ts')).runWorkspace,
  key: async () => (await import('./commands/key.ts')).runKey,
  doctor: async () => (await import('./commands/doctor.ts')).runDoctorCommand,
  sync: async () => (await import('./commands/sync.ts')).runSyncCommand,
  list: async () => (await import('./commands/list.ts')).runList,
  show: async () => (await import('./commands/list.ts')).runShow,
  export: async () => (await import('./commands/export.ts')).runExportCommand,
  verify: async () => (await import('./commands/verify.ts')).runVerify,
  review: async () => (await import('./commands/review.ts')).runReview,
  audit: async () => (await import('./commands/audit.ts')).runAudit,
  store: async () => (await import('./commands/store.ts')).runStore,
  data: async () => (await import('./commands/data.ts')).runData,
  unlock: async () => (await import('./commands/unlock.ts')).runUnlock,
  connect: async () => (await import('./commands/connect.ts')).runConnect,
  demo: async () => (await import('./commands/demo.ts')).runDemo,
};

/** Runs `claimdesk` with the words after its name; resolves to the exit code and never rejects. */
export async function runCommandLine(
  argv: readonly string[],
  streams: CommandStreams = process,
): Promise<number> {
  const { stdin, stdout, stderr } = streams;
  // A reader that stops early (`| head`) is not a failure.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  try {
    const command = { ...parseCommand(argv), stdin };
    const [word] = command.words;
    if (command.options.version === true) {
      stdout.write(`${readAppVersion()}\n`);
      return 0;
    }
    if (command.options.help === true || word === 'help') {
      stdout.write(word === 'list' || word === 'export' ? listHelp : usage);
      return 0;
    }
    if (word === undefined) throw new UsageError('enter a command');
    const load = Object.hasOwn(runners, word) ? runners[word] : undefined;
    if (load === undefined) throw new UsageError(`there is no command ${word}`);
    const run = await load();
    const filled = await withInput(command);
    return await run(filled, createOutput({ isJson: filled.options.json === true }, streams));
  } catch (thrown) {
    return tellFailure(thrown, stderr);
  }
}

/** Says on stderr what went wrong: `code: message`, then what to do. */
function tellFailure(thrown: unknown, stderr: Writable): number {
  if (thrown instanceof UsageError) {
    stderr.write(`usage.invalid: ${thrown.message}\nNext: claimdesk --help\n`);
    return 2;
  }
  const error = toErrorReport(thrown);
  const lines = [`${error.code}: ${error.message}`];
  const details = Object.entries(error.details ?? {}).map(([name, value]) => `${name} ${value}`);
  if (details.length > 0) lines.push(`Details: ${details.join(', ')}`);
  if (error.requestId !== undefined) lines.push(`Request ID: ${error.requestId}`);
  lines.push(`Next: ${errorTable[error.code].nextStep}`);
  stderr.write(`${lines.join('\n')}\n`);
  if (process.env.CLAIMDESK_DEBUG === '1' && error.code === 'internal.fault') {
    stderr.write(`${String((thrown as DeskError).cause ?? thrown)}\n`);
  }
  return error.code === 'workspace.ambiguous' || error.code === 'usage.invalid' ? 2 : 1;
}
