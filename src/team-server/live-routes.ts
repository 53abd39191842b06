import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { apiPath, maxWaitSeconds, type TeamHeadReply } from '../team-protocol/api.ts';
import type { Leases } from '../team-protocol/leases.ts';
import { ApiError } from './api-error.ts';
import type { Caller } from './callers.ts';
import { type Live, openEventStream } from './live.ts';
import { afterSchema, describeHead, type RouteContext, wholeSchema } from './route-context.ts';
import type { TeamHead } from './store/new-entry.ts';

type Listener = Omit<Parameters<Live['listen']>[2], 'computer'>;

/**
 * Listens until `ended` is called; refused beyond the limit of a computer. Returns the function that stops listening.
 */
function listenAs(
  { live, limits }: RouteContext,
  { team, head, computer }: Caller,
  listener: Listener,
): () => void {
  // A request that was being verified when the shutdown began.
  if (live.hasEnded()) throw new ApiError('server.busy');
  if (live.countListeners(computer) >= limits.maxListenersOfComputer) throw new ApiError('request.tooMany');
  return live.listen(team, head, { ...listener, computer });
}

/** Answers a request when the listener calls `done`, or with `otherwise` after this many seconds. */
const waitFor = <Answer>(
  context: RouteContext,
  caller: Caller,
  reply: FastifyReply,
  options: {
    readonly seconds: number;
    readonly otherwise: Answer;
    readonly listen: (done: (answer: Answer) => void) => Omit<Listener, 'ended'>;
  },
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
    };
    const done = (answer: Answer): void => {
      end();
      resolve(answer);
    };
    const stop = listenAs(context, caller, {
      ...options.listen(done),
      ended() {
        end();
        reject(new ApiError('server.busy'));
      },
    });
    const ms = Math.min(options.seconds, maxWaitSeconds) * 1_000;
    const timer = setTimeout(() => done(options.otherwise), ms);
    reply.raw.once('close', end);
  });

const headQuerySchema = afterSchema.extend({
  parts: wholeSchema.default(0),
  leases: z.string().max(30).optional(),
  wait: wholeSchema.default(0),
});

/** Routes that report new entries, and who has which claim open: an event stream, and a request that waits. */
export function addLiveRoutes(app: FastifyInstance, context: RouteContext): void {
  const { now, beats } = context;
  const { callerOf, byMember } = context.callers;

  app.get(`${apiPath}/:team/head`, byMember, async (request, reply): Promise<TeamHeadReply> => {
    const caller = callerOf(request);
    const { after, parts, leases: version, wait } = headQuerySchema.parse(request.query);
    const describe = (head: TeamHead, leases: Leases | null): TeamHeadReply => ({
      ...describeHead(head, now()),
      ...(leases === null || leases.version === version ? {} : { leases }),
    });
    const leases = version === undefined ? null : await context.leases.read(caller.team, caller.members);
    const current = describe(caller.head, leases);
    // A smaller number is news as well: the server was restored from a backup.
    const isNew = (answer: TeamHeadReply): boolean =>
      answer.number !== after || answer.parts !== parts || answer.leases !== undefined;
    if (wait === 0 || isNew(current)) return current;
    return waitFor<TeamHeadReply>(context, caller, reply, {
      seconds: wait,
      otherwise: current,
      listen: (done) => {
        const answer = (head: TeamHead, heldLeases: Leases | null): void => {
          const described = describe(head, heldLeases);
          if (isNew(described)) done(described);
        };
        return {
          onHead: (head) => answer(head, null),
          ...(version === undefined ? {} : { onLeases: (heldLeases) => answer(caller.head, heldLeases) }),
        };
      },
    });
  });

  app.get(`${apiPath}/:team/live`, byMember, (request, reply) => {
    const caller = callerOf(request);
    const { after } = afterSchema.parse(request.query);
    const { raw } = reply;
    let stream: ReturnType<typeof openEventStream> | null = null;
    const sendHead = (head: TeamHead): void =>
      stream?.send('head', JSON.stringify(describeHead(head, now())));
    const stop = listenAs(context, caller, {
      onHead: (head, entries) => (entries === null ? sendHead(head) : stream?.send('entries', entries)),
      onLeases: (leases) => stream?.send('leases', JSON.stringify(leases)),
      ended: () => void raw.end(),
    });
    reply.hijack();
    stream = openEventStream(raw);
    const { beat } = stream;
    beats.add(beat);
    raw.once('close', () => {
      stop();
      beats.delete(beat);
    });
    if (caller.head.number !== after) sendHead(caller.head);
    else beat();
  });
}
