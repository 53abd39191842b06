import type { FastifyInstance } from 'fastify';
import { apiPath, maxWaitSeconds, type TeamHeadReply } from '../team-protocol/api.ts';
import { ApiError } from './api-error.ts';
import type { Caller } from './callers.ts';
import { type Live, openEventStream } from './live.ts';
import { afterSchema, describeHead, type RouteContext, wholeSchema } from './route-context.ts';
import type { TeamHead } from './store/entry-store.ts';

const headQuerySchema = afterSchema.extend({ parts: wholeSchema.default(0), wait: wholeSchema.default(0) });

/** Hearing of new entries: by an event stream, or by a request that waits. */
export function addLiveRoutes(app: FastifyInstance, context: RouteContext): void {
  const { live, limits, now, beats } = context;
  const { callerOf, byMember } = context.callers;

  /** Listens until `ended`; refused beyond the limit of a computer. */
  const listen = (
    { team, head, computer }: Caller,
    listener: Omit<Parameters<Live['listen']>[2], 'computer'>,
  ) => {
    // A request that was being verified when the server began to end.
    if (live.hasEnded()) throw new ApiError('server.busy');
    if (live.countListeners(computer) >= limits.maxListenersOfComputer) throw new ApiError('request.tooMany');
    return live.listen(team, head, { ...listener, computer });
  };

  app.get(`${apiPath}/:team/head`, byMember, async (request, reply): Promise<TeamHeadReply> => {
    const caller = callerOf(request);
    const { after, parts, wait } = headQuerySchema.parse(request.query);
    // Smaller numbers are news as well: those of a server that was restored.
    const isNew = (head: TeamHead): boolean => head.number !== after || head.parts !== parts;
    if (wait === 0 || isNew(caller.head)) return describeHead(caller.head, now());
    const head = await new Promise<TeamHead>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        stop();
      };
      const stop = listen(caller, {
        told(newHead) {
          if (!isNew(newHead)) return;
          end();
          resolve(newHead);
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
      reply.raw.once('close', end);
    });
    return describeHead(head, now());
  });

  app.get(`${apiPath}/:team/live`, byMember, (request, reply) => {
    const caller = callerOf(request);
    const { after } = afterSchema.parse(request.query);
    const { raw } = reply;
    let stream: ReturnType<typeof openEventStream> | null = null;
    const sendHead = (head: TeamHead): void =>
      stream?.send('head', JSON.stringify(describeHead(head, now())));
    const stop = listen(caller, {
      told: (head, entries) => (entries === null ? sendHead(head) : stream?.send('entries', entries)),
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
