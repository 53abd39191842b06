import {
  fineLoginProblems,
  type ValidationState,
  validationStateSchema,
} from '../../../contract/carrier-connections.ts';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import type { ValidationNews } from '../service/connect/progress-stream.ts';
import {
  atFirst,
  type Flow,
  type FlowEvent,
  type HolderNews,
  type Outcome,
  type Step,
  type StreamEnding,
} from './validation-state.ts';
import {
  isBehind,
  isResting,
  isTerminal,
  leftMs,
  maxRunMs,
  pollPauseBesideMs,
  pollPauseMs,
  restPauseMs,
} from './watch-limits.ts';

const maxReattached = 10;
const maxFailures = 5;
const maxPauseMs = 30_000;
/** An earlier state counts as a delayed report for this long after a state was last reported. */
const maxLagMs = 20_000;
/** Pause after a stream that the service timed out, so that requests are limited if the service always does so. */
const timeoutPauseMs = 1_000;

/**
 * Returns the flow after one event (docs/service.md, "Validation" and "Event stream"). Until there is an outcome, every
 * step leads to another event. Watching is limited: the result is unknown after 90 minutes in one state, after ten
 * minutes in `TWO_FACTOR_AUTH_COMPLETE` in which the connection names no running validation, and after a day in total.
 * An outcome never changes.
 */
export function nextFlow(flow: Flow, event: FlowEvent, nowMs: number): Flow {
  if (flow.outcome !== null) return flow;
  const next = applyEvent(flow, event, nowMs);
  const isOver = nowMs - next.startedMs >= maxRunMs && !isTerminal(next.state);
  return isOver && next.outcome === null ? giveUp(next) : next;
}

function applyEvent(flow: Flow, event: FlowEvent, nowMs: number): Flow {
  switch (event.kind) {
    case 'news':
      return afterNews(flow, event, nowMs);
    case 'alive':
      return flow.step.kind !== 'listen' || (flow.watchedBy === 'stream' && flow.interruption === null)
        ? flow
        : { ...flow, watchedBy: 'stream', interruption: null, failures: 0 };
    case 'streamEnded':
      return afterStream(flow, event.how, nowMs);
    case 'holder':
      return afterHolder(flow, event.holder, nowMs);
    case 'failed':
      return afterFailure(flow, event.step, event.code, nowMs);
    case 'answered':
      return afterAnswer(flow, event.what, nowMs);
    default:
      return flow.step.kind === 'poll' ? { ...flow, step: { kind: 'poll', afterMs: 0 } } : flow;
  }
}

type News = Extract<FlowEvent, { readonly kind: 'news' }>;

/** Reads a state: `STARTED` and `RETRY` are `PENDING`; an unpublished state changes nothing. */
function readState(given: string | null): ValidationState | null {
  if (given === 'STARTED' || given === 'RETRY') return 'PENDING';
  return validationStateSchema.safeParse(given).data ?? null;
}

/** Returns the next step: listen, or poll where there is no stream; in a resting state, read the connection. */
function watchOn(flow: Flow, nowMs: number): Step {
  const inStateMs = nowMs - flow.sinceMs;
  if (isResting(flow.state)) return { kind: 'readHolder', afterMs: restPauseMs(inStateMs) };
  if (flow.taskId === null) return { kind: 'readHolder', afterMs: pollPauseMs(flow.state, inStateMs) };
  return flow.taskToken === null || flow.watchedBy === 'polling'
    ? { kind: 'poll', afterMs: pollPauseMs(flow.state, inStateMs) }
    : { kind: 'listen', forMs: Math.max(0, leftMs(flow, nowMs)) };
}

/**
 * Returns whether a report is about an earlier state. The stream and polling run in parallel, either may be delayed,
 * and a poll may have been sent before the member's answer. After the carrier refused a code, the state changes back at
 * once. Any other earlier state is accepted only if the later one was not reported for `maxLagMs`.
 */
function isLate(flow: Flow, state: ValidationState, event: News, nowMs: number): boolean {
  if (!isBehind(state, flow.state)) return false;
  const { answeredMs } = flow;
  const isAfterAnswer =
    event.via === 'stream' || answeredMs === null || (event.askedMs ?? nowMs) >= answeredMs;
  const isRefusedCode =
    state === 'WAITING_FOR_TWO_FACTOR_CODE' && flow.state === 'ENTERING_CODE' && event.news.message !== null;
  return !(isRefusedCode && isAfterAnswer) && nowMs - flow.confirmedMs < maxLagMs;
}

function afterNews(flow: Flow, event: News, nowMs: number): Flow {
  const { news, via } = event;
  const isBesideStream = via === 'poll' && flow.step.kind === 'listen';
  const reportedState = readState(news.state);
  const state = reportedState ?? flow.state;
  if (isTerminal(flow.state)) return flow;
  const updated: Flow = {
    ...flow,
    interruption: null,
    failures: 0,
    watchedBy: via === 'stream' ? 'stream' : isBesideStream ? (flow.watchedBy ?? 'polling') : 'polling',
  };
  if (isLate(flow, state, event, nowMs)) {
    if (via === 'stream' || isBesideStream) return updated;
    const afterMs = pollPauseMs(state, nowMs - flow.sinceMs);
    return { ...updated, step: flow.ended === null ? watchOn(updated, nowMs) : { kind: 'poll', afterMs } };
  }
  const newFlow = takeOver(updated, state, news, nowMs, reportedState !== null);
  if (isTerminal(state)) {
    return flow.ended === null
      ? { ...newFlow, step: { kind: 'readHolder', afterMs: 0 } }
      : end({ ...newFlow, loginProblem: flow.ended.loginProblem });
  }
  if (isResting(state)) {
    // The validation has ended and reports nothing further.
    if (flow.ended !== null) return endByHolder(newFlow, flow.ended);
    const hasNewState = state !== flow.state;
    const step: Step = hasNewState ? { kind: 'readHolder', afterMs: 0 } : watchOn(newFlow, nowMs);
    return { ...newFlow, watchedBy: 'polling', step };
  }
  if (via === 'stream' || isBesideStream) return newFlow;
  return {
    ...newFlow,
    step: leftMs(newFlow, nowMs) > 0 ? watchOn(newFlow, nowMs) : { kind: 'readHolder', afterMs: 0 },
  };
}

/** Combines the state with a report; for the same state, the stream and polling may report different details. */
function takeOver(
  flow: Flow,
  state: ValidationState,
  news: ValidationNews,
  nowMs: number,
  isReported: boolean,
): Flow {
  const hasNewState = state !== flow.state;
  const methods = news.methods.length > 0 || hasNewState ? news.methods : flow.methods;
  const message = news.message ?? (hasNewState ? null : flow.message);
  return {
    ...flow,
    state,
    sinceMs: hasNewState ? nowMs : flow.sinceMs,
    confirmedMs: isReported ? nowMs : flow.confirmedMs,
    methods: state === 'WAITING_FOR_METHOD_CHOICE' ? methods : [],
    message,
    isCodeRefused: state === 'WAITING_FOR_TWO_FACTOR_CODE' && message !== null,
    reattached: hasNewState ? 0 : flow.reattached,
    answeredMs: hasNewState ? null : flow.answeredMs,
    credentialsAreValid: news.credentialsAreValid ?? (hasNewState ? null : flow.credentialsAreValid),
    isPending: news.isPending,
  };
}

function afterStream(flow: Flow, how: StreamEnding, nowMs: number): Flow {
  // The stream reported a state after which the connection is read instead.
  if (flow.step.kind !== 'listen') return flow;
  if (how === 'tooLong') return { ...flow, taskToken: null, step: { kind: 'readHolder', afterMs: 0 } };
  if (how === 'lost' || flow.reattached >= maxReattached)
    return { ...flow, step: { kind: 'poll', afterMs: 0 }, watchedBy: 'polling' };
  if (how === 'timeout')
    return { ...flow, taskToken: null, step: { kind: 'readHolder', afterMs: timeoutPauseMs } };
  const reattached = flow.reattached + 1;
  // Without a stream nothing is reported during this pause, so it is at most that of polling.
  const afterMs = flow.reattached === 0 ? 0 : Math.min(pollPauseBesideMs(flow.state), 500 * 2 ** reattached);
  // After two minutes, a stream that ends repeatedly is not reopened faster.
  const isOld = nowMs - flow.sinceMs > 120_000;
  return {
    ...flow,
    taskToken: null,
    reattached,
    step: { kind: 'readHolder', afterMs: isOld ? Math.max(afterMs, 3_000) : afterMs },
  };
}

function afterHolder(flow: Flow, holder: HolderNews, nowMs: number): Flow {
  const updated = { ...flow, interruption: null, failures: 0, loginProblem: holder.loginProblem };
  if (isTerminal(flow.state)) return end(updated);
  const isRunning = holder.taskId !== null || holder.taskToken !== null;
  const { verdict } = flow;
  if (verdict !== null && (!isRunning || holder.taskId === verdict.taskId))
    return end({ ...updated, ...verdict });
  if (isRunning) return afterRunning(updated, holder, nowMs);
  // The validation has ended. Its result is read with the task token, or without one from the policy holder.
  const newFlow = { ...updated, taskToken: null, ended: holder };
  if (flow.taskId === null || flow.ended !== null) return endByHolder(newFlow, holder);
  return { ...newFlow, step: { kind: 'poll', afterMs: 0 } };
}

/** The connection has a running validation: this one, or a newer one that replaced it. */
function afterRunning(flow: Flow, holder: HolderNews, nowMs: number): Flow {
  const taskId = holder.taskId ?? flow.taskId;
  const running = {
    ...flow,
    taskId,
    taskToken: holder.taskToken,
    loginProblem: null,
    ended: null,
    verdict: null,
    namedMs: nowMs,
  };
  const isNewer = flow.taskId !== null && taskId !== flow.taskId;
  const newFlow: Flow = isNewer
    ? {
        ...running,
        ...atFirst,
        sinceMs: nowMs,
        confirmedMs: nowMs,
        watchedBy: null,
        answeredMs: null,
        reattached: 0,
      }
    : running;
  if (leftMs(newFlow, nowMs) <= 0) return giveUp(newFlow);
  const next = watchOn(newFlow, nowMs);
  // In a resting state the connection and the validation are read in turn, because the carrier may ask again.
  const step: Step = next.kind === 'readHolder' && newFlow.taskId !== null ? { ...next, kind: 'poll' } : next;
  return { ...newFlow, step };
}

function afterFailure(flow: Flow, step: 'poll' | 'readHolder', code: ErrorCode, nowMs: number): Flow {
  const failures = flow.failures + 1;
  const newFlow: Flow = { ...flow, failures, interruption: code };
  const isAnswer = code.startsWith('connect.');
  const isTooLong = isResting(flow.state) && leftMs(flow, nowMs) <= 0;
  const isOver = isTooLong || (isAnswer && failures >= maxFailures);
  if (step === 'poll' && code === 'connect.notFound') {
    // The service no longer knows the validation; its policy holder may show how it ended.
    if (flow.ended !== null) return endByHolder({ ...newFlow, interruption: null }, flow.ended);
    if (!isOver) return { ...newFlow, taskId: null, step: { kind: 'readHolder', afterMs: 3_000 } };
  }
  if (isTerminal(flow.state) && (isOver || failures >= maxFailures)) return end(newFlow);
  if (isOver)
    return flow.ended === null
      ? giveUp(newFlow)
      : endByHolder({ ...newFlow, interruption: null }, flow.ended);
  const afterMs = Math.min(maxPauseMs, 1_500 * 2 ** failures);
  // The connection reports whether the validation still runs, even if that cannot be read.
  const kind = isResting(flow.state) && flow.ended === null ? 'readHolder' : step;
  return { ...newFlow, step: { kind, afterMs } };
}

function afterAnswer(flow: Flow, what: 'method' | 'code', nowMs: number): Flow {
  const isAsked =
    flow.state === (what === 'method' ? 'WAITING_FOR_METHOD_CHOICE' : 'WAITING_FOR_TWO_FACTOR_CODE');
  if (!isAsked) return flow;
  return {
    ...flow,
    state: what === 'method' ? 'TRIGGERING_TWO_FACTOR_AUTH' : 'ENTERING_CODE',
    sinceMs: nowMs,
    confirmedMs: nowMs,
    answeredMs: nowMs,
    methods: [],
    message: null,
    isCodeRefused: false,
    reattached: 0,
    step: flow.step.kind === 'poll' ? { kind: 'poll', afterMs: 1_500 } : flow.step,
  };
}

/** Stops watching; the validation continues at the service. */
function giveUp(flow: Flow): Flow {
  return { ...flow, outcome: 'unknown', taskToken: null, step: { kind: 'rest' } };
}

/** Ends the flow by its last state. `SUCCESS` alone is not the end (docs/service.md, "Validation"). */
function end(flow: Flow): Flow {
  const hasProblem = flow.loginProblem !== null && !isFine(flow.loginProblem);
  let outcome: Outcome = 'connected';
  if (flow.state === 'FAILURE') outcome = 'failed';
  else if (flow.credentialsAreValid === false || hasProblem) outcome = 'attention';
  else if (flow.isPending) outcome = 'provisional';
  return { ...flow, outcome, taskToken: null, step: { kind: 'rest' } };
}

/** Ends the flow by the policy holder alone; a holder whose fields are all null is no success. */
function endByHolder(flow: Flow, holder: HolderNews): Flow {
  const { loginProblem, lastSuccessAt } = holder;
  let outcome: Outcome = 'unknown';
  if (loginProblem !== null && !isFine(loginProblem)) outcome = 'attention';
  else if (flow.credentialsAreValid === false) outcome = 'attention';
  else if (flow.credentialsAreValid || lastSuccessAt !== null || loginProblem === 'valid')
    outcome = 'connected';
  return { ...flow, loginProblem, outcome, taskToken: null, step: { kind: 'rest' } };
}

const isFine = (problem: string): boolean => (fineLoginProblems as readonly string[]).includes(problem);
