import type { FastifyInstance } from 'fastify';
import { apiPath, type TeamHeadReply } from '../team-protocol/api.ts';
import { listenAs, waitFor } from './listening.ts';
import { openEventStream } from './live.ts';
import { afterSchema, describeHead, type RouteContext, wholeSchema } from './route-context.ts';
import type { TeamHead } from './store/entry-store.ts';

const headQuerySchema = afterSchema.extend({ parts: wholeSchema.default(0), wait: wholeSchema.default(0) });

/** Routes that report new entries: an event stream, and a request that waits. */
export function addLiveRoutes(app: FastifyInstance, context: RouteContext): void {
  const { now, beats } = context;
  const { callerOf, byMember } = context.callers;

  app.get(`${apiPath}/:team/head`, byMember, async (request, reply): Promise<TeamHeadReply> => {
    const caller = callerOf(request);
    const { after, parts, wait } = headQuerySchema.parse(request.query);
    // A smaller number is new as well: the server was restored from a backup.
    const isNew = (head: TeamHead): boolean => head.number !== after || head.parts !== parts;
    if (wait === 0 || isNew(caller.head)) return describeHead(caller.head, now());
    const head = await waitFor<TeamHead>(context, caller, reply, {
      seconds: wait,
      otherwise: caller.head,
      listen: (done) => ({ told: (newHead) => void (isNew(newHead) && done(newHead)) }),
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
    const stop = listenAs(context, caller, {
      told: (head, entries) => (entries === null ? sendHead(head) : stream?.send('entries', entries)),
      toldLeases: (leases) => stream?.send('leases', JSON.stringify(leases)),
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
