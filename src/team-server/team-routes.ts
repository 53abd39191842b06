import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  apiPath,
  type ComputersReply,
  type JoinsReply,
  maxPageBytes,
  maxPageEntries,
  maxPostBytes,
  maxWaitSeconds,
  newInvitationSchema,
  newJoinSchema,
  newTeamSchema,
  type PartsReply,
  type Posted,
  type TeamHeadReply,
} from '../team-protocol/api.ts';
import { readCertificateBody } from '../team-protocol/certificate.ts';
import { bytesSchema, entryIdSchema, maxSealedBytes, readHeader } from '../team-protocol/entry.ts';
import { readFrames, writeNumbered } from '../team-protocol/frame.ts';
import { findMember, type Members, readMembership, type TeamRole } from '../team-protocol/membership.ts';
import { ApiError, describeError } from './api-error.ts';
import { createAuthenticator, readToken } from './authenticate.ts';
import { limitReceiving } from './create-app.ts';
import type { Judged } from './judge-entries.ts';
import { createBuckets, type Limits } from './limits.ts';
import { type Live, openEventStream } from './live.ts';
import type { Metrics } from './metrics.ts';
import { StoreError } from './store/database.ts';
import type { TeamHead, TeamStore } from './store/team-store.ts';
import type { Teams } from './teams.ts';

export interface TeamRouteSettings {
  readonly store: TeamStore;
  readonly teams: Teams;
  readonly live: Live;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly now: () => number;
  /** The origin that computers reach the server at: the audience of their tokens. */
  readonly origin: () => string;
  readonly callers: WeakMap<FastifyRequest, string>;
  readonly beats: Set<() => void>;
}

const wholeSchema = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number)
  .pipe(z.int());
const pathSchema = z.object({ team: bytesSchema(16) });
const partPathSchema = pathSchema.extend({ id: entryIdSchema, part: wholeSchema });
const afterSchema = z.object({ after: wholeSchema.default(0) });
const pageSchema = afterSchema.extend({
  count: wholeSchema.default(maxPageEntries),
  bytes: wholeSchema.default(maxPageBytes),
});
const headQuerySchema = z.object({
  after: wholeSchema.default(0),
  parts: wholeSchema.default(0),
  wait: wholeSchema.default(0),
});

/** A member who sent a request, and the team at that moment. */
interface Caller {
  readonly team: string;
  readonly computer: string;
  readonly role: TeamRole | 'recovery';
  readonly head: TeamHead;
  readonly members: Members;
}

/** The calls of `api.ts`. */
export function addTeamRoutes(app: FastifyInstance, settings: TeamRouteSettings): void {
  const { store, teams, live, metrics, limits, now, callers } = settings;
  const authenticator = createAuthenticator(settings.origin, now);
  const computers = createBuckets(limits.computer, now);
  const addresses = createBuckets(limits.address, now);
  const receive = limitReceiving(limits.maxReceivingBytes);
  const found = new WeakMap<FastifyRequest, Caller>();

  /** Runs what can fail for a token, code or invitation; an address that failed often is not answered. */
  const watchAddress = async <Result>(address: string, run: () => Promise<Result>): Promise<Result> => {
    if (addresses.isEmpty(address)) throw new ApiError('request.tooMany');
    try {
      return await run();
    } catch (thrown) {
      if (!(thrown instanceof StoreError)) addresses.take(address);
      throw thrown;
    }
  };
  const findCaller = async (request: FastifyRequest): Promise<Caller> => {
    const { team } = pathSchema.parse(request.params);
    const { token, computer } = readToken(request.headers.authorization);
    const state = await teams.readState(team);
    if (state === null) throw new ApiError('member.unknown');
    const { members, head } = state;
    const isRecovery = computer === members.recovery.computer;
    // A former computer's token is verified as well: only who has its key learns that it is none any more.
    const key = isRecovery ? members.recovery.signingKey : members.computers.get(computer)?.signingKey;
    if (key === undefined) throw new ApiError('member.unknown');
    await authenticator.verify(token, computer, key);
    const member = findMember(members, computer);
    if (member === null && !isRecovery) throw new ApiError('member.unknown');
    callers.set(request, computer);
    if (!computers.take(computer)) throw new ApiError('request.tooMany');
    await teams.markSeen(team, computer);
    return { team, computer, role: member?.role ?? 'recovery', head, members };
  };
  const requireMember = async (request: FastifyRequest): Promise<void> => {
    const { token } = readToken(request.headers.authorization);
    const find = () => findCaller(request);
    found.set(request, await (authenticator.isRemembered(token) ? find() : watchAddress(request.ip, find)));
  };
  const callerOf = (request: FastifyRequest): Caller => {
    const caller = found.get(request);
    if (caller === undefined) throw new Error('A route has no caller.');
    return caller;
  };
  const requireAdmin = async (request: FastifyRequest): Promise<void> => {
    if (callerOf(request).role !== 'admin') throw new ApiError('member.notAdmin');
  };
  const receiveBody = async (request: FastifyRequest, reply: FastifyReply) => receive(request, reply);
  const byMember = { onRequest: [requireMember] };
  const byAdmin = { onRequest: [requireMember, requireAdmin] };
  const withBody = (bodyLimit: number) => ({ onRequest: [requireMember, receiveBody], bodyLimit });
  /** Verifies the token of a computer that is no member yet, by the key of its certificate. */
  const proveKey = async (request: FastifyRequest, certificate: string): Promise<string> => {
    const body = readCertificateBody(certificate);
    if (body === null) throw new ApiError('certificate.invalid');
    const { token, computer } = readToken(request.headers.authorization);
    await authenticator.verify(token, computer, body.signingKey);
    return computer;
  };
  const describeHead = ({ number, hash, parts }: TeamHead): TeamHeadReply => ({
    ...{ number, hash, parts },
    now: new Date(now()).toISOString(),
  });
  const describePosted = (results: readonly Judged[], head: TeamHead): Posted => ({
    results: results.map((one) => ('code' in one ? { error: describeError(one.code, now()) } : one)),
    head: describeHead(head),
  });
  const bodyOf = (request: FastifyRequest): Buffer => {
    if (!Buffer.isBuffer(request.body)) throw new ApiError('request.invalid');
    return request.body;
  };

  app.post(
    apiPath,
    { onRequest: [receiveBody] },
    (request): Promise<Posted> =>
      watchAddress(request.ip, async () => {
        const { setupCode, entry: text } = newTeamSchema.parse(request.body);
        const [entry] = readFrames(Buffer.from(text, 'base64url'), 1) ?? [];
        const header = entry == null ? null : readHeader(entry.header);
        const act = entry == null || header === null ? null : readMembership(header, entry.head);
        if (entry == null || act?.act !== 'create') throw new ApiError('entry.invalid');
        const computer = await proveKey(request, act.certificate.body);
        const { team, judged } = await teams.create(setupCode, entry, computer);
        if ('code' in judged) throw new ApiError(judged.code);
        const state = await teams.readState(team);
        if (state === null) throw new Error('A new team is not there.');
        return describePosted([judged], state.head);
      }),
  );

  app.post(`${apiPath}/:team/entries`, withBody(maxPostBytes), async (request): Promise<Posted> => {
    const { team, members } = callerOf(request);
    const entries = readFrames(bodyOf(request), maxPageEntries);
    if (entries === null || entries.length === 0) throw new ApiError('request.invalid');
    const { results, head } = await teams.post(team, entries, members);
    for (const one of results) if ('code' in one) metrics.countRefusal(one.code);
    metrics.countEntries(results.filter((one) => !('code' in one)).length, bodyOf(request).length);
    void live.look(team);
    return describePosted(results, head);
  });

  app.get(`${apiPath}/:team/entries`, byMember, async (request, reply) => {
    const { after, count, bytes } = pageSchema.parse(request.query);
    const size = { count: Math.min(count, maxPageEntries), bytes: Math.min(bytes, maxPageBytes) };
    const page = await store.readEntries(callerOf(request).team, after, size);
    return reply.type('application/octet-stream').send(Buffer.concat(page.map(writeNumbered)));
  });

  const partRoute = `${apiPath}/:team/entries/:id/parts/:part`;
  app.put(partRoute, withBody(maxSealedBytes), async (request) => {
    const { team, members, computer, role } = callerOf(request);
    const { id, part } = partPathSchema.parse(request.params);
    if (role !== 'admin' && role !== 'reviewer') throw new ApiError('role.notAllowed');
    await teams.putPart(team, members, computer, id, part, bodyOf(request));
    metrics.countEntries(0, bodyOf(request).length);
    void live.look(team);
    return {};
  });
  app.get(partRoute, byMember, async (request, reply) => {
    const { id, part } = partPathSchema.parse(request.params);
    const content = await store.readPart(callerOf(request).team, id, part);
    if (content === null) throw new ApiError('part.notThere');
    return reply.type('application/octet-stream').send(content);
  });
  app.get(`${apiPath}/:team/parts`, byMember, async (request): Promise<PartsReply> => {
    const { after } = afterSchema.parse(request.query);
    return { parts: await store.readArrivals(callerOf(request).team, after, maxPageEntries) };
  });

  /** Listens until `ended`; refused beyond the limit of a computer. */
  const listen = (
    { team, head, computer }: Caller,
    listener: Omit<Parameters<Live['listen']>[2], 'computer'>,
  ) => {
    if (live.countListeners(computer) >= limits.maxListenersOfComputer) throw new ApiError('request.tooMany');
    return live.listen(team, head, { ...listener, computer });
  };

  app.get(`${apiPath}/:team/head`, byMember, async (request): Promise<TeamHeadReply> => {
    const caller = callerOf(request);
    const { after, parts, wait } = headQuerySchema.parse(request.query);
    // Smaller numbers are news as well: those of a server that was restored.
    const isNew = (head: TeamHead): boolean => head.number !== after || head.parts !== parts;
    if (wait === 0 || isNew(caller.head)) return describeHead(caller.head);
    return describeHead(
      await new Promise<TeamHead>((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          stop();
        };
        const stop = listen(caller, {
          told(head) {
            if (!isNew(head)) return;
            end();
            resolve(head);
          },
          ended() {
            end();
            reject(new ApiError('server.busy'));
          },
        });
        const timer = setTimeout(() => {
          end();
          resolve(caller.head);
        }, Math.min(wait, maxWaitSeconds) * 1_000);
        request.raw.once('close', end);
      }),
    );
  });

  app.get(`${apiPath}/:team/live`, byMember, (request, reply) => {
    const caller = callerOf(request);
    const { after } = afterSchema.parse(request.query);
    const { raw } = reply;
    let stream: ReturnType<typeof openEventStream> | null = null;
    const sendHead = (head: TeamHead): void => stream?.send('head', JSON.stringify(describeHead(head)));
    const stop = listen(caller, {
      told: (head, entries) => (entries === null ? sendHead(head) : stream?.send('entries', entries)),
      ended: () => void raw.end(),
    });
    reply.hijack();
    stream = openEventStream(raw);
    const { beat } = stream;
    settings.beats.add(beat);
    raw.once('close', () => {
      stop();
      settings.beats.delete(beat);
    });
    if (caller.head.number !== after) sendHead(caller.head);
    else beat();
  });

  app.post(`${apiPath}/:team/invitations`, byAdmin, async (request) => {
    const { digest } = newInvitationSchema.parse(request.body);
    const { team, computer } = callerOf(request);
    return { expiresAt: new Date(await teams.invite(team, computer, digest)).toISOString() };
  });
  app.post(`${apiPath}/:team/joins`, { onRequest: [receiveBody] }, (request) =>
    watchAddress(request.ip, async () => {
      const { team } = pathSchema.parse(request.params);
      const join = newJoinSchema.parse(request.body);
      await teams.join(team, join, await proveKey(request, join.certificate.body));
      return {};
    }),
  );
  app.get(`${apiPath}/:team/joins`, byAdmin, async (request): Promise<JoinsReply> => {
    const { team, members } = callerOf(request);
    const joins = await teams.listJoins(team, members);
    return { joins: joins.map((join) => ({ ...join, at: new Date(join.at).toISOString() })) };
  });
  app.get(`${apiPath}/:team/computers`, byAdmin, async (request): Promise<ComputersReply> => {
    const seen = await store.readComputers(callerOf(request).team);
    return {
      computers: seen.map(({ computer, seenAt }) => ({ computer, seenAt: new Date(seenAt).toISOString() })),
    };
  });
}
