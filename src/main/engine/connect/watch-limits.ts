import { terminalValidationStates, type ValidationState } from '../../../contract/carrier-connections.ts';

/** The longest time that a validation is watched in total; no carrier keeps a session longer. */
export const maxRunMs = 24 * 3_600_000;
/** The longest time in one state; published clients follow a validation for up to 80 minutes. */
export const maxStateMs = 90 * 60_000;
/** The longest time in a resting state since the connection last named the validation as running. */
const maxRestMs = 600_000;

export const isTerminal = (state: ValidationState): boolean => terminalValidationStates.includes(state);
/** Some services never report a state after this one (docs/service.md, "Validation"). */
export const isResting = (state: ValidationState): boolean => state === 'TWO_FACTOR_AUTH_COMPLETE';

/** The order of the states. A repeated question is an earlier state than the one after the answer. */
const order: readonly ValidationState[] = [
  'PENDING',
  'WAITING_FOR_METHOD_CHOICE',
  'TRIGGERING_TWO_FACTOR_AUTH',
  'WAITING_FOR_TWO_FACTOR_CODE',
  'ENTERING_CODE',
  'TWO_FACTOR_AUTH_COMPLETE',
];

/** Returns whether a state comes before another one. */
export const isBehind = (state: ValidationState, other: ValidationState): boolean =>
  !isTerminal(state) && order.indexOf(state) < order.indexOf(other);

export const isWaitingForMember = (state: ValidationState): boolean =>
  state === 'WAITING_FOR_METHOD_CHOICE' || state === 'WAITING_FOR_TWO_FACTOR_CODE';

/** Returns the pause before a poll: 3 s, 5 s while the member has to answer, 10 s after 2 min in a state. */
export function pollPauseMs(state: ValidationState, inStateMs: number): number {
  if (inStateMs > 120_000) return 10_000;
  return isWaitingForMember(state) ? 5_000 : 3_000;
}

/** The pause between polls beside an open stream: a state that the stream missed is found within 5 s. */
export const pollPauseBesideMs = (state: ValidationState): number => Math.min(4_000, pollPauseMs(state, 0));

/** Returns the pause before the next request in a resting state, which grows up to 15 s. */
export const restPauseMs = (inStateMs: number): number => Math.min(15_000, Math.max(1_500, inStateMs / 2));

/** Returns how much longer a state is watched, in milliseconds; 0 or less: stop. */
export function leftMs(
  flow: {
    readonly state: ValidationState;
    readonly sinceMs: number;
    readonly startedMs: number;
    readonly namedMs: number;
  },
  nowMs: number,
): number {
  const { sinceMs, startedMs, namedMs } = flow;
  const restEndMs = isResting(flow.state) ? Math.max(sinceMs, namedMs) + maxRestMs : Infinity;
  return Math.min(sinceMs + maxStateMs, startedMs + maxRunMs, restEndMs) - nowMs;
}
