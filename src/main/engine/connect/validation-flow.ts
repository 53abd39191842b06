import { type ValidationState, validationStateSchema } from '../../../contract/connect.ts';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import type { ValidationNews } from '../service/connect/progress-stream.ts';
import { end, endByHolder, giveUp } from './validation-outcome.ts';
import {
  atFirst,
  type Flow,
  type Happening,
  type HolderNews,
  type Step,
  type StreamEnding,
} from './validation-state.ts';
import { isResting, isTerminal, leftMs, maxRunMs, pollPauseMs, restPauseMs } from './watch-limits.ts';

const maxReattached = 4;
const maxFailures = 5;
const maxPauseMs = 30_000;
/** After the member's answer, the state before it is ignored for this long. */
const answerLagMs = 20_000;
/** Pause after a stream that the service timed out, so that a service that always does so is not asked without end. */
const timeoutPauseMs = 1_000;

/**
 * The flow after one event (docs/service.md, "Validation" and "Event stream"). Until there is an outcome there is a
 * next step, and every step leads to an event, so there is no dead end. No state is watched without limit either:
 * after an hour in one, ten minutes in `TWO_FACTOR_AUTH_COMPLETE`, or a day in all, the result is unknown. An outcome
 * never changes.
 */
export function nextFlow(flow: Flow, happening: Happening, nowMs: number): Flow {
  if (flow.outcome !== null) return flow;
  const next = takeIn(flow, happening, nowMs);
  const isOver = nowMs - next.startedMs >= maxRunMs && !isTerminal(next.state);
  return isOver && next.outcome === null ? giveUp(next) : next;
}

function takeIn(flow: Flow, happening: Happening, nowMs: number): Flow {
  switch (happening.kind) {
    case 'news':
      return afterNews(flow, happening.news, happening.via, nowMs);
    case 'alive':
      return flow.step.kind !== 'listen' || (flow.watchedBy === 'stream' && flow.interruption === null)
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

/** `STARTED` and `RETRY` are `PENDING`; an unpublished state changes nothing. */
function readState(given: string | null): ValidationState | null {
  if (given === 'STARTED' || given === 'RETRY') return 'PENDING';
  return validationStateSchema.safeParse(given).data ?? null;
}

/** Listens, or polls where there is no stream. While the validation rests, the connection is read. */
function watchOn(flow: Flow, nowMs: number): Step {
  const inStateMs = nowMs - flow.sinceMs;
  if (isResting(flow.state)) return { kind: 'readHolder', afterMs: restPauseMs(inStateMs) };
  if (flow.taskId === null) return { kind: 'readHolder', afterMs: pollPauseMs(flow.state, inStateMs) };
  return flow.taskToken === null || flow.watchedBy === 'polling'
    ? { kind: 'poll', afterMs: pollPauseMs(flow.state, inStateMs) }
    : { kind: 'listen', forMs: Math.max(0, leftMs(flow, nowMs)) };
}

function afterNews(flow: Flow, news: ValidationNews, via: 'stream' | 'poll', nowMs: number): Flow {
  const heard = {
    ...flow,
    interruption: null,
    failures: 0,
    watchedBy: via === 'stream' ? ('stream' as const) : ('polling' as const),
  };
  const state = readState(news.state) ?? flow.state;
  if (isTerminal(flow.state)) return heard;
  const isLate =
    flow.answeredMs !== null &&
    nowMs - flow.answeredMs < answerLagMs &&
    ((state === 'WAITING_FOR_METHOD_CHOICE' && flow.state === 'TRIGGERING_TWO_FACTOR_AUTH') ||
      (state === 'WAITING_FOR_TWO_FACTOR_CODE' && flow.state === 'ENTERING_CODE' && news.message === null));
  if (isLate) return via === 'poll' ? { ...heard, step: watchOn(heard, nowMs) } : heard;
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
  if (isResting(state)) {
    // No validation runs any more, and this one will report nothing else.
    if (flow.ended !== null) return endByHolder(told, flow.ended);
    const step: Step = isMoved ? { kind: 'readHolder', afterMs: 0 } : watchOn(told, nowMs);
    return { ...told, watchedBy: 'polling', step };
  }
  if (via === 'stream') return told;
  return {
    ...told,
    step: leftMs(told, nowMs) > 0 ? watchOn(told, nowMs) : { kind: 'readHolder', afterMs: 0 },
  };
}

function afterStream(flow: Flow, how: StreamEnding, nowMs: number): Flow {
  // The stream reported a state after which the connection is read.
  if (flow.step.kind !== 'listen') return flow;
  if (how === 'tooLong') return { ...flow, taskToken: null, step: { kind: 'readHolder', afterMs: 0 } };
  if (how === 'lost' || flow.reattached >= maxReattached) {
    return { ...flow, step: { kind: 'poll', afterMs: 0 }, watchedBy: 'polling' };
  }
  if (how === 'timeout')
    return { ...flow, taskToken: null, step: { kind: 'readHolder', afterMs: timeoutPauseMs } };
  const reattached = flow.reattached + 1;
  const afterMs = flow.reattached === 0 ? 0 : Math.min(maxPauseMs, 500 * 2 ** reattached);
  // After two minutes, a stream that ends now and then is not taken up faster.
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
  if (holder.taskId !== null || holder.taskToken !== null) return afterRunning(heard, holder, nowMs);
  // It has ended. Its result is read by its task; without one, only the policy holder can tell.
  const known = { ...heard, taskToken: null, ended: holder };
  if (flow.taskId === null || flow.ended !== null) return endByHolder(known, holder);
  return { ...known, step: { kind: 'poll', afterMs: 0 } };
}

/** The connection has a running validation: this one, or a newer one that replaced it. */
function afterRunning(flow: Flow, holder: HolderNews, nowMs: number): Flow {
  const taskId = holder.taskId ?? flow.taskId;
  const running = { ...flow, taskId, taskToken: holder.taskToken, loginProblem: null, ended: null };
  const isNewer = flow.taskId !== null && taskId !== flow.taskId;
  const known: Flow = isNewer
    ? { ...running, ...atFirst, sinceMs: nowMs, watchedBy: null, answeredMs: null, reattached: 0 }
    : running;
  return leftMs(known, nowMs) > 0 ? { ...known, step: watchOn(known, nowMs) } : giveUp(known);
}

function afterFailure(flow: Flow, step: 'poll' | 'readHolder', code: ErrorCode, nowMs: number): Flow {
  const failures = flow.failures + 1;
  const known: Flow = { ...flow, failures, interruption: code };
  const isAnswer = code.startsWith('connect.');
  const isTooLong = isResting(flow.state) && leftMs(flow, nowMs) <= 0;
  const isOver = isTooLong || (isAnswer && failures >= maxFailures);
  if (step === 'poll' && code === 'connect.notFound') {
    // The service no longer knows the validation; its policy holder may tell how it ended.
    if (flow.ended !== null) return endByHolder({ ...known, interruption: null }, flow.ended);
    if (!isOver) return { ...known, taskId: null, step: { kind: 'readHolder', afterMs: 3_000 } };
  }
  if (isTerminal(flow.state) && (isOver || failures >= maxFailures)) return end(known);
  if (isOver) return giveUp(known);
  const afterMs = Math.min(maxPauseMs, 1_500 * 2 ** failures);
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
