import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { listOrders } from '../data/ordered-list.ts';
import type { Service } from '../service.ts';
import { editsSchema, scheduleSchema } from './edit-schema.ts';
import { applyEdits } from './edits.ts';
import { readBody } from './read-body.ts';

const clockSchema = z.strictObject({
  /** The server's clock minus the machine's: sent as `Date` and used for the JWT check. */
  skewSeconds: z.number().min(-1e9).max(1e9).optional(),
  /** Days to add to the data's clock. */
  advanceDays: z.int().min(1).max(3650).optional(),
});
const orderSchema = z.strictObject({
  claims: z.enum(listOrders).optional(),
  members: z.enum(listOrders).optional(),
});

/**
 * Time and change.
 *
 * - `POST /clock` `{skewSeconds?, advanceDays?}`
 * - `POST /edits` `{edits: [edit, …]}` → `{data: [{op, ids}]}`, applied at once; an edit is one object of
 *   edit-schema.ts
 * - `POST /schedule` `{steps: [{after, route?, edits}]}`: applied after this many replies of the route, counted from
 *   now; `GET` returns the pending steps; `DELETE` removes them
 * - `POST /order` `{claims?, members?}`: `asc`, `desc` or `shuffled`; undoes moves and swaps
 */
export function addChangeRoutes(app: FastifyInstance, service: Service): void {
  const { clock, world, schedule } = service;
  app.post('/clock', async (request) => {
    const { skewSeconds, advanceDays } = readBody(clockSchema, request.body);
    if (skewSeconds !== undefined) {
      clock.setSkewSeconds(skewSeconds);
      service.connect.validations.clockMoved();
      service.connect.crawls.clockMoved();
    }
    if (advanceDays !== undefined) world.advanceDays(advanceDays);
    return {
      skewSeconds: clock.skewSeconds,
      advancedDays: clock.days,
      dataNow: new Date(clock.dataNowMs()).toISOString(),
      serverNow: new Date(clock.serverNowMs()).toISOString(),
    };
  });
  app.post('/edits', async (request) => ({
    data: applyEdits(world, readBody(editsSchema, request.body).edits),
  }));
  app.get('/schedule', async () => schedule.state());
  app.post('/schedule', async (request) => {
    schedule.set(readBody(scheduleSchema, request.body).steps);
    return schedule.state();
  });
  app.delete('/schedule', async () => {
    schedule.set([]);
    return schedule.state();
  });
  app.post('/order', async (request) => {
    const { claims, members } = readBody(orderSchema, request.body);
    if (claims !== undefined) world.setOrder('claims', claims);
    if (members !== undefined) world.setOrder('members', members);
    return { claims: world.claims.order, members: world.members.order };
  });
}
