import type { Validation } from '../../../contract/carrier-connections.ts';
import type { StoredValidation, StoredVerdict } from './connect-file.ts';
import { describeFlow } from './describe-validation.ts';
import type { Flow } from './validation-state.ts';
import { isWaitingForMember } from './watch-limits.ts';
import type { Watch } from './watch-validation.ts';

/** The state of a validation that is or was watched. */
export interface WatchedValidation {
  readonly policyHolderId: number;
  readonly taskId: string | null;
  readonly outcome: Validation['outcome'];
  readonly isAsking: boolean;
  readonly isStartedHere: boolean;
}

/** A validation that is or was watched, with its watch. */
export interface ValidationEntry {
  readonly stored: StoredValidation;
  /** False: started elsewhere, for example in the portal or on another computer. */
  readonly isStartedHere: boolean;
  readonly watch: Watch;
  /** When its visible state last changed. */
  changedAt: string;
  /** The state that was last reported to windows. */
  told: string;
  /** Its end was reported and is being stored. */
  isOver: boolean;
}

/** How a validation ended, as reported while it was watched; null: not reported, or still running. */
export function verdictOf({
  state,
  taskId,
  credentialsAreValid,
  isPending,
  message,
  verdict,
}: Flow): StoredVerdict | null {
  if ((state !== 'SUCCESS' && state !== 'FAILURE') || verdict !== null) return null;
  return { taskId, state, credentialsAreValid, isPending, message };
}

export function toWatched({
  stored: { policyHolderId },
  isStartedHere,
  watch: { flow },
}: ValidationEntry): WatchedValidation {
  const { state, taskId, outcome } = flow;
  return { policyHolderId, taskId, outcome, isAsking: isWaitingForMember(state), isStartedHere };
}

/** The validation as windows show it. */
export function toValidation(
  { stored, isStartedHere, watch, changedAt }: Omit<ValidationEntry, 'told' | 'isOver'>,
  nowMs: number,
): Validation {
  const { flow } = watch;
  return {
    policyHolderId: stored.policyHolderId,
    email: stored.email,
    payerId: stored.payerId,
    payerName: stored.payerName,
    state: flow.state,
    methods: [...flow.methods],
    message: flow.message,
    isCodeRefused: flow.isCodeRefused,
    outcome: flow.outcome,
    loginProblem: flow.loginProblem,
    watchedBy: flow.outcome === null ? flow.watchedBy : null,
    interruption: flow.interruption,
    startedAt: stored.startedAt,
    isStartedHere,
    changedAt,
    ...describeFlow(flow, nowMs),
  };
}
