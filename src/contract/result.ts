import { z } from 'zod';
import { errorCodes } from './error-codes.ts';

/**
 * The error of a failed call: a stable code, one sentence, one next step, and the service's request ID where there is
 * one. `details` holds no personal data and no secret.
 */
export const errorReportSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  nextStep: z.string(),
  requestId: z.string().optional(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});
export type ErrorReport = z.infer<typeof errorReportSchema>;

/** The only two forms of a reply over a bridge: never `undefined`, never the text of an exception. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: ErrorReport };
