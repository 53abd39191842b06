import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

export interface ServerOptions {
  readonly verb: 'run' | 'migrate' | 'code';
  /** A folder for SQLite, or the address of a PostgreSQL database. */
  readonly data: string | null;
  readonly database: string | null;
  /** The password of the database's role; empty where none is needed. */
  readonly password: string;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly port: number;
  readonly origin: string | null;
  readonly metricsToken: string | null;
  /** How large the database may become, in bytes; null: not set. */
  readonly sizeLimitBytes: number | null;
  /** How much the documents of a team may take, in bytes; null: the usual limit. */
  readonly documentBytes: number | null;
}

/** Describes a wrong use of the command line in one sentence. */
export class UsageError extends Error {}

const defaultPort = '8443';

/** Reads the command line and the files in it. @throws UsageError */
export function parseOptions(argv: readonly string[]): ServerOptions {
  const { values, verb } = parseFlags(argv);
  const { data = null, database = null } = values;
  if ((data === null) === (database === null)) throw new UsageError('Give either --data or --database.');
  if (database !== null) requireWithoutPassword(database);
  if (verb === 'migrate' && database === null)
    throw new UsageError(
      'migrate takes --database. A server with --data brings its file up to date by itself.',
    );
  const [certFile, keyFile, tokenFile] = [
    values['tls-cert'],
    values['tls-key'],
    values['metrics-token-file'],
  ];
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new UsageError('--tls-cert and --tls-key go together.');
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
    throw new UsageError('--port must be a whole number from 0 to 65535.');
  const origin = values.origin ?? null;
  if (origin !== null) requireOrigin(origin);
  if (verb === 'run' && certFile !== undefined && origin === null)
    throw new UsageError(
      '--origin is the address that computers use, such as https://team.example.org:8443.',
    );
  const tls =
    certFile === undefined || keyFile === undefined
      ? null
      : { cert: readText(certFile), key: readText(keyFile) };

  const password =
    values['password-file'] === undefined
      ? (process.env.PGPASSWORD ?? '')
      : readText(values['password-file']).replace(/\r?\n$/, '');
  const metricsToken = tokenFile === undefined ? null : readText(tokenFile).trim();
  if (metricsToken !== null && metricsToken.length < 16)
    throw new UsageError('The token for metrics must have at least 16 characters.');
  const [sizeLimitBytes, documentBytes] = (['size-limit', 'documents-limit'] as const).map((name) => {
    const limit = values[name] ?? null;
    if (limit !== null && !/^[1-9]\d{0,5}$/.test(limit))
      throw new UsageError(`--${name} is a whole number of gigabytes.`);
    return limit === null ? null : Number(limit) * 1e9;
  }) as [number | null, number | null];
  return {
    verb,
    data,
    database,
    password,
    tls,
    port,
    origin,
    metricsToken,
    ...{ sizeLimitBytes, documentBytes },
  };
}

function parseFlags(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      strict: true,
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        database: { type: 'string' },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        port: { type: 'string', default: defaultPort },
        origin: { type: 'string' },
        'metrics-token-file': { type: 'string' },
        'password-file': { type: 'string' },
        'size-limit': { type: 'string' },
        'documents-limit': { type: 'string' },
      },
    });
    const [verb = 'run'] = positionals;
    if (positionals.length > 1 || (verb !== 'run' && verb !== 'migrate' && verb !== 'code'))
      throw new UsageError('There are migrate and code; without either, the server runs.');
    return { values, verb: verb as ServerOptions['verb'] };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const message = error instanceof Error ? error.message : 'The options could not be read.';
    throw new UsageError(message.replaceAll(/\s+/g, ' '));
  }
}

/** Refuses a password in the address, because other users of the computer can see the arguments of a process. */
function requireWithoutPassword(database: string): void {
  const address = URL.canParse(database) ? new URL(database) : null;
  if (address === null || !/^postgres(ql)?:$/.test(address.protocol))
    throw new UsageError('--database must begin with postgres://.');
  if (address.password !== '' || address.searchParams.has('password'))
    throw new UsageError('--database must not have the password. Use --password-file or PGPASSWORD instead.');
}

function requireOrigin(origin: string): void {
  const address = URL.canParse(origin) ? new URL(origin) : null;
  const isLoopback = address?.protocol === 'http:' && /^(127\.0\.0\.1|localhost)$/.test(address.hostname);
  if (address?.origin !== origin || (address.protocol !== 'https:' && !isLoopback))
    throw new UsageError('--origin must be https:// and the name of the host, without a path.');
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${file} can’t be read.`);
  }
}
