import { z } from 'zod';

/** Routes of the data API that a fault can apply to; `*` is all five. */
const DATA_ROUTES = ['claims', 'vendor-member-claims', 'policy-holder-claims', 'members', 'member'] as const;
export type DataRoute = (typeof DATA_ROUTES)[number];

/** Routes of Connect that a fault can apply to; `connect` is all of them. */
const CONNECT_ROUTES = [
  'connect-bootstrap',
  'connect-payer',
  'connect-terms',
  'connect-submit',
  'connect-policy-holder',
  'connect-validation',
  'connect-answer',
  'connect-fix',
  'connect-interop',
  'connect-mint',
  'connect-stream',
] as const;
export type ConnectRoute = (typeof CONNECT_ROUTES)[number];

const common = {
  route: z.enum([...DATA_ROUTES, ...CONNECT_ROUTES, '*', 'connect']).default('*'),
  page: z.int().min(1).optional(),
  /** Applies only to requests for more than this many records a page. */
  above: z.int().min(0).optional(),
  /** Skips this many matching requests first. */
  after: z.int().min(0).default(0),
  /** Then applies this many times; without it always. */
  times: z.int().min(1).optional(),
  /** Share of the matching requests that it applies to, decided by the seed and a counter. */
  rate: z.number().min(0).max(1).default(1),
};

const fault = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.strictObject({ kind: z.literal(kind), ...common, ...shape });

/**
 * The faults of the service. Each object is one fault; `kind` says which.
 *
 * Before the reply: `latency`, `status`, `rate-limit`, `redirect`, `reset`. In the records and the envelope:
 * `huge-string` to `missing-rows`. In the body and its delivery: `truncated` to `drip`, and `reset` mid-body. For
 * Connect only: `expired-token` and those after it; those with `-stream` apply to `connect-stream`.
 */
export const faultSchema = z.discriminatedUnion('kind', [
  fault('latency', { ms: z.int().min(0).max(600_000) }),
  fault('status', {
    status: z.int().min(400).max(599).default(500),
    body: z.enum(['json', 'html', 'empty']).default('json'),
  }),
  fault('rate-limit', {
    seconds: z.int().min(0).max(86_400).default(1),
    form: z.enum(['seconds', 'date']).default('seconds'),
  }),
  fault('redirect', { location: z.string().min(1), status: z.int().min(301).max(308).default(302) }),
  fault('reset', { afterBytes: z.int().min(0).default(0) }),
  fault('big-cookies', { bytes: z.int().min(1).max(1_000_000).default(20_000) }),
  fault('huge-string', { megabytes: z.number().min(0.001).max(64).default(20) }),
  fault('unknown-fields', {}),
  fault('missing-fields', {}),
  fault('wrong-types', { every: z.int().min(1).default(1) }),
  fault('single-object', {}),
  fault('ignore-paging', { ignored: z.enum(['page', 'per_page', 'both', 'all-at-once']).default('page') }),
  /** Returns at most `max` records a page. The envelope has the size that was used, or the requested one. */
  fault('cap-pages', { max: z.int().min(1).default(100), says: z.enum(['used', 'asked']).default('used') }),
  fault('endless', { data: z.enum(['empty', 'repeat']).default('repeat') }),
  fault('lying-has-next', { value: z.boolean().default(false) }),
  fault('moving-total', { by: z.int().default(1) }),
  fault('zero-nums', {}),
  fault('repeat-rows', { count: z.int().min(1).default(1) }),
  fault('missing-rows', { count: z.int().min(1).default(1) }),
  fault('truncated', { keep: z.number().min(0).max(1).default(0.5) }),
  fault('replace-body', { body: z.enum(['html', 'empty', 'text']).default('html') }),
  fault('content-type', { value: z.string().default('text/plain') }),
  fault('broken-utf8', {}),
  fault('drip', { bytes: z.int().min(1).default(1024), everyMs: z.int().min(0).max(60_000).default(50) }),
  fault('expired-token', {}),
  fault('drop-stream', {
    afterEvents: z.int().min(0).default(1),
    how: z.enum(['end', 'reset']).default('end'),
  }),
  fault('mute-stream', {}),
  fault('lost-events', { afterEvents: z.int().min(0).default(1), count: z.int().min(1).default(1_000_000) }),
  fault('timeout-stream', { afterEvents: z.int().min(0).default(1) }),
  fault('odd-stream', {}),
]);

export type ServiceFault = z.infer<typeof faultSchema>;
export type FaultKind = ServiceFault['kind'];
