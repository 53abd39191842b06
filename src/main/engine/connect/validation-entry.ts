import type { Validation } from '../../../contract/carrier-connections.ts';
import { assessConnection } from './assess-connection.ts';
import type { StoredValidation, StoredVerdict } from './connect-file.ts';
import type { Flow } from './validation-state.ts';
import { isWaitingForMember } from './watch-limits.ts';
import type { Watch } from './watch-validation.ts';

type Said = Pick<Validation, 'phase' | 'sentence' | 'nextStep'>;

const working: Partial<Record<Flow['state'], string>> = {
  TRIGGERING_TWO_FACTOR_AUTH: 'The carrier is sending a code to the member.',
  ENTERING_CODE: 'The carrier is checking the code.',
  TWO_FACTOR_AUTH_COMPLETE: 'The carrier accepted the code; the login is being finished.',
};

/** The states of a validation in plain sentences, shown beside the carrier's own text. */
function describeFlow(flow: Flow, nowMs: number): Said {
  if (flow.outcome !== null) return { phase: 'ended', ...describeEnd(flow, nowMs) };
  if (flow.state === 'WAITING_FOR_METHOD_CHOICE') {
    return {
      phase: 'chooseMethod',
      sentence: 'The carrier asks how the member wants to get a code.',
      nextStep: 'Ask the member, and choose one.',
    };
  }
  if (flow.state === 'WAITING_FOR_TWO_FACTOR_CODE') {
    return {
      phase: 'enterCode',
      sentence: flow.isCodeRefused
        ? 'Wrong code. Ask for a new one.'
        : 'The carrier has sent a code to the member.',
      nextStep: flow.isCodeRefused ? null : 'Ask the member for the code, and enter it.',
    };
  }
  const isOff = flow.interruption !== null;
  return {
    phase: 'working',
    sentence: working[flow.state] ?? 'The carrier is checking the login.',
    nextStep: isOff ? 'Claimdesk can’t reach the service now, and keeps trying.' : null,
  };
}

function describeEnd(flow: Flow, nowMs: number): Pick<Said, 'sentence' | 'nextStep'> {
  switch (flow.outcome) {
    case 'connected':
      return { sentence: 'The carrier accepted the login.', nextStep: null };
    case 'provisional':
      return {
        sentence: 'The carrier hasn’t accepted the login yet; the service keeps trying.',
        nextStep: 'Look at this connection again tomorrow.',
      };
    case 'unknown':
      return {
        sentence: 'The result isn’t known yet.',
        nextStep: 'Check again in a few minutes. Don’t submit the login again before that.',
      };
    default: {
      if (flow.loginProblem === null) {
        return {
          sentence: 'The carrier did not accept the login.',
          nextStep: 'Check the login with the member, and correct it.',
        };
      }
      const facts = {
        loginProblem: flow.loginProblem,
        needsCorrection: true,
        lastSuccessAt: null,
        claimsSynced: null,
        isRunning: false,
      };
      const { sentence, nextStep } = assessConnection(facts, nowMs);
      return { sentence, nextStep };
    }
  }
}

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
  /** False if it was started elsewhere, for example in the portal or on another computer. */
  readonly isStartedHere: boolean;
  readonly watch: Watch;
  /** When its visible state last changed. */
  changedAt: string;
  /** The state that was last sent to windows. */
  reported: string;
  isOver: boolean;
}

/** Returns how a watched validation ended; null: not reported, or still running. */
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

/** Returns the validation as windows show it. */
export function toValidation(
  { stored, isStartedHere, watch, changedAt }: Omit<ValidationEntry, 'reported' | 'isOver'>,
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
