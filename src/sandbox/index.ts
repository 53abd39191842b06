import type { SandboxOptions } from './options.ts';
import { parseOptions, UsageError } from './options.ts';

const PARENT_POLL_MS = 1000;
const CLOSE_LIMIT_MS = 2000;

/**
 * Entry of the sandbox, a separate program: `node src/sandbox/index.ts --port 0 --members 2000 --claims 20000 --seed
 * 1`. The first line on stdout is a JSON object with the address where it listens. It ends on SIGTERM or SIGINT and
 * when its parent ends.
 */
async function main(): Promise<void> {
  const options = readOptions();
  let isEnding = false;
  let close = async (): Promise<void> => {};
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(0), CLOSE_LIMIT_MS).unref();
    void close().finally(() => process.exit(0));
  };
  endWithParent(options, end);
  // Loaded late, so that wrong usage is reported without loading the whole service.
  const { startSandbox } = await import('./server.ts');
  const running = await startSandbox(options, end);
  close = running.close;
  const { close: _close, ...said } = running;
  process.stdout.write(`${JSON.stringify({ event: 'listening', ...said })}\n`);
}

function readOptions(): SandboxOptions {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

function endWithParent(options: SandboxOptions, end: () => void): void {
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // A closed stdout must not end the sandbox with an exception.
  process.stdout.on('error', () => {});
  if (process.channel) process.on('disconnect', end);
  if (options.endWithStdin) process.stdin.on('end', end).on('error', end).resume();
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_POLL_MS).unref();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'The sandbox could not start.'}\n`);
  process.exit(1);
});
