import { z } from 'zod';

/** The settings of Connect at the control address (`PUT /connect/settings`). Times in milliseconds. */
export const connectSettingsSchema = z.strictObject({
  /** Time from one state of a validation to the next. */
  stepMs: z.int().min(0).max(600_000),
  /** How long a carrier waits for a method or a code. */
  sessionMs: z.int().min(0).max(86_400_000),
  pingMs: z.int().min(10).max(600_000),
  /** After this time a stream sends `timeout` and ends. */
  streamMs: z.int().min(10).max(86_400_000),
  /** How long a Patient Access flow waits for the member. */
  flowMs: z.int().min(0).max(86_400_000),
  /** Whether replies contain a new access token. */
  rolling: z.enum(['always', 'never']),
  /** Duration of the first crawl after an accepted login. */
  crawlMs: z.int().min(0).max(86_400_000),
  /**
   * How `POST /interop` returns the address: as `data` itself, or as `data.authorization_url`. The documents leave
   * this open. `none`: it starts the flow and returns no address; `missing`: there is no such call.
   */
  interopReply: z.enum(['text', 'object', 'none', 'missing']),
  /** Whether a carrier's record has `interoperability_authorization_url`, its own address for Patient Access. */
  carrierAddress: z.enum(['told', 'none']),
  /** Whether a carrier's group is only in its own record, as documented, or in every list too. */
  payerGroups: z.enum(['carrier', 'lists']),
  /** `login_problem` of a connection whose login was accepted; the documents allow both. */
  acceptedProblem: z.enum(['valid', 'null']),
  /** Whether `result` of a `FAILURE` in the stream is an object with the carrier's message, or the message itself. */
  failureResult: z.enum(['object', 'text']),
  /** Whether an ended validation can still be read. */
  endedValidations: z.enum(['kept', 'forgotten']),
  /** A sentence that the terms of use end with. */
  termsNote: z.string(),
});

export type ConnectBehavior = z.infer<typeof connectSettingsSchema>;

/** Pings and the stream's end: docs/service.md, "Event stream". */
export const DEFAULT_SETTINGS: ConnectBehavior = {
  stepMs: 1000,
  sessionMs: 600_000,
  pingMs: 15_000,
  streamMs: 600_000,
  flowMs: 600_000,
  rolling: 'always',
  crawlMs: 30_000,
  interopReply: 'text',
  carrierAddress: 'told',
  payerGroups: 'carrier',
  acceptedProblem: 'valid',
  failureResult: 'object',
  endedValidations: 'kept',
  termsNote: 'These terms are current.',
};
