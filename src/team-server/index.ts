import { execFile } from 'node:child_process';
import { createLog } from './log.ts';
import { parseOptions, type ServerOptions, UsageError } from './options.ts';
import { StartError, type TeamDatabase } from './store/database.ts';

const parentPollMs = 1_000;
/** How long requests may take to finish when the server ends. */
const closeLimitMs = 10_000;

/**
 * Entry of the team server, a separate program: `node src/team-server/index.ts --data DIR --port 0`. The first line
 * on stdout is a JSON object with the address where it listens; the log is on stderr. It ends on SIGTERM or SIGINT, and
 * when its parent ends.
 */
async function main(): Promise<number | null> {
  // Files are for the server's user alone.
  process.umask(0o077);
  const options = readOptions();
  if (options === null) return 2;
  const { database: address, password } = options;
  if (options.verb === 'migrate') {
    const { migratePostgres } = await import('./store/postgres-database.ts');
    print({ event: 'migrated', migrations: await migratePostgres(address ?? '', password) });
    return 0;
  }
  const database = await openDatabase(options);
  // Loaded late, so that wrong usage is reported without loading the whole server.
  const { startServer, makeSetupCode } = await import('./server.ts');
  if (options.verb === 'code') {
    const { createTeamStore } = await import('./store/team-store.ts');
    print({ setupCode: await makeSetupCode(createTeamStore(database), Date.now()) });
    await database.close();
    return 0;
  }
  const log = createLog(process.stderr, Date.now);
  const { port, tls, origin, metricsToken, sizeLimitBytes, documentBytes } = options;
  const limits = documentBytes === null ? {} : { documentBytes };
  const server = await startServer({
    database,
    port,
    tls,
    origin,
    metricsToken,
    sizeLimitBytes,
    log,
    limits,
  });
  log('started');
  endWithParent(() => {
    log('ending');
    setTimeout(() => process.exit(0), closeLimitMs).unref();
    void server.close().finally(() => process.exit(0));
  });
  print({ event: 'listening', origin: server.origin, port: server.port });
  notifySystemd();
  return null;
}

/**
 * Notifies systemd that the server is ready, if systemd waits for that (`Type=notify`). Uses a program, because Node
 * has no Unix datagram sockets.
 */
function notifySystemd(): void {
  if (process.env.NOTIFY_SOCKET !== undefined)
    execFile('systemd-notify', ['--ready'], (error) => {
      if (error !== null) process.stderr.write('systemd-notify could not be run.\n');
    });
}

const print = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

function readOptions(): ServerOptions | null {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return null;
  }
}

async function openDatabase({ data, database, password }: ServerOptions): Promise<TeamDatabase> {
  if (database !== null)
    return (await import('./store/postgres-database.ts')).openPostgresDatabase(database, password);
  return (await import('./store/sqlite-database.ts')).openSqliteDatabase(data ?? '');
}

function endWithParent(end: () => void): void {
  let isEnding = false;
  const endOnce = (): void => {
    if (isEnding) return;
    isEnding = true;
    end();
  };
  process.on('SIGTERM', endOnce);
  process.on('SIGINT', endOnce);
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  if (process.channel) process.on('disconnect', endOnce);
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) endOnce();
  }, parentPollMs).unref();
}

/** The message of a database can contain its address and user, but no content and no password. */
function describeFailure(error: unknown): string {
  if (error instanceof StartError) return `${error.code}: ${error.message}`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error
    ? `start.failed: ${cause.message}`
    : 'start.failed: The server could not start.';
}

main().then(
  (code) => {
    if (code !== null) process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exit(1);
  },
);
