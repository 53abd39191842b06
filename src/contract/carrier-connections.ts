import { z } from 'zod';
import { errorCodes } from './error-codes.ts';

const nullableText = z.string().nullable();
/**
 * Login problems that keep a connection from working (docs/service.md, "Login problems"). The service may send others.
 */
export const criticalLoginProblems = [
  'invalid',
  'invalid_username_format',
  'locked',
  'broken',
  'invalid_interop_token',
] as const;

/** Login problems that do not matter if a crawl succeeded within the last seven days. */
export const warningLoginProblems = [
  'incomplete',
  'needs_two_factor',
  'sec_question',
  'wrong_secondary',
  'mfa_carrier',
  'migrating',
] as const;

/** Values of `login_problem` that are no problem; null is the usual one. */
export const fineLoginProblems = ['valid', 'inactive'] as const;

const severities = ['critical', 'warning', 'running', 'fine', 'unknown'] as const;

/** A carrier connection, explained in plain words. `usernameHint` is masked; the whole username is not stored. */
export const carrierConnectionSchema = z.object({
  policyHolderId: z.int(),
  email: z.string(),
  memberName: z.string(),
  employerName: z.string(),
  /** Address of the employer's support. */
  supportEmail: nullableText,
  payerId: z.int().nullable(),
  payerName: nullableText,
  usernameHint: nullableText,
  severity: z.enum(severities),
  /** The service's value; null: no problem. */
  loginProblem: nullableText,
  needsCorrection: z.boolean(),
  /** The carrier's explanation, in its own words; plain text. */
  correctionMessage: nullableText,
  sentence: z.string(),
  nextStep: nullableText,
  lastSuccessAt: nullableText,
  /** Claims that the service has fetched with this connection; null: not known. */
  claimsSynced: z.int().nullable(),
  /** Date of the newest of these claims. */
  newestClaimOn: nullableText,
  createdAt: nullableText,
  isRunning: z.boolean(),
  /** When the service returned this. */
  readAt: z.string(),
});
export type CarrierConnection = z.infer<typeof carrierConnectionSchema>;

/**
 * The states of a validation, as polling returns them (docs/service.md, "Validation").
 *
 * The event stream may also send `STARTED` and `RETRY`; both mean `PENDING`.
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

/** Final states of a validation: polling ends there. */
export const terminalValidationStates: readonly ValidationState[] = ['SUCCESS', 'FAILURE'];

const validationPhases = ['working', 'chooseMethod', 'enterCode', 'ended'] as const;
export const validationOutcomes = ['connected', 'provisional', 'attention', 'failed', 'unknown'] as const;

/**
 * A validation in plain words. `methods` and `message` are the carrier's own words; `sentence` and `nextStep` are
 * Claimdesk's. `interruption` is why the service cannot be reached now; Claimdesk continues to try.
 */
export const validationSchema = z.object({
  policyHolderId: z.int(),
  email: z.string(),
  payerId: z.int().nullable(),
  payerName: nullableText,
  phase: z.enum(validationPhases),
  state: validationStateSchema,
  methods: z.array(z.string()),
  message: nullableText,
  isCodeRefused: z.boolean(),
  outcome: z.enum(validationOutcomes).nullable(),
  loginProblem: nullableText,
  sentence: z.string(),
  nextStep: nullableText,
  watchedBy: z.enum(['stream', 'polling']).nullable(),
  interruption: z.enum(errorCodes).nullable(),
  /** When the login was submitted, or the validation was first seen. */
  startedAt: z.string(),
  /** False: the login was submitted elsewhere, for example in the portal or on another computer. */
  isStartedHere: z.boolean(),
  changedAt: z.string(),
});
export type Validation = z.infer<typeof validationSchema>;

/** The state of a Patient Access flow, as `GET /interop` returns it. */
export const patientAccessStatusSchema = z.enum(['IN_PROGRESS', 'SUCCESS', 'FAILURE']);
export type PatientAccessStatus = z.infer<typeof patientAccessStatusSchema>;

const patientAccessPhases = ['ready', 'waiting', 'connected', 'failed', 'abandoned'] as const;

/** A sign-in at the carrier's own page. `host` is shown before the page is opened; `message` is the carrier's own. */
export const patientAccessSchema = z.object({
  email: z.string(),
  payerId: z.int(),
  phase: z.enum(patientAccessPhases),
  status: patientAccessStatusSchema,
  host: z.string(),
  authorizationUrl: z.string(),
  policyHolderId: z.int().nullable(),
  message: nullableText,
  sentence: z.string(),
  nextStep: nullableText,
  interruption: z.enum(errorCodes).nullable(),
  startedAt: z.string(),
});
export type PatientAccess = z.infer<typeof patientAccessSchema>;
