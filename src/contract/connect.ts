import { z } from 'zod';

/**
 * The states of a validation, as polling tells them. docs/service.md, "Validation".
 *
 * The event stream may also say `STARTED` and `RETRY`; both mean `PENDING`.
 */
export const validationStateSchema = z.enum([
  'PENDING',
  'WAITING_FOR_METHOD_CHOICE',
  'TRIGGERING_TWO_FACTOR_AUTH',
  'WAITING_FOR_TWO_FACTOR_CODE',
  'ENTERING_CODE',
  'TWO_FACTOR_AUTH_COMPLETE',
  'SUCCESS',
  'FAILURE',
]);
export type ValidationState = z.infer<typeof validationStateSchema>;

/** States that nothing follows: no new information will come, so nobody polls them. */
export const terminalValidationStates: readonly ValidationState[] = ['SUCCESS', 'FAILURE'];

/** Where a Patient Access flow stands, as `GET /interop` tells it. */
export const patientAccessStatusSchema = z.enum(['IN_PROGRESS', 'SUCCESS', 'FAILURE']);
export type PatientAccessStatus = z.infer<typeof patientAccessStatusSchema>;

/** Login problems that keep a connection from working. docs/service.md, "Login problems"; others may come. */
export const criticalLoginProblems = [
  'invalid',
  'invalid_username_format',
  'locked',
  'broken',
  'invalid_interop_token',
] as const;

/** Login problems that a success within the last seven days makes harmless. */
export const warningLoginProblems = [
  'incomplete',
  'needs_two_factor',
  'sec_question',
  'wrong_secondary',
  'mfa_carrier',
  'migrating',
] as const;

/** Values of `login_problem` that are none; null is the usual one. */
export const fineLoginProblems = ['valid', 'inactive'] as const;

/** The sentence of a 403 when a request other than the bootstrap names no member. docs/service.md, "Errors". */
export const emptyUserMessage = 'Cannot provide empty user outside of initial post.';
