import type { Clock } from '../../lib/clock.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { ConnectApi } from '../service/connect/connect-api.ts';
import type { StreamEnd, StreamNews } from '../service/connect/progress-stream.ts';
import type { StoredVerdict } from './connect-file.ts';
import { nextFlow } from './validation-flow.ts';
import { type Flow, type FlowEvent, startFlow } from './validation-state.ts';
import { pollPauseBesideMs } from './watch-limits.ts';

/** The longest pause between polls beside a stream when they fail. */
const maxPauseBesideMs = 60_000;

/** The member of a validation, and where its policy holder is read. */
interface Watched {
  readonly email: string;
  readonly employerId: number;
  readonly policyHolderId: number;
}

export interface WatchPorts {
  readonly api: Pick<ConnectApi, 'readPolicyHolder' | 'readValidation' | 'answerValidation'>;
  readonly follow: (
    task: { taskId: string; taskToken: string; signal: AbortSignal },
    onNews: (news: StreamNews) => void,
  ) => Promise<StreamEnd>;
  readonly clock: Clock;
  readonly onChange: (flow: Flow) => void;
  /** The service sends the first state at once; a stream that sends nothing for this long is closed. */
  readonly firstNewsMs?: number;
}

export interface Watch {
  readonly flow: Flow;
  /** Resolves when there is an outcome, or the watch was stopped. */
  readonly ended: Promise<void>;
  /** @throws DeskError `connect.notAsked`, `connect.*`, `service.*` */
  answer(answer: { method: string } | { code: string }): Promise<Flow>;
  stop(): Promise<void>;
}

/** A validation that is being watched. */
interface Watching extends WatchPorts {
  readonly watched: Watched;
  readonly stopping: AbortController;
  flow: Flow;
  /** Ends a pause, or polls in addition to the stream: at once, or after the usual pause. */
  wake: (isAtOnce: boolean) => void;
}

/**
 * Watches one validation until it has an outcome. It only performs each next step of the flow and reports the result.
 * It never holds the login, so it cannot submit one again.
 */
export function watchValidation(
  watched: Watched,
  initialState: { taskId: string | null; taskToken: string | null; verdict?: StoredVerdict | null },
  ports: WatchPorts,
): Watch {
  const stopping = new AbortController();
  const flow = startFlow(initialState, ports.clock.now());
  const watching: Watching = { ...ports, watched, stopping, flow, wake: () => undefined };
  stopping.signal.addEventListener('abort', () => watching.wake(true), { once: true });
  const ended = run(watching);
  return {
    get flow() {
      return watching.flow;
    },
    ended,
    answer: (given) => answer(watching, given),
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function run(watching: Watching): Promise<void> {
  while (watching.flow.outcome === null && !watching.stopping.signal.aborted) {
    const { step, taskId, taskToken } = watching.flow;
    if (step.kind === 'listen' && taskId !== null && taskToken !== null)
      await listen(watching, taskId, taskToken, step.forMs);
    else {
      if ('afterMs' in step && !(await pause(watching, step.afterMs))) continue;
      if (step.kind === 'poll' && taskId !== null) await poll(watching, taskId);
      else await readHolder(watching);
    }
  }
}

function handleEvent(watching: Watching, event: FlowEvent): void {
  const before = watching.flow;
  watching.flow = nextFlow(before, event, watching.clock.now());
  if (watching.flow !== before) watching.onChange(watching.flow);
}

function fail(watching: Watching, step: 'poll' | 'readHolder', thrown: unknown): void {
  if (watching.stopping.signal.aborted) return;
  handleEvent(watching, { kind: 'failed', step, code: toDeskError(thrown).code });
}

/** Waits; false if something happened during the pause, because that may change the next step. */
const pause = (watching: Watching, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, true);
    watching.wake = () => {
      clearTimeout(timer);
      resolve(false);
    };
    if (watching.stopping.signal.aborted) watching.wake(true);
  });

async function ask(watching: Watching, taskId: string, signal: AbortSignal): Promise<void> {
  const { email, policyHolderId } = watching.watched;
  const askedMs = watching.clock.now();
  const { data } = await watching.api.readValidation({ email, policyHolderId, taskId }, signal);
  const news = {
    state: data.state,
    methods: data.info?.method_list ?? [],
    message: data.message,
    credentialsAreValid: data.credentials_are_valid,
    isPending: data.pending === true,
  };
  if (!signal.aborted) handleEvent(watching, { kind: 'news', news, via: 'poll', askedMs });
}

const poll = (watching: Watching, taskId: string): Promise<void> =>
  ask(watching, taskId, watching.stopping.signal).catch((thrown: unknown) => fail(watching, 'poll', thrown));

/**
 * Polls at intervals while an open stream reports nothing new, because it may have missed a state. After errors the
 * intervals grow.
 *
 * @returns a function to call for each state that the stream sends, and for the member's answer
 */
function pollBeside(
  watching: Watching,
  taskId: string,
  signal: AbortSignal,
  onNews: () => void,
): Watching['wake'] {
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (isAtOnce: boolean): void => {
    clearTimeout(timer);
    if (signal.aborted) return;
    const pauseMs = pollPauseBesideMs(watching.flow.state) * 2 ** failures;
    timer = setTimeout(() => void look(), isAtOnce ? 0 : Math.min(maxPauseBesideMs, pauseMs));
  };
  const look = async (): Promise<void> => {
    await ask(watching, taskId, signal).then(
      () => {
        failures = 0;
        onNews();
      },
      () => {
        failures += 1;
      },
    );
    wait(false);
  };
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  wait(false);
  return wait;
}

async function listen(watching: Watching, taskId: string, taskToken: string, forMs: number): Promise<void> {
  const leaving = new AbortController();
  const silent = setTimeout(() => leaving.abort(), watching.firstNewsMs ?? 8_000);
  let isTooLong = false;
  const leave = setTimeout(() => {
    isTooLong = true;
    leaving.abort();
  }, forMs);
  const signal = AbortSignal.any([leaving.signal, watching.stopping.signal]);
  // The validation has ended, so the stream need not be watched until the service closes it.
  const leaveIfDone = (): void => {
    if (watching.flow.step.kind !== 'listen') leaving.abort();
  };
  const askBeside = pollBeside(watching, taskId, signal, leaveIfDone);
  watching.wake = askBeside;
  let hasNews = false;
  const { how } = await watching.follow({ taskId, taskToken, signal }, (news) => {
    clearTimeout(silent);
    hasNews = true;
    handleEvent(watching, news.kind === 'state' ? { ...news, kind: 'news', via: 'stream' } : news);
    // A ping shows that the stream is open, not that it has reported every state.
    if (news.kind === 'state') askBeside(false);
    leaveIfDone();
  });
  clearTimeout(silent);
  clearTimeout(leave);
  leaving.abort();
  if (watching.stopping.signal.aborted) return;
  // A stream that broke is reopened like one that the service closed; one that could not be opened is not.
  const ending = how === 'lost' && hasNews ? 'closed' : how;
  handleEvent(watching, { kind: 'streamEnded', how: isTooLong ? 'tooLong' : ending });
}

async function readHolder(watching: Watching): Promise<void> {
  try {
    const { data } = await watching.api.readPolicyHolder(watching.watched, watching.stopping.signal);
    const holder = {
      taskId: data.task_id,
      taskToken: data.task_token,
      loginProblem: data.login_problem,
      lastSuccessAt: data.last_successful_crawl_end,
    };
    handleEvent(watching, { kind: 'holder', holder });
  } catch (thrown) {
    fail(watching, 'readHolder', thrown);
  }
}

async function answer(watching: Watching, given: { method: string } | { code: string }): Promise<Flow> {
  const what = 'method' in given ? 'method' : 'code';
  const { taskId, state, methods } = watching.flow;
  const isAsked = state === (what === 'method' ? 'WAITING_FOR_METHOD_CHOICE' : 'WAITING_FOR_TWO_FACTOR_CODE');
  const isOffered = !('method' in given) || methods.includes(given.method);
  if (!isAsked || !isOffered || taskId === null) throw new DeskError('connect.notAsked');
  const { email, policyHolderId } = watching.watched;
  try {
    await watching.api.answerValidation({ email, policyHolderId, taskId }, given);
  } catch (thrown) {
    handleEvent(watching, { kind: 'answerRefused' });
    watching.wake(true);
    throw thrown;
  }
  handleEvent(watching, { kind: 'answered', what });
  watching.wake(false);
  return watching.flow;
}
