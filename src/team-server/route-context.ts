import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Posted, TeamHeadReply } from '../team-protocol/api.ts';
import type { EntryResult } from './accept-entries.ts';
import { ApiError, describeError } from './api-error.ts';
import type { Callers } from './callers.ts';
import type { Limits } from './limits.ts';
import type { Live } from './live.ts';
import type { TeamLeases } from './live-leases.ts';
import type { Metrics } from './metrics.ts';
import type { TeamHead } from './store/new-entry.ts';
import type { TeamStore } from './store/team-store.ts';
import type { Teams } from './teams.ts';

/** The objects that the handlers of the calls in `api.ts` use. */
export interface RouteContext {
  readonly store: TeamStore;
  readonly teams: Teams;
  readonly callers: Callers;
  readonly live: Live;
  readonly leases: TeamLeases;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly now: () => number;
  /** Sends a heartbeat to each event stream. */
  readonly beats: Set<() => void>;
}

export const wholeSchema = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number)
  .pipe(z.int());
export const afterSchema = z.object({ after: wholeSchema.default(0) });

export const describeHead = ({ number, hash, parts }: TeamHead, nowMs: number): TeamHeadReply => ({
  number,
  hash,
  parts,
  now: new Date(nowMs).toISOString(),
});

export const describePosted = (results: readonly EntryResult[], head: TeamHead, nowMs: number): Posted => ({
  results: results.map((result) =>
    'code' in result ? { error: describeError(result.code, nowMs) } : result,
  ),
  head: describeHead(head, nowMs),
});

/** The bytes of a request. @throws ApiError `request.invalid` */
export function bodyOf(request: FastifyRequest): Buffer {
  if (!Buffer.isBuffer(request.body)) throw new ApiError('request.invalid');
  return request.body;
}
