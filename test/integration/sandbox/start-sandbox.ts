import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const SANDBOX_ENTRY = fileURLToPath(new URL('../../../src/sandbox/index.ts', import.meta.url));

export type Listening = {
  readonly event: string;
  readonly baseUrl: string;
  readonly account: { readonly email: string };
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly connect: {
    readonly publicToken: string;
    readonly secretKey: string;
    readonly multiTenantToken: string;
    readonly tenants: readonly { readonly label: string; readonly key: string }[];
  };
  readonly caPem?: string;
};

export type Sandbox = Listening & {
  readonly child: ChildProcess;
  /** Calls the control address; the reply must be 2xx. */
  readonly control: <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>;
  /** One page of NDJSON truth. */
  readonly truth: <T>(list: 'claims' | 'members') => Promise<T[]>;
  readonly stop: () => Promise<void>;
};

/** Starts the real sandbox as a child; small by default, so that every file can have its own. */
export async function startSandbox(...args: string[]): Promise<Sandbox> {
  const child = spawn(process.execPath, [SANDBOX_ENTRY, '--end-with-stdin', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const listening = JSON.parse(await firstLine(child)) as Listening;
  const headers = { authorization: `Bearer ${listening.controlToken}` };
  const control = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await fetch(listening.controlUrl + path, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const truth = async <T>(list: 'claims' | 'members'): Promise<T[]> => {
    const reply = await fetch(`${listening.controlUrl}/truth/${list}`, { headers });
    const text = await reply.text();
    const records =
      text === ''
        ? []
        : text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as T);
    if (String(records.length) !== reply.headers.get('x-total')) throw new Error('the truth broke off');
    return records;
  };
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  };
  return { ...listening, child, control, truth, stop };
}

/** The first line on stdout, or what the child said on stderr before it ended. */
export function firstLine(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  if (stdout === null) throw new Error('no stdout');
  let complaint = '';
  stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    createInterface({ input: stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}: ${complaint}`)));
  });
}
