import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { givenCheapSecrets, vaultPassphrase } from './cheap-secrets.ts';

export { vaultPassphrase };

const entry = fileURLToPath(new URL('../../src/main/shells/cli/claimdesk.mjs', import.meta.url));

/** Node's cache of compiled sources: without it every command compiles all of them again. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/claimdesk-tests', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of stdout. */
  readonly lines: readonly string[];
}

export interface CliOptions {
  readonly profile?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The text on stdin; empty where absent. */
  readonly stdin?: string;
  /** Texts to be read from descriptors 3, 4 and so on. */
  readonly descriptors?: readonly string[];
  /** Does not put secrets into the profile before the command. */
  readonly isProfileUntouched?: boolean;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** Starts `claimdesk` as a shell does, but without the environment of this computer's session. */
export function startCli(
  args: readonly string[],
  options: CliOptions = {},
): { child: ChildProcess; result: Promise<CliResult> } {
  const { HOME, PATH, TMPDIR, LANG } = process.env;
  const isOwnVault = options.env !== undefined && 'CLAIMDESK_VAULT_PASSPHRASE' in options.env;
  if (options.profile !== undefined && options.isProfileUntouched !== true && !isOwnVault)
    givenCheapSecrets(options.profile);
  const child = spawn(process.execPath, [entry, ...args], {
    stdio: [
      options.stdin === undefined ? 'ignore' : 'pipe',
      'pipe',
      'pipe',
      ...(options.descriptors ?? []).map(() => 'pipe' as const),
    ],
    env: {
      HOME,
      PATH,
      TMPDIR,
      LANG,
      NODE_NO_WARNINGS: '1',
      NODE_COMPILE_CACHE: compileCache,
      CLAIMDESK_VAULT_PASSPHRASE: vaultPassphrase,
      ...(options.profile === undefined ? {} : { CLAIMDESK_PROFILE: options.profile }),
      ...options.env,
    },
  });
  const texts = { stdout: '', stderr: '' };
  child.stdin?.end(options.stdin);
  for (const [index, text] of (options.descriptors ?? []).entries())
    (child.stdio[index + 3] as Writable).end(text);
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
    });
  }
  const result = new Promise<CliResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ code, signal, ...texts, lines: linesOf(texts.stdout) });
    });
  });
  return { child, result };
}

/**
 * Runs one command to its end in this process, in a third of the time of a process of its own. For tests of what a
 * command does; `startCli` is for exit codes, signals and the environment.
 */
export async function runCommand(
  args: readonly string[],
  options: { profile: string; stdin?: string; onLine?: (line: string) => void },
): Promise<CliResult> {
  givenCheapSecrets(options.profile);
  process.env.CLAIMDESK_VAULT_PASSPHRASE = vaultPassphrase;
  const { runCommandLine } = await import('../../src/main/shells/cli/command-line.ts');
  const texts = { stdout: '', stderr: '' };
  const collect = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        texts[name] += String(chunk);
        // Every line of stdout is one write.
        if (name === 'stdout') options.onLine?.(String(chunk));
        done();
      },
    });
  const code = await runCommandLine(['--profile', options.profile, ...args], {
    stdin: Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
    stdout: collect('stdout'),
    stderr: collect('stderr'),
  });
  return { code, signal: null, ...texts, lines: linesOf(texts.stdout) };
}

/** Runs one command to its end as a process of its own. */
export const runCli = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
  startCli(args, options).result;

/** Waits until the output of a running command matches. */
export function waitForOutput(child: ChildProcess, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const look = (chunk: string): void => {
      text += chunk;
      if (pattern.test(text)) resolve();
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', () => reject(new Error(`ended without ${pattern}: ${text.slice(-500)}`)));
  });
}

/** A folder for one test file; `remove()` deletes it. */
export async function makeFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'claimdesk-cli-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

export const readLines = (result: CliResult): Record<string, unknown>[] =>
  result.lines.map((line) => JSON.parse(line) as Record<string, unknown>);

/** The error code of a failed command; lines of progress may be before it. */
export const codeOf = (result: CliResult): string | undefined =>
  /^(?:\{"error":\{"code":")?([a-z]+\.[a-zA-Z]+)(?:: |")/m.exec(result.stderr)?.[1];
