import type { ValidationState } from '../../contract/carrier-connections.ts';

/** The service's internal states: two more than polling shows (docs/service.md, "Connect calls"). */
export type RawState = ValidationState | 'STARTED' | 'RETRY';

/** The carrier's behavior, decided when the login is submitted. */
export type CarrierPlan = {
  /**
   * `valid` accepted; `invalid` refused; `broken` cannot be checked; `problem` accepted, but the account has a
   * problem; `undecided` no result yet.
   */
  readonly outcome: 'valid' | 'invalid' | 'broken' | 'problem' | 'undecided';
  /** Methods of sending a code. With none there is no second factor; a single one is used without a choice. */
  readonly methods: readonly string[];
  readonly hasRetry: boolean;
  /**
   * Whether the validation stays at `TWO_FACTOR_AUTH_COMPLETE` after a right code. `told`: the connection then has the
   * result; `untold`: it still shows the validation as running.
   */
  readonly rest: 'none' | 'told' | 'untold';
  /** The code that the carrier sends. */
  readonly code: string;
};

export type SimulatedValidation = {
  readonly state: RawState;
  readonly plan: CarrierPlan;
  /** Whether the carrier was already tried a second time. */
  readonly isRetried: boolean;
  readonly refusedCodes: number;
  /** Whether the entered code is right; wrong codes are not stored. */
  readonly isCodeRight: boolean;
  /** A message that may be shown to the member. */
  readonly message: string | null;
  readonly problem: string | null;
};

/** The events of a validation: time passes, the member answers, a newer submit replaces it. */
export type ValidationEvent =
  | { readonly kind: 'time' }
  | { readonly kind: 'method'; readonly method: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'superseded' };

/** After this many wrong codes the carrier locks the account. */
export const MAX_REFUSED_CODES = 5;

const CODE_REFUSED = 'The code you entered is not correct. Please try again.';
const SESSION_OVER = 'The carrier closed the session because no answer came in time. Please start again.';

const ENDS = {
  valid: { state: 'SUCCESS', message: null, problem: null },
  invalid: {
    state: 'FAILURE',
    message: 'The carrier did not accept this username and password.',
    problem: 'invalid',
  },
  broken: {
    state: 'FAILURE',
    message: 'We could not check this login with the carrier.',
    problem: 'broken',
  },
  problem: {
    state: 'SUCCESS',
    message: 'The carrier asks a security question that must be answered on its website.',
    problem: 'sec_question',
  },
  undecided: {
    state: 'SUCCESS',
    message: 'The carrier has not answered yet; we keep trying.',
    problem: null,
  },
} as const;

export const startValidation = (plan: CarrierPlan): SimulatedValidation => ({
  state: 'PENDING',
  plan,
  isRetried: false,
  refusedCodes: 0,
  isCodeRight: false,
  message: null,
  problem: null,
});

export const isTerminal = (state: RawState): boolean => state === 'SUCCESS' || state === 'FAILURE';

/** Whether the state no longer changes with time. */
export const isAtRest = ({ state, plan }: SimulatedValidation): boolean =>
  state === 'TWO_FACTOR_AUTH_COMPLETE' && plan.rest !== 'none';

export const isWaiting = (state: RawState): boolean =>
  state === 'WAITING_FOR_METHOD_CHOICE' || state === 'WAITING_FOR_TWO_FACTOR_CODE';

/** The state as polling shows it. docs/service.md, "Connect calls": `PENDING` also for `STARTED` and `RETRY`. */
export const polledState = (state: RawState): ValidationState =>
  state === 'STARTED' || state === 'RETRY' ? 'PENDING' : state;

/**
 * Returns the validation after one event; the same object if nothing changes: a terminal validation never changes, and
 * an unexpected answer, or a method that was not offered, is ignored.
 *
 * docs/service.md, "Validation". As time passes a state always changes, unless the validation stays where it is after a
 * right code. A state that waits for an answer fails when the carrier's session times out.
 */
export function nextValidation(validation: SimulatedValidation, event: ValidationEvent): SimulatedValidation {
  const { state, plan } = validation;
  if (isTerminal(state)) return validation;
  switch (event.kind) {
    case 'superseded':
      return { ...validation, state: 'FAILURE', message: 'A newer submit took the place of this one.' };
    case 'method':
      if (state !== 'WAITING_FOR_METHOD_CHOICE' || !plan.methods.includes(event.method)) return validation;
      return { ...validation, state: 'TRIGGERING_TWO_FACTOR_AUTH' };
    case 'code':
      if (state !== 'WAITING_FOR_TWO_FACTOR_CODE') return validation;
      return {
        ...validation,
        state: 'ENTERING_CODE',
        message: null,
        isCodeRight: event.code.trim() === plan.code,
      };
    default:
      return afterTime(validation);
  }
}

function afterTime(validation: SimulatedValidation): SimulatedValidation {
  const { state, plan } = validation;
  switch (state) {
    case 'PENDING':
      return { ...validation, state: 'STARTED' };
    case 'STARTED':
      if (plan.hasRetry && !validation.isRetried) return { ...validation, state: 'RETRY', isRetried: true };
      // A login that the carrier refuses or cannot check does not get to the second factor.
      if (plan.methods.length === 0 || plan.outcome === 'invalid' || plan.outcome === 'broken')
        return end(validation);
      return {
        ...validation,
        state: plan.methods.length === 1 ? 'TRIGGERING_TWO_FACTOR_AUTH' : 'WAITING_FOR_METHOD_CHOICE',
      };
    case 'RETRY':
      return { ...validation, state: 'STARTED' };
    case 'TRIGGERING_TWO_FACTOR_AUTH':
      return { ...validation, state: 'WAITING_FOR_TWO_FACTOR_CODE' };
    case 'ENTERING_CODE':
      return validation.isCodeRight
        ? { ...validation, state: 'TWO_FACTOR_AUTH_COMPLETE' }
        : refuseCode(validation);
    case 'TWO_FACTOR_AUTH_COMPLETE':
      return isAtRest(validation) ? validation : end(validation);
    default:
      return { ...validation, state: 'FAILURE', message: SESSION_OVER, problem: 'needs_two_factor' };
  }
}

function refuseCode(validation: SimulatedValidation): SimulatedValidation {
  const refusedCodes = validation.refusedCodes + 1;
  if (refusedCodes < MAX_REFUSED_CODES)
    return { ...validation, state: 'WAITING_FOR_TWO_FACTOR_CODE', refusedCodes, message: CODE_REFUSED };
  const message = 'Too many wrong codes: the carrier has locked the account.';
  return { ...validation, state: 'FAILURE', refusedCodes, message, problem: 'locked' };
}

function end(validation: SimulatedValidation): SimulatedValidation {
  return { ...validation, ...ENDS[validation.plan.outcome] };
}

/** The login problem of a connection whose validation stays at `TWO_FACTOR_AUTH_COMPLETE`. */
export const problemAtRest = ({ plan }: SimulatedValidation): string | null =>
  plan.outcome === 'valid' ? 'valid' : ENDS[plan.outcome].problem;

/** Whether the carrier accepted the login; null while it is unknown. */
export function credentialsAreValid(validation: SimulatedValidation): boolean | null {
  if (!isTerminal(validation.state)) return null;
  const { outcome } = validation.plan;
  if (validation.state === 'SUCCESS') return outcome === 'undecided' ? null : outcome === 'valid';
  return outcome === 'invalid' ? false : null;
}

/** `SUCCESS` without a result is provisional. */
export const isPending = (validation: SimulatedValidation): boolean =>
  validation.state === 'SUCCESS' && validation.plan.outcome === 'undecided';
