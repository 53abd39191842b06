import { terminalValidationStates, type ValidationState } from '../../../contract/carrier-connections.ts';

/** No carrier keeps a session longer. */
export const maxRunMs = 24 * 3_600_000;
/** A service that reports the same state for longer has forgotten the validation. */
export const maxStateMs = 3_600_000;
/** After this long in a resting state, the connection is believed instead of the validation. */
const maxRestMs = 600_000;

export const isTerminal = (state: ValidationState): boolean => terminalValidationStates.includes(state);
/** Some services never proceed from here (docs/service.md, "Validation"). */
export const isResting = (state: ValidationState): boolean => state === 'TWO_FACTOR_AUTH_COMPLETE';

/** How far a validation is in each state; what is asked again is less far than what came after it. */
const order: readonly ValidationState[] = [
  'PENDING',
  'WAITING_FOR_METHOD_CHOICE',
  'TRIGGERING_TWO_FACTOR_AUTH',
  'WAITING_FOR_TWO_FACTOR_CODE',
  'ENTERING_CODE',
  'TWO_FACTOR_AUTH_COMPLETE',
];

/** Whether a state is less far than another one. */
export const isBehind = (state: ValidationState, other: ValidationState): boolean =>
  !isTerminal(state) && order.indexOf(state) < order.indexOf(other);

export const isWaitingForMember = (state: ValidationState): boolean =>
  state === 'WAITING_FOR_METHOD_CHOICE' || state === 'WAITING_FOR_TWO_FACTOR_CODE';

/** The pause before the next poll: 3 s, 5 s while a person is asked, 10 s after two minutes in one state. */
export function pollPauseMs(state: ValidationState, inStateMs: number): number {
  if (inStateMs > 120_000) return 10_000;
  return isWaitingForMember(state) ? 5_000 : 3_000;
}

/** The same beside a stream that may have missed a state: with the reply it is found within 5 s, however long one lasts. */
export const pollPauseBesideMs = (state: ValidationState): number => Math.min(4_000, pollPauseMs(state, 0));

/** The pause before the connection is read again while its validation rests: growing up to 15 s. */
export function restPauseMs(inStateMs: number): number {
  return Math.min(15_000, Math.max(1_500, inStateMs / 2));
}

/** How long a state is still watched; not positive: too long. */
export function leftMs(
  flow: { readonly state: ValidationState; readonly sinceMs: number; readonly startedMs: number },
  nowMs: number,
): number {
  const maxMs = isResting(flow.state) ? maxRestMs : maxStateMs;
  return Math.min(flow.sinceMs + maxMs, flow.startedMs + maxRunMs) - nowMs;
}
