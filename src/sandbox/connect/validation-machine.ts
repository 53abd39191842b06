import type { ValidationState } from '../../contract/connect.ts';

/** What the service knows inside: two states more than polling tells (docs/service.md, "Connect calls"). */
export type RawState = ValidationState | 'STARTED' | 'RETRY';

/** How the carrier will take it, settled when the credentials come in. */
export type CarrierPlan = {
  /** `valid` accepted; `invalid` refused; `broken` cannot be checked; `problem` let in, but the account is not in order; `undecided` no verdict yet. */
  readonly outcome: 'valid' | 'invalid' | 'broken' | 'problem' | 'undecided';
  /** Ways of sending a code: none for no second factor, one is taken without asking. */
  readonly methods: readonly string[];
  readonly hasRetry: boolean;
  /**
   * Whether the validation goes no further once the code was right. The connection then knows how it ended
   * (`told`), or goes on naming the validation as running (`untold`).
   */
  readonly rest: 'none' | 'told' | 'untold';
  /** The code that the carrier sends. */
  readonly code: string;
};

export type Validation = {
  readonly state: RawState;
  readonly plan: CarrierPlan;
  /** Whether the carrier has been tried again already. */
  readonly isRetried: boolean;
  readonly refusedCodes: number;
  /** The code being entered is right; a wrong one is never kept. */
  readonly isCodeRight: boolean;
  /** Safe to show to the member. */
  readonly message: string | null;
  readonly problem: string | null;
};

/** What can happen to a validation: time passes, the member answers, a newer submit takes its place. */
export type Happening =
  | { readonly kind: 'time' }
  | { readonly kind: 'method'; readonly method: string }
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'superseded' };

/** After so many refused codes the carrier locks the account. */
export const MAX_REFUSED_CODES = 5;

export const CODE_REFUSED = 'The code you entered is not correct. Please try again.';
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

export function startValidation(plan: CarrierPlan): Validation {
  return {
    state: 'PENDING',
    plan,
    isRetried: false,
    refusedCodes: 0,
    isCodeRight: false,
    message: null,
    problem: null,
  };
}

export const isTerminal = (state: RawState): boolean => state === 'SUCCESS' || state === 'FAILURE';

/** Where time leads no further. */
export const isAtRest = ({ state, plan }: Validation): boolean =>
  state === 'TWO_FACTOR_AUTH_COMPLETE' && plan.rest !== 'none';

export const isWaiting = (state: RawState): boolean =>
  state === 'WAITING_FOR_METHOD_CHOICE' || state === 'WAITING_FOR_TWO_FACTOR_CODE';

/** The state as polling tells it. docs/service.md, "Connect calls": `PENDING` also for `STARTED` and `RETRY`. */
export function polledState(state: RawState): ValidationState {
  return state === 'STARTED' || state === 'RETRY' ? 'PENDING' : state;
}

/**
 * The validation after one happening; the same one where it changes nothing: a terminal validation never moves,
 * and an answer nobody waits for, or a method that was not offered, is passed over.
 *
 * docs/service.md, "Validation". Time always leads on, so there is no dead end, except where the carrier
 * rests after the code: where a person is asked, the time that passes is the carrier's session, and its end is a
 * failure.
 */
export function nextValidation(validation: Validation, happening: Happening): Validation {
  const { state, plan } = validation;
  if (isTerminal(state)) return validation;
  switch (happening.kind) {
    case 'superseded':
      return { ...validation, state: 'FAILURE', message: 'A newer submit took the place of this one.' };
    case 'method':
      if (state !== 'WAITING_FOR_METHOD_CHOICE' || !plan.methods.includes(happening.method))
        return validation;
      return { ...validation, state: 'TRIGGERING_TWO_FACTOR_AUTH' };
    case 'code':
      if (state !== 'WAITING_FOR_TWO_FACTOR_CODE') return validation;
      return {
        ...validation,
        state: 'ENTERING_CODE',
        message: null,
        isCodeRight: happening.code.trim() === plan.code,
      };
    default:
      return afterTime(validation);
  }
}

function afterTime(validation: Validation): Validation {
  const { state, plan } = validation;
  switch (state) {
    case 'PENDING':
      return { ...validation, state: 'STARTED' };
    case 'STARTED':
      if (plan.hasRetry && !validation.isRetried) return { ...validation, state: 'RETRY', isRetried: true };
      // A login that the carrier refuses, or that cannot be tried, never gets as far as a code.
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

function refuseCode(validation: Validation): Validation {
  const refusedCodes = validation.refusedCodes + 1;
  if (refusedCodes < MAX_REFUSED_CODES) {
    return { ...validation, state: 'WAITING_FOR_TWO_FACTOR_CODE', refusedCodes, message: CODE_REFUSED };
  }
  const message = 'Too many wrong codes: the carrier has locked the account.';
  return { ...validation, state: 'FAILURE', refusedCodes, message, problem: 'locked' };
}

function end(validation: Validation): Validation {
  return { ...validation, ...ENDS[validation.plan.outcome] };
}

/** What the connection says of a validation that rests. */
export function problemAtRest({ plan }: Validation): string | null {
  return plan.outcome === 'valid' ? 'valid' : ENDS[plan.outcome].problem;
}

/** Whether the carrier accepted the login; null as long as nobody knows. */
export function credentialsAreValid(validation: Validation): boolean | null {
  if (!isTerminal(validation.state)) return null;
  const { outcome } = validation.plan;
  if (validation.state === 'SUCCESS') return outcome === 'undecided' ? null : outcome === 'valid';
  return outcome === 'invalid' ? false : null;
}

/** `SUCCESS` without a verdict is provisional. */
export function isPending(validation: Validation): boolean {
  return validation.state === 'SUCCESS' && validation.plan.outcome === 'undecided';
}
