import type { FastifyInstance } from 'fastify';
import { apiPath } from '../team-protocol/api.ts';
import { newLeasesSchema, type TakenLeases } from '../team-protocol/leases.ts';
import { ApiError } from './api-error.ts';
import { createBuckets } from './limits.ts';
import type { RouteContext } from './route-context.ts';

/** The route to take leases. Who has which is told with the news (`live-routes.ts`). */
export function addLeaseRoutes(app: FastifyInstance, context: RouteContext): void {
  const { leases, live, limits, now } = context;
  const { callerOf, byMember } = context.callers;
  const buckets = createBuckets(limits.leases, now);

  app.post(`${apiPath}/:team/leases`, byMember, async (request): Promise<TakenLeases> => {
    const caller = callerOf(request);
    if (caller.role !== 'admin' && caller.role !== 'reviewer') throw new ApiError('role.notAllowed');
    if (!buckets.take(caller.computer)) throw new ApiError('request.tooMany');
    const { reply, isChanged } = await leases.take(caller, newLeasesSchema.parse(request.body));
    if (isChanged) void live.look(caller.team);
    return reply;
  });
}
