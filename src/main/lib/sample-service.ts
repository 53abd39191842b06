import { createHash } from 'node:crypto';
import { z } from 'zod';
import { samplePersonSchema } from '../../contract/sample-person.ts';
import { findEntry } from './entries.ts';
import { DeskError } from './errors.ts';
import {
  endProcess,
  forkSample,
  type LaunchSample,
  readFirstLine,
  type SampleProcess,
} from './sample-process.ts';

interface SampleServiceOptions {
  readonly members: number;
  readonly claims: number;
  readonly seed?: number;
  /** `ordinary` for people; hostile data for tests unless given. */
  readonly corpus?: 'hostile' | 'ordinary';
  /** The day from which the dates of the data are computed, `YYYY-MM-DD`; a fixed day unless given. */
  readonly today?: string | undefined;
  /** A forked Node process unless given. Electron's binary cannot run as Node, so it uses a utility process. */
  readonly launch?: LaunchSample;
}

/** The data begins so many days before today, so that a day that passes does not lie in the future. */
export const sampleDays = 14;

const sampleConnectSchema = z.object({ publicToken: z.string(), secretKey: z.string() });
export type SampleConnect = z.infer<typeof sampleConnectSchema>;

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
 * Starts the sample service as a separate process on loopback, with data generated from the seed. `stop` ends the
 * process, so that the service is out of reach; `start` runs it again at the same address with the same data and the
 * registered keys. It ends with this process.
 * @throws DeskError `sandbox.failed`
 */
export async function startSampleService(options: SampleServiceOptions) {
  const launch = options.launch ?? forkSample;
  let registered: { name: string; publicKey: string }[] = [];
  let running: SampleProcess | null = null;
  let connect: Greeting['connect'] = null;
  let control: { url: string; token: string } | null = null;
  /** The claims that had to change on each day that has passed. */
  const days: (readonly number[])[] = [];

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
    const greeting = await readFirstLine(started, greetingSchema);
    ({ connect } = greeting);
    control = { url: greeting.controlUrl, token: greeting.controlToken };
    return greeting;
  };
  const stop = async (): Promise<void> => {
    const ending = running;
    running = null;
    if (ending !== null) await endProcess(ending);
  };

  const team = createSampleTeam(launch);
  const { baseUrl, account } = await launchAt(0);
  return {
    baseUrl,
    email: account.email,
    /** Its Connect integration; it changes with each start. */
    getConnect: () =>
      connect === null ? null : { publicToken: connect.publicToken, secretKey: connect.secretKey },
    getPeople: () => connect?.people ?? [],
    /** Registers a public key on its page for SSH keys, as users do. @throws DeskError `sandbox.failed` */
    async register(name: string, publicKey: string): Promise<void> {
      await postKey(baseUrl, name, publicKey);
      registered.push({ name, publicKey });
    },
    /** Deletes a key on that page; a key that is not registered is no error. @throws DeskError `sandbox.failed` */
    async deleteKey(publicKey: string): Promise<void> {
      await deleteKeyOnPage(baseUrl, publicKey);
      registered = registered.filter((key) => fingerprintOf(key.publicKey) !== fingerprintOf(publicKey));
    },
    /**
     * Advances the service by one day: claims are processed and adjusted, these among them, some are new, one is removed.
     * @throws DeskError `sandbox.failed`, also where it is switched off, or its day is this computer's
     */
    async nextDay(claimIds: readonly number[]): Promise<void> {
      if (running === null || days.length >= sampleDays) throw new DeskError('sandbox.failed');
      await passDay(control, days.length + 1, claimIds);
      days.push(claimIds);
    },
    /** How many more days can pass. */
    countDaysLeft: (): number => sampleDays - days.length,
    ...team,
    stop,
    async start(): Promise<void> {
      if (running !== null) return;
      await launchAt(Number(new URL(baseUrl).port));
      for (const { name, publicKey } of registered) await postKey(baseUrl, name, publicKey);
      for (const [index, claimIds] of days.entries()) await passDay(control, index + 1, claimIds);
    },
    async close(): Promise<void> {
      await Promise.all([stop(), team.endTeam()]);
    },
  };
}

async function passDay(
  control: { url: string; token: string } | null,
  day: number,
  claimIds: readonly number[],
): Promise<void> {
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
    ...claimIds.map((id) => ({ op: 'change', list: 'claims', id })),
    { op: 'delete', list: 'claims', position: 40 },
  ];
  await post('/edits', { edits });
}

async function postKey(baseUrl: string, name: string, publicKey: string): Promise<void> {
  await send(`${baseUrl}/settings/ssh`, 303, new URLSearchParams({ name, public_key: publicKey }));
}

/** Deletes a key through the page: the row is found by the fingerprint, and the row has the form to submit. */
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

/**
 * Sends a request to the page (POST with a form, GET without).
 * @throws DeskError `sandbox.failed` for another status
 */
async function send(url: string, expectedStatus: number, form?: URLSearchParams): Promise<string> {
  const failed = (cause: unknown): never => {
    throw new DeskError('sandbox.failed', { cause });
  };
  const reply = await fetch(url, {
    ...(form === undefined ? {} : { method: 'POST', body: form }),
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  }).catch(failed);
  const text = await reply.text().catch(failed);
  if (reply.status !== expectedStatus)
    throw new DeskError('sandbox.failed', { details: { status: reply.status } });
  return text;
}

/** Tries a team with the sample: a team server on this computer, and a simulated colleague, a process each. */
export function createSampleTeam(launch: LaunchSample) {
  let server: { readonly process: SampleProcess; readonly origin: string } | null = null;
  let colleague: SampleProcess | null = null;
  const endColleague = async (): Promise<void> => {
    const ending = colleague;
    colleague = null;
    if (ending !== null) await endProcess(ending);
  };
  return {
    /** Starts the server on a folder, unless it runs, and makes a set-up code. @throws DeskError `sandbox.failed` */
    async startTeam(folder: string): Promise<{ server: string; setupCode: string }> {
      if (server === null) {
        const process = launch(findEntry('team-server'), ['--data', folder, '--port', '0']);
        const { origin } = await readFirstLine(process, z.object({ origin: z.url() }));
        server = { process, origin };
        process.onEnded(() => {
          if (server?.process === process) server = null;
        });
      }
      const { origin } = server;
      const { setupCode } = await readFirstLine(
        launch(findEntry('team-server'), ['code', '--data', folder]),
        z.object({ setupCode: z.string() }),
      );
      return { server: origin, setupCode };
    },
    /** Makes a colleague ask to join, who decides these claims once admitted. @throws DeskError `sandbox.failed` */
    async addColleague(invitation: string, claimIds: readonly number[]): Promise<{ computer: string }> {
      if (server === null) throw new DeskError('sandbox.failed');
      await endColleague();
      colleague = launch(findEntry('colleague'), ['--claims', claimIds.join(',')]);
      colleague.send({ invitation });
      return readFirstLine(colleague, z.object({ computer: z.string() }));
    },
    async endTeam(): Promise<void> {
      await endColleague();
      const ending = server?.process;
      server = null;
      if (ending !== undefined) await endProcess(ending);
    },
  };
}
