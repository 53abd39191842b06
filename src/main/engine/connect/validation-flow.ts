import {
  fineLoginProblems,
  terminalValidationStates,
  type ValidationState,
  validationStateSchema,
} from '../../../contract/connect.ts';
import type { validationOutcomes } from '../../../contract/connect-views.ts';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import type { ValidationNews } from '../service/connect/progress-stream.ts';

/** What is done next to learn more. There is no step that sends a login: none of these can submit one again. */
export type Step =
  | { readonly kind: 'listen' }
  | { readonly kind: 'poll'; readonly afterMs: number }
  | { readonly kind: 'readHolder'; readonly afterMs: number }
  | { readonly kind: 'rest' };

/** What the policy holder says: the result, or while the validation runs a fresh token for its stream. */
export interface HolderNews {
  readonly taskId: string | null;
  readonly taskToken: string | null;
  readonly loginProblem: string | null;
  readonly lastSuccessAt: string | null;
}

export type Outcome = (typeof validationOutcomes)[number];

/** Where a validation stands, as far as this computer knows. */
export interface Flow {
  readonly state: ValidationState;
  /** When this state was first heard of. */
  readonly sinceMs: number;
  readonly startedMs: number;
  readonly methods: readonly string[];
  readonly message: string | null;
  readonly isCodeRefused: boolean;
  readonly taskId: string | null;
  readonly taskToken: string | null;
  readonly step: Step;
  readonly watchedBy: 'stream' | 'polling' | null;
  readonly interruption: ErrorCode | null;
  readonly outcome: Outcome | null;
  readonly loginProblem: string | null;
  /** When the member's answer was taken; the service may still tell the state before for a moment. */
  readonly answeredMs: number | null;
  readonly credentialsAreValid: boolean | null;
  readonly isPending: boolean;
  /** In a row, without any news. */
  readonly failures: number;
  /** Streams that ended since the state last changed. */
  readonly reattached: number;
  /** What the policy holder said when no validation ran any more. */
  readonly ended: HolderNews | null;
}

export type Happening =
  | { readonly kind: 'news'; readonly news: ValidationNews; readonly via: 'stream' | 'poll' }
  /** The stream is alive: a ping. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'streamEnded'; readonly how: 'closed' | 'timeout' | 'over' | 'lost' }
  | { readonly kind: 'holder'; readonly holder: HolderNews }
  | { readonly kind: 'failed'; readonly step: 'poll' | 'readHolder'; readonly code: ErrorCode }
  /** The service took the member's answer. */
  | { readonly kind: 'answered'; readonly what: 'method' | 'code' }
  /** The service says that nobody waits for the answer: look at where it stands. */
  | { readonly kind: 'answerRefused' };

const mostReattached = 4;
const mostFailures = 5;
const longestPauseMs = 30_000;
/** For so long the state before the member's answer is not believed. */
const answerLagMs = 20_000;
/** No carrier keeps a session for longer. */
const longestRunMs = 24 * 3_600_000;

/** A validation that was just submitted, or one found again: then what it is called is all that is known. */
export function startFlow(known: { taskId: string | null; taskToken: string | null }, nowMs: number): Flow {
  return {
    state: 'PENDING',
    sinceMs: nowMs,
    startedMs: nowMs,
    methods: [],
    message: null,
    isCodeRefused: false,
    ...known,
    step:
      known.taskId !== null && known.taskToken !== null
        ? { kind: 'listen' }
        : { kind: 'readHolder', afterMs: 0 },
    watchedBy: null,
    interruption: null,
    outcome: null,
    loginProblem: null,
    answeredMs: null,
    credentialsAreValid: null,
    isPending: false,
    failures: 0,
    reattached: 0,
    ended: null,
  };
}

/**
 * The flow after one happening (field notes §4, "Validation states" and "Event stream"). As long as there is no
 * outcome there is a next step, and every step leads to a happening: no dead end. An outcome never changes.
 */
export function nextFlow(flow: Flow, happening: Happening, nowMs: number): Flow {
  if (flow.outcome !== null) return flow;
  switch (happening.kind) {
    case 'news':
      return afterNews(flow, happening.news, happening.via, nowMs);
    case 'alive':
      return flow.watchedBy === 'stream' && flow.interruption === null
        ? flow
        : { ...flow, watchedBy: 'stream', interruption: null, failures: 0 };
    case 'streamEnded':
      return afterStream(flow, happening.how, nowMs);
    case 'holder':
      return afterHolder(flow, happening.holder, nowMs);
    case 'failed':
      return afterFailure(flow, happening.step, happening.code, nowMs);
    case 'answered':
      return afterAnswer(flow, happening.what, nowMs);
    default:
      return flow.step.kind === 'poll' ? { ...flow, step: { kind: 'poll', afterMs: 0 } } : flow;
  }
}

/** The pause before the next poll: 3 s, 5 s while a person is asked, 10 s after two minutes in one state. */
export function pollPauseMs(state: ValidationState, inStateMs: number): number {
  if (inStateMs > 120_000) return 10_000;
  return state === 'WAITING_FOR_METHOD_CHOICE' || state === 'WAITING_FOR_TWO_FACTOR_CODE' ? 5_000 : 3_000;
}

/** `STARTED` and `RETRY` are `PENDING`; a state that nobody published changes nothing. */
function readState(given: string | null): ValidationState | null {
  if (given === 'STARTED' || given === 'RETRY') return 'PENDING';
  return validationStateSchema.safeParse(given).data ?? null;
}

const isTerminal = (state: ValidationState): boolean => terminalValidationStates.includes(state);

function afterNews(flow: Flow, news: ValidationNews, via: 'stream' | 'poll', nowMs: number): Flow {
  const heard = {
    ...flow,
    interruption: null,
    failures: 0,
    watchedBy: via === 'stream' ? ('stream' as const) : ('polling' as const),
  };
  const state = readState(news.state) ?? flow.state;
  if (isTerminal(flow.state)) return heard;
  const pollAgain = (sinceMs: number): Step => ({
    kind: 'poll',
    afterMs: pollPauseMs(state, nowMs - sinceMs),
  });
  const isLate =
    flow.answeredMs !== null &&
    nowMs - flow.answeredMs < answerLagMs &&
    ((state === 'WAITING_FOR_METHOD_CHOICE' && flow.state === 'TRIGGERING_TWO_FACTOR_AUTH') ||
      (state === 'WAITING_FOR_TWO_FACTOR_CODE' && flow.state === 'ENTERING_CODE' && news.message === null));
  if (isLate) return { ...heard, step: via === 'poll' ? pollAgain(flow.sinceMs) : flow.step };
  const isMoved = state !== flow.state;
  const sinceMs = isMoved ? nowMs : flow.sinceMs;
  const told: Flow = {
    ...heard,
    state,
    sinceMs,
    methods: state === 'WAITING_FOR_METHOD_CHOICE' ? news.methods : [],
    message: news.message,
    isCodeRefused: state === 'WAITING_FOR_TWO_FACTOR_CODE' && news.message !== null,
    reattached: isMoved ? 0 : flow.reattached,
    answeredMs: isMoved ? null : flow.answeredMs,
    credentialsAreValid: news.credentialsAreValid,
    isPending: news.isPending,
  };
  if (isTerminal(state)) {
    return flow.ended === null
      ? { ...told, step: { kind: 'readHolder', afterMs: 0 } }
      : end({ ...told, loginProblem: flow.ended.loginProblem });
  }
  return { ...told, step: via === 'poll' ? pollAgain(sinceMs) : flow.step };
}

function afterStream(flow: Flow, how: 'closed' | 'timeout' | 'over' | 'lost', nowMs: number): Flow {
  // A terminal state was heard on it, and the result is being read.
  if (flow.step.kind !== 'listen') return flow;
  if (how === 'lost' || flow.reattached >= mostReattached) {
    return { ...flow, step: { kind: 'poll', afterMs: 0 }, watchedBy: 'polling' };
  }
  if (how === 'timeout') return { ...flow, taskToken: null, step: { kind: 'readHolder', afterMs: 0 } };
  const reattached = flow.reattached + 1;
  const afterMs = flow.reattached === 0 ? 0 : Math.min(longestPauseMs, 500 * 2 ** reattached);
  // After two minutes a stream that ends now and then is nothing to hurry for.
  const isOld = nowMs - flow.sinceMs > 120_000;
  return {
    ...flow,
    taskToken: null,
    reattached,
    step: { kind: 'readHolder', afterMs: isOld ? Math.max(afterMs, 3_000) : afterMs },
  };
}

function afterHolder(flow: Flow, holder: HolderNews, nowMs: number): Flow {
  const heard = { ...flow, interruption: null, failures: 0, loginProblem: holder.loginProblem };
  if (isTerminal(flow.state)) return end(heard);
  const taskId = holder.taskId ?? flow.taskId;
  if (holder.taskToken !== null && taskId !== null) {
    const known = { ...heard, taskId, taskToken: holder.taskToken, loginProblem: null, ended: null };
    const wasPolling = flow.watchedBy === 'polling' && flow.taskId === taskId;
    return wasPolling
      ? { ...known, step: { kind: 'poll', afterMs: pollPauseMs(flow.state, nowMs - flow.sinceMs) } }
      : { ...known, step: { kind: 'listen' } };
  }
  // It has ended. What it ended with is read by its own name; without one, the holder is all there is.
  const known = { ...heard, taskToken: null, ended: holder };
  if (flow.taskId === null || flow.ended !== null) return endByHolder(known, holder);
  return { ...known, step: { kind: 'poll', afterMs: 0 } };
}

function afterFailure(flow: Flow, step: 'poll' | 'readHolder', code: ErrorCode, nowMs: number): Flow {
  const failures = flow.failures + 1;
  const known: Flow = { ...flow, failures, interruption: code };
  const isAnswer = code.startsWith('connect.');
  const isOver = nowMs - flow.startedMs > longestRunMs || (isAnswer && failures >= mostFailures);
  if (step === 'poll' && code === 'connect.notFound') {
    // The service has forgotten the validation; its policy holder may know how it ended.
    if (flow.ended !== null) return endByHolder({ ...known, interruption: null }, flow.ended);
    if (!isOver) return { ...known, taskId: null, step: { kind: 'readHolder', afterMs: 0 } };
  }
  if (isTerminal(flow.state) && (isOver || failures >= mostFailures)) return end(known);
  if (isOver) return { ...known, outcome: 'unknown', step: { kind: 'rest' } };
  const afterMs = Math.min(longestPauseMs, 1_500 * 2 ** failures);
  return { ...known, step: { kind: step, afterMs } };
}

function afterAnswer(flow: Flow, what: 'method' | 'code', nowMs: number): Flow {
  const isAsked =
    flow.state === (what === 'method' ? 'WAITING_FOR_METHOD_CHOICE' : 'WAITING_FOR_TWO_FACTOR_CODE');
  if (!isAsked) return flow;
  return {
    ...flow,
    state: what === 'method' ? 'TRIGGERING_TWO_FACTOR_AUTH' : 'ENTERING_CODE',
    sinceMs: nowMs,
    answeredMs: nowMs,
    methods: [],
    message: null,
    isCodeRefused: false,
    reattached: 0,
    step: flow.step.kind === 'poll' ? { kind: 'poll', afterMs: 1_500 } : flow.step,
  };
}

/** The end, by the last state: `SUCCESS` alone is not it (field notes §4). */
function end(flow: Flow): Flow {
  const hasProblem = flow.loginProblem !== null && !isFine(flow.loginProblem);
  let outcome: Outcome = 'connected';
  if (flow.state === 'FAILURE') outcome = 'failed';
  else if (flow.credentialsAreValid === false || hasProblem) outcome = 'attention';
  else if (flow.isPending) outcome = 'provisional';
  return { ...flow, outcome, taskToken: null, step: { kind: 'rest' } };
}

/** The end, where only the policy holder can tell: all null is not success. */
function endByHolder(flow: Flow, holder: HolderNews): Flow {
  const { loginProblem, lastSuccessAt } = holder;
  let outcome: Outcome = 'unknown';
  if (loginProblem !== null && !isFine(loginProblem)) outcome = 'attention';
  else if (lastSuccessAt !== null || loginProblem === 'valid') outcome = 'connected';
  return { ...flow, loginProblem, outcome, taskToken: null, step: { kind: 'rest' } };
}

const isFine = (problem: string): boolean => (fineLoginProblems as readonly string[]).includes(problem);
