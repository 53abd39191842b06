import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  apiPath,
  maxPageBytes,
  maxPageEntries,
  maxPostBytes,
  type PartsReply,
  type Posted,
  taggedSchema,
} from '../team-protocol/api.ts';
import { entryIdSchema, maxSealedBytes } from '../team-protocol/entry.ts';
import { readFrames, writeNumbered } from '../team-protocol/frame.ts';
import { ApiError } from './api-error.ts';
import { teamPathSchema } from './callers.ts';
import { afterSchema, bodyOf, describePosted, type RouteContext, wholeSchema } from './route-context.ts';

const partPathSchema = teamPathSchema.extend({ id: entryIdSchema, part: wholeSchema });
const versionSchema = z.object({ version: wholeSchema.default(0) });
/** The last number that a sender has read. */
const readSchema = z.object({ read: wholeSchema.default(0) });
const pageSchema = afterSchema.extend({
  count: wholeSchema.default(maxPageEntries),
  bytes: wholeSchema.default(maxPageBytes),
  kind: z.enum(['all', 'membership', 'removal', 'checkpoint']).default('all'),
});

const wholePage = { count: maxPageEntries, bytes: maxPageBytes };

/** Routes to send and receive entries and their parts. */
export function addEntryRoutes(app: FastifyInstance, context: RouteContext): void {
  const { store, teams, live, metrics, now } = context;
  const { callerOf, byMember, withBody } = context.callers;

  app.post(`${apiPath}/:team/entries`, withBody(maxPostBytes), async (request): Promise<Posted> => {
    const caller = callerOf(request);
    const { team } = caller;
    const { read } = readSchema.parse(request.query);
    const entries = readFrames(bodyOf(request), maxPageEntries);
    if (entries === null || entries.length === 0) throw new ApiError('request.invalid');
    const { results, head } = await teams.post(team, entries, caller, read);
    for (const result of results) if ('code' in result) metrics.countRefusal(result.code);
    metrics.countEntries(results.filter((result) => !('code' in result)).length, bodyOf(request).length);
    void live.look(team);
    return describePosted(results, head, now());
  });

  app.get(`${apiPath}/:team/entries`, byMember, async (request, reply) => {
    const { after, count, bytes, kind } = pageSchema.parse(request.query);
    const size = { count: Math.min(count, maxPageEntries), bytes: Math.min(bytes, maxPageBytes) };
    const page = await store.readEntries(callerOf(request).team, after, size, kind);
    return reply.type('application/octet-stream').send(Buffer.concat(page.map(writeNumbered)));
  });

  app.post(`${apiPath}/:team/entries/tagged`, byMember, async (request, reply) => {
    const { after } = afterSchema.parse(request.query);
    const { tags } = taggedSchema.parse(request.body);
    const page = await store.readEntries(callerOf(request).team, after, wholePage, tags);
    return reply.type('application/octet-stream').send(Buffer.concat(page.map(writeNumbered)));
  });

  const partRoute = `${apiPath}/:team/entries/:id/parts/:part`;
  app.put(partRoute, withBody(maxSealedBytes), async (request) => {
    const caller = callerOf(request);
    const { id, part } = partPathSchema.parse(request.params);
    await teams.putPart(caller, id, part, bodyOf(request));
    metrics.countEntries(0, bodyOf(request).length);
    void live.look(caller.team);
    return {};
  });
  app.get(partRoute, byMember, async (request, reply) => {
    const { id, part } = partPathSchema.parse(request.params);
    const { version } = versionSchema.parse(request.query);
    const content = await store.readPart(callerOf(request).team, id, part, version);
    if (content === null) throw new ApiError('part.notThere');
    return reply.type('application/octet-stream').send(content);
  });
  app.get(`${apiPath}/:team/parts`, byMember, async (request): Promise<PartsReply> => {
    const { after } = afterSchema.parse(request.query);
    return { parts: await store.readArrivals(callerOf(request).team, after, maxPageEntries) };
  });
}
