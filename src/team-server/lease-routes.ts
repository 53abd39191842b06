import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { apiPath } from '../team-protocol/api.ts';
import { type Leases, newLeasesSchema, type TakenLeases } from '../team-protocol/leases.ts';
import { ApiError } from './api-error.ts';
import { createBuckets } from './limits.ts';
import { waitFor } from './listening.ts';
import { type RouteContext, wholeSchema } from './route-context.ts';

const leasesQuerySchema = z.object({ known: z.string().max(30).default(''), wait: wholeSchema.default(0) });

/** Routes to take leases and to learn who has which; the latter also for computers that get no event stream. */
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

  app.get(`${apiPath}/:team/leases`, byMember, async (request, reply): Promise<Leases> => {
    const caller = callerOf(request);
    const { known, wait } = leasesQuerySchema.parse(request.query);
    const current = await leases.read(caller.team, caller.members);
    if (wait === 0 || current.version !== known) return current;
    return waitFor<Leases>(context, caller, reply, {
      seconds: wait,
      otherwise: current,
      listen: (done) => ({
        told: () => undefined,
        toldLeases: (told) => void (told.version !== known && done(told)),
      }),
    });
  });
}
