import type { z } from 'zod';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import {
  type ApiErrorCode,
  apiPath,
  computersSchema,
  errorReplySchema,
  headSchema,
  invitationSchema,
  joinedSchema,
  joinsSchema,
  maxWaitSeconds,
  type NewJoin,
  type PartsReply,
  partsSchema,
  postedSchema,
  type TeamHeadReply,
} from '../../../team-protocol/api.ts';
import type { Entry } from '../../../team-protocol/entry.ts';
import { isCutOff, type NumberedEntry, readNumbered, writeFrame } from '../../../team-protocol/frame.ts';
import { type Leases, leasesSchema, type NewLeases, takenSchema } from '../../../team-protocol/leases.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MainCalls } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { createEventParser } from '../service/connect/event-parser.ts';
import type { HttpReply, Transport } from '../service/transport.ts';

/** The errors of the server that the user can act on; others become `team.refused`. */
const codeOf: Partial<Record<ApiErrorCode, ErrorCode>> = {
  'request.tooMany': 'team.unreachable',
  'quota.reached': 'team.quotaReached',
  'quota.documents': 'team.documentsFull',
  'server.busy': 'team.unreachable',
  'server.failed': 'team.unreachable',
  'store.unavailable': 'team.unreachable',
  'store.full': 'team.unreachable',
  'token.expired': 'team.clockDiffers',
  'entry.ahead': 'team.clockDiffers',
  'setupCode.invalid': 'team.wrongSetupCode',
  'invitation.invalid': 'team.wrongInvitation',
  'member.unknown': 'team.notMember',
  'member.waiting': 'team.recoveryWaits',
  'token.invalid': 'team.notMember',
  'team.oldLog': 'team.oldLog',
  'member.notAdmin': 'team.notAdmin',
  'role.notAllowed': 'team.notAdmin',
  'member.lastAdmin': 'team.lastAdmin',
};

/** An error that the server answered with. `details.answer` is its own code. */
export const toTeamError = (answer: ApiErrorCode): DeskError =>
  new DeskError(codeOf[answer] ?? 'team.refused', { details: { answer } });

/** The server's own code of an error; null for another error. */
export const answerOf = (thrown: unknown): ApiErrorCode | null =>
  thrown instanceof DeskError && typeof thrown.details?.answer === 'string'
    ? (thrown.details.answer as ApiErrorCode)
    : null;

/** This is also the longest silence of a stream, which has a heartbeat every 15 seconds. */
const requestMs = 30_000;
/** An event of a stream has at most 256,000 bytes of entries, as base64url, or 10,000 leases. */
const maxEventCharacters = 1_000_000;

interface ClientPorts {
  readonly server: string;
  readonly team: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly getToken: (tokenRequest: { offsetSeconds: number }) => ReturnType<MainCalls['getTeamToken']>;
}
interface ClientState {
  readonly ports: ClientPorts;
  /** The server's clock minus this computer's, in milliseconds. */
  offsetMs: number;
}
interface AskOptions {
  body?: Uint8Array<ArrayBuffer> | object;
  waitMs?: number;
  signal?: AbortSignal;
  onChunk?: (chunk: Uint8Array) => void;
}

function learnTime(state: ClientState, now: string): void {
  state.offsetMs = Date.parse(now) - state.ports.clock.now();
}

async function ask(
  state: ClientState,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  options: AskOptions = {},
  isAgain = false,
): Promise<HttpReply> {
  const { server, transport, getToken } = state.ports;
  const { body, waitMs = 0, signal, onChunk } = options;
  const isBytes = body instanceof Uint8Array;
  const token = await getToken({ offsetSeconds: Math.round(state.offsetMs / 1_000) });
  const reply = await transport({
    method,
    url: new URL(`${apiPath}${path}`, server),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined
        ? {}
        : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
    timeoutMs: requestMs + waitMs,
    ...(signal === undefined ? {} : { signal }),
    ...(onChunk === undefined ? {} : { onChunk }),
  }).catch((thrown: DeskError) => {
    if (thrown.code === 'sync.canceled') throw thrown;
    const code = thrown.code === 'service.certificateAhead' ? 'team.clockDiffers' : 'team.unreachable';
    throw new DeskError(code, { cause: thrown.code });
  });
  if (reply.status === 200) return reply;
  const said = readJson(reply, errorReplySchema);
  // Accepted however large the offset is: a token of this computer's key is valid only at this server.
  if (said?.error.now !== undefined) learnTime(state, said.error.now);
  if (said?.error.code === 'token.expired' && !isAgain) return ask(state, method, path, options, true);
  throw said === null ? new DeskError('team.unreachable') : toTeamError(said.error.code);
}

async function askFor<S extends z.ZodType>(
  state: ClientState,
  schema: S,
  method: 'GET' | 'POST',
  path: string,
  options?: AskOptions,
): Promise<z.output<S>> {
  const reply = await ask(state, method, path, options);
  const value = readJson(reply, schema);
  if (value === null) throw new DeskError(isCutJson(reply) ? 'team.answerCut' : 'team.serverDiffers');
  return value;
}

/**
 * Listens to the event stream after this number until it ends, or nothing arrived for a while. An entry that can't be
 * read ends it.
 */
async function listen(
  state: ClientState,
  after: number,
  on: {
    readonly signal: AbortSignal;
    readonly onBytes: () => void;
    readonly onHead: (head: TeamHeadReply) => void;
    readonly onEntries: (page: readonly NumberedEntry[]) => void;
    readonly onLeases: (leases: Leases) => void;
  },
): Promise<void> {
  const parse = createEventParser(maxEventCharacters);
  await ask(state, 'GET', `/${state.ports.team}/live?after=${after}`, {
    signal: on.signal,
    onChunk(chunk) {
      on.onBytes();
      for (const { name, data } of parse(chunk)) {
        const page = name === 'entries' ? readNumbered(Buffer.from(data, 'base64url')) : [];
        if (page === null) throw new DeskError('team.serverDiffers');
        if (page.length > 0) on.onEntries(page);
        if (name === 'head') on.onHead(headSchema.parse(JSON.parse(data)));
        if (name === 'leases') on.onLeases(leasesSchema.parse(JSON.parse(data)));
      }
    },
  });
}

/**
 * The calls to a team's server (`src/team-protocol/api.ts`), with a token signed by this computer's key.
 * Each call @throws DeskError `team.*`; `team.unreachable` if it did not answer, `sync.canceled` on `signal`
 */
export function createTeamClient(ports: ClientPorts) {
  const state: ClientState = { ports, offsetMs: 0 };
  const base = `/${ports.team}`;
  const partPath = (id: string, part: number): string => `${base}/entries/${id}/parts/${part}`;
  const readPage = async (after: number, path: string, options?: { body: object }) => {
    const { body, headers } = await ask(state, options === undefined ? 'GET' : 'POST', path, options);
    const page = readNumbered(body);
    // The sign-in page of a proxy ends within an entry too.
    const isCut = headers['content-type'] === 'application/octet-stream' && isCutOff(body);
    if (page === null) throw new DeskError(isCut ? 'team.answerCut' : 'team.serverDiffers');
    checkRising(
      after,
      page.map(({ number }) => number),
    );
    return page;
  };
  return {
    create: (setupCode: string, entry: Entry) =>
      askFor(state, postedSchema, 'POST', '', {
        body: { setupCode, entry: writeFrame(entry).toString('base64url') },
      }),
    /** The newest number; with `wait`, returned as soon as there is something new, or after 25 seconds. */
    async head(wait?: { after: number; parts: number; leases: string; signal: AbortSignal }) {
      const query =
        wait === undefined
          ? ''
          : `?after=${wait.after}&parts=${wait.parts}&leases=${wait.leases}&wait=${maxWaitSeconds}`;
      const options = wait === undefined ? {} : { waitMs: maxWaitSeconds * 1_000, signal: wait.signal };
      const head = await askFor(state, headSchema, 'GET', `${base}/head${query}`, options);
      learnTime(state, head.now);
      return head;
    },
    live: listen.bind(null, state),
    /** Returns the server's time in milliseconds, by the last known offset. */
    now: (): number => ports.clock.now() + state.offsetMs,
    async entries(
      after: number,
      filter: { count?: number; kind?: 'membership' | 'removal' | 'checkpoint' } = {},
    ): Promise<NumberedEntry[]> {
      const query = new URLSearchParams({ after: `${after}` });
      for (const [name, value] of Object.entries(filter)) query.set(name, `${value}`);
      return readPage(after, `${base}/entries?${query}`);
    },
    /** Reads the entries after a number that have one of these tags, or are about too many claims for tags. */
    tagged: (after: number, tags: readonly string[]): Promise<NumberedEntry[]> =>
      readPage(after, `${base}/entries/tagged?after=${after}`, { body: { tags } }),
    async parts(after: number): Promise<PartsReply['parts']> {
      const { parts } = await askFor(state, partsSchema, 'GET', `${base}/parts?after=${after}`);
      checkRising(
        after,
        parts.map((part) => part.after),
      );
      return parts;
    },
    /** Reads a part as one computer sent it; `entry-parts.ts` finds the right one. */
    part: async (id: string, part: number, version: number) =>
      (await ask(state, 'GET', `${partPath(id, part)}?version=${version}`)).body,
    /** `read`: the last number that this computer has read; the server accepts its events only with it. */
    post: (entries: readonly Entry[], read = 0) =>
      askFor(state, postedSchema, 'POST', `${base}/entries?read=${read}`, {
        body: new Uint8Array(Buffer.concat(entries.map(writeFrame))),
      }),
    putPart: (id: string, part: number, sealed: Uint8Array) =>
      ask(state, 'PUT', partPath(id, part), { body: new Uint8Array(sealed) }),
    invite: (digest: string) =>
      askFor(state, invitationSchema, 'POST', `${base}/invitations`, { body: { digest } }),
    join: async (join: NewJoin) =>
      (await askFor(state, joinedSchema, 'POST', `${base}/joins`, { body: join })).answer,
    answerJoin: (invitation: string, answer: string) =>
      ask(state, 'POST', `${base}/joins/answers`, { body: { invitation, answer } }),
    /** Sends the claims that are open here; the reply contains the first of `takes` that no one else has open. */
    takeLeases: (leases: NewLeases, signal: AbortSignal) =>
      askFor(state, takenSchema, 'POST', `${base}/leases`, { body: leases, signal }),
    computers: async () => (await askFor(state, computersSchema, 'GET', `${base}/computers`)).computers,
    joins: async () => (await askFor(state, joinsSchema, 'GET', `${base}/joins`)).joins,
  };
}

export type TeamClient = ReturnType<typeof createTeamClient>;

/** Refuses a page that does not continue after this number, because reading on from its end would never stop. */
function checkRising(after: number, numbers: readonly number[]): void {
  if (numbers.some((number, index) => number <= (numbers[index - 1] ?? after)))
    throw new DeskError('team.serverDiffers');
}

/** Whether an answer begins as JSON, and ends before it does. */
function isCutJson({ body }: HttpReply): boolean {
  const text = new TextDecoder().decode(body);
  try {
    JSON.parse(text);
    return false;
  } catch {
    return text.startsWith('{');
  }
}

function readJson<S extends z.ZodType>({ body }: HttpReply, schema: S): z.output<S> | null {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return null;
  }
}
