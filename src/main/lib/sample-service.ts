import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { childEnvironment } from './child-environment.ts';
import { findEntry } from './entries.ts';
import { DeskError } from './errors.ts';

/** The sample service's process, as a shell started it. */
export interface SampleProcess {
  readonly stdout: Readable;
  /** Called once when it has ended; at once if it has ended already. */
  onEnded(listener: () => void): void;
  /** Asks it to end. */
  end(): void;
  /** Ends it without asking. */
  kill(): void;
}

/** Starts the sandbox's entry with these arguments in the shell's own way. */
export type LaunchSample = (entry: URL, args: readonly string[]) => SampleProcess;

export interface SampleServiceOptions {
  readonly members: number;
  readonly claims: number;
  readonly seed?: number;
  /** `ordinary` for people; hostile data for tests unless given. */
  readonly corpus?: 'hostile' | 'ordinary';
  /** The day that the data is counted from, `YYYY-MM-DD`; a fixed one unless given. */
  readonly today?: string | undefined;
  /** A forked Node process unless given: Electron, whose binary is no Node, uses a utility process. */
  readonly launch?: LaunchSample;
}

/** Generating a million claims takes its time. */
const startLimitMs = 60_000;
const endLimitMs = 3_000;

const sampleConnectSchema = z.object({ publicToken: z.string(), secretKey: z.string() });
/** The sample's Connect integration. */
export type SampleConnect = z.infer<typeof sampleConnectSchema>;

const samplePersonSchema = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  systemKey: z.string(),
  vendor: z.string(),
  memberSystemKey: z.string().nullable(),
  employer: z.object({ id: z.number(), name: z.string(), supportEmail: z.string().nullable() }),
  tenant: z.object({ id: z.number(), name: z.string() }),
  connections: z.array(
    z.object({
      id: z.number(),
      payerId: z.number(),
      payerName: z.string(),
      payerGroupId: z.number().nullable(),
      username: z.string(),
      loginProblem: z.string().nullable(),
      correctionMessage: z.string().nullable(),
      lastCrawlEnd: z.string().nullable(),
      createdDate: z.string(),
      claimsSynced: z.number(),
      newestClaimOn: z.string().nullable(),
    }),
  ),
});
/** A made-up member who was added to the sample before, with their connections. */
export type SamplePerson = z.infer<typeof samplePersonSchema>;

const greetingSchema = z.object({
  baseUrl: z.url(),
  account: z.object({ email: z.string() }),
  controlUrl: z.string().default(''),
  controlToken: z.string().default(''),
  connect: sampleConnectSchema
    .extend({ people: z.array(samplePersonSchema).default([]) })
    .nullable()
    .default(null),
});
type Greeting = z.infer<typeof greetingSchema>;

/**
 * Starts the sample service, a program of its own on loopback, whose data follows from the seed. `stop` ends
 * its process, as a service out of reach does; `start` brings the same data back at the same address, with
 * the keys that were registered. It ends with this process.
 * @throws DeskError `sandbox.failed`
 */
export async function startSampleService(options: SampleServiceOptions) {
  const launch = options.launch ?? forkSample;
  let registered: { name: string; publicKey: string }[] = [];
  let running: SampleProcess | null = null;
  let connect: Greeting['connect'] = null;
  let control: { url: string; token: string } | null = null;
  let daysPassed = 0;

  const launchAt = async (port: number): Promise<Greeting> => {
    const args = ['--port', port, '--members', options.members, '--claims', options.claims];
    const more = [
      ...['--seed', options.seed ?? 1, '--corpus', options.corpus ?? 'hostile'],
      ...(options.today === undefined ? [] : ['--today', options.today]),
    ];
    const started = launch(findEntry('sandbox'), [...args, ...more].map(String));
    running = started;
    started.onEnded(() => {
      if (running === started) running = null;
    });
    const greeting = await readGreeting(started).catch((thrown: unknown) => {
      started.kill();
      throw thrown;
    });
    ({ connect } = greeting);
    control = { url: greeting.controlUrl, token: greeting.controlToken };
    return greeting;
  };
  const stop = async (): Promise<void> => {
    const ending = running;
    running = null;
    if (ending !== null) await endProcess(ending);
  };

  const { baseUrl, account } = await launchAt(0);
  return {
    baseUrl,
    email: account.email,
    /** Its Connect integration; another one after each start. */
    getConnect: () =>
      connect === null ? null : { publicToken: connect.publicToken, secretKey: connect.secretKey },
    getPeople: () => connect?.people ?? [],
    /** Puts a public key into its page for SSH keys, as a person would. @throws DeskError `sandbox.failed` */
    async register(name: string, publicKey: string): Promise<void> {
      await postKey(baseUrl, name, publicKey);
      registered.push({ name, publicKey });
    },
    /** Deletes a key on that page; one that is not there is no error. @throws DeskError `sandbox.failed` */
    async deleteKey(publicKey: string): Promise<void> {
      await deleteKeyOnPage(baseUrl, publicKey);
      registered = registered.filter((key) => fingerprintOf(key.publicKey) !== fingerprintOf(publicKey));
    },
    /**
     * A day passes at the service: claims are processed and adjusted, some are new, one is no longer there.
     * @throws DeskError `sandbox.failed`, also where it is switched off
     */
    async nextDay(): Promise<void> {
      if (running === null) throw new DeskError('sandbox.failed');
      daysPassed += 1;
      await passDay(control, daysPassed);
    },
    stop,
    async start(): Promise<void> {
      if (running !== null) return;
      await launchAt(Number(new URL(baseUrl).port));
      for (const { name, publicKey } of registered) await postKey(baseUrl, name, publicKey);
      for (let day = 1; day <= daysPassed; day += 1) await passDay(control, day);
    },
    close: stop,
  };
}

async function passDay(control: { url: string; token: string } | null, day: number): Promise<void> {
  const post = async (path: string, body: object): Promise<void> => {
    const failed = (cause: unknown): never => {
      throw new DeskError('sandbox.failed', { cause });
    };
    const reply = await fetch(`${control?.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${control?.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    }).catch(failed);
    if (!reply.ok) throw new DeskError('sandbox.failed', { details: { status: reply.status } });
  };
  await post('/clock', { advanceDays: 1 });
  const changes = [3, 9, 15].map((position) => ({ op: 'change', list: 'claims', position: position + day }));
  const edits = [
    ...changes,
    { op: 'insert', list: 'claims', count: 4 },
    { op: 'delete', list: 'claims', position: 40 },
  ];
  await post('/edits', { edits });
}

const forkSample: LaunchSample = (entry, args) => {
  const child = fork(fileURLToPath(entry), args, {
    env: childEnvironment(process.env),
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const { stdout } = child;
  if (stdout === null) throw new DeskError('sandbox.failed');
  return {
    stdout,
    onEnded(listener) {
      if (child.exitCode !== null || child.signalCode !== null) listener();
      else child.once('exit', listener).once('error', listener);
    },
    end: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
  };
};

/** Its first line says where it listens. */
function readGreeting(child: SampleProcess): Promise<Greeting> {
  return new Promise((resolve, reject) => {
    const fail = (cause?: unknown): void => reject(new DeskError('sandbox.failed', { cause }));
    const timer = setTimeout(fail, startLimitMs);
    let text = '';
    child.onEnded(() => {
      clearTimeout(timer);
      fail();
    });
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      if (text.includes('\n')) return;
      text += chunk;
      const end = text.indexOf('\n');
      if (end < 0) return;
      clearTimeout(timer);
      try {
        resolve(greetingSchema.parse(JSON.parse(text.slice(0, end))));
      } catch (cause) {
        fail(cause);
      }
    });
  });
}

async function endProcess(child: SampleProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.onEnded(resolve));
  child.end();
  const isOver = await Promise.race([ended.then(() => true), wait(endLimitMs, false, { ref: false })]);
  if (isOver) return;
  child.kill();
  await ended;
}

async function postKey(baseUrl: string, name: string, publicKey: string): Promise<void> {
  await send(`${baseUrl}/settings/ssh`, 303, new URLSearchParams({ name, public_key: publicKey }));
}

/** The page has no address for one key: its row is found by the fingerprint, its form by the row. */
async function deleteKeyOnPage(baseUrl: string, publicKey: string): Promise<void> {
  const page = await send(`${baseUrl}/settings/ssh`, 200);
  const row = page.split('<tr>').find((text) => text.includes(`<code>${fingerprintOf(publicKey)}</code>`));
  const id = /name="id" value="(\d+)"/.exec(row ?? '')?.[1];
  if (id === undefined) return;
  await send(`${baseUrl}/settings/ssh/delete`, 303, new URLSearchParams({ id }));
}

function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}

/** Asks the page (POST with a form, GET without) and wants this status. */
async function send(url: string, wanted: number, form?: URLSearchParams): Promise<string> {
  const failed = (cause: unknown): never => {
    throw new DeskError('sandbox.failed', { cause });
  };
  const reply = await fetch(url, {
    ...(form === undefined ? {} : { method: 'POST', body: form }),
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  }).catch(failed);
  const text = await reply.text().catch(failed);
  if (reply.status !== wanted) throw new DeskError('sandbox.failed', { details: { status: reply.status } });
  return text;
}
