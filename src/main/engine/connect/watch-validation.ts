import type { Clock } from '../../lib/clock.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { ConnectApi } from '../service/connect/connect-api.ts';
import type { StreamEnd, StreamNews } from '../service/connect/progress-stream.ts';
import type { StoredVerdict } from './connect-file.ts';
import { nextFlow } from './validation-flow.ts';
import { type Flow, type Happening, startFlow } from './validation-state.ts';
import { pollPauseBesideMs } from './watch-limits.ts';

/** The longest pause between polls beside a stream when they fail. */
const maxPauseBesideMs = 60_000;

/** The member of a validation, and where its policy holder is read. */
export interface Watched {
  readonly email: string;
  readonly employerId: number;
  readonly policyHolderId: number;
}

export interface WatchPorts {
  readonly api: Pick<ConnectApi, 'readPolicyHolder' | 'readValidation' | 'answerValidation'>;
  readonly follow: (
    wanted: { taskId: string; taskToken: string; signal: AbortSignal },
    onNews: (news: StreamNews) => void,
  ) => Promise<StreamEnd>;
  readonly clock: Clock;
  readonly onChange: (flow: Flow) => void;
  /** The first state is sent at once; a stream that sends nothing for this long is closed. */
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

/**
 * Watches one validation until it has an outcome: performs each next step of the flow and reports its result to the
 * flow, nothing else. It never holds the login, so it cannot submit one again.
 */
export function watchValidation(
  watched: Watched,
  known: { taskId: string | null; taskToken: string | null; verdict?: StoredVerdict | null },
  ports: WatchPorts,
): Watch {
  const { api, clock } = ports;
  const stopping = new AbortController();
  let flow = startFlow(known, clock.now());
  /** Ends a pause, or has a state asked for beside the stream: at once, or after the usual pause. */
  let wake = (_isAtOnce: boolean): void => undefined;

  const happen = (happening: Happening): void => {
    const before = flow;
    flow = nextFlow(flow, happening, clock.now());
    if (flow !== before) ports.onChange(flow);
  };
  /** False where something happened during the pause: the next step may have changed. */
  const pause = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms, true);
      wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
      if (stopping.signal.aborted) wake(true);
    });
  stopping.signal.addEventListener('abort', () => wake(true), { once: true });
  const fail = (step: 'poll' | 'readHolder', thrown: unknown): void => {
    if (stopping.signal.aborted) return;
    happen({ kind: 'failed', step, code: toDeskError(thrown).code });
  };

  const ask = async (taskId: string, signal: AbortSignal): Promise<void> => {
    const askedMs = clock.now();
    const task = { email: watched.email, policyHolderId: watched.policyHolderId, taskId };
    const { data } = await api.readValidation(task, signal);
    const news = {
      state: data.state,
      methods: data.info?.method_list ?? [],
      message: data.message,
      credentialsAreValid: data.credentials_are_valid,
      isPending: data.pending === true,
    };
    if (!signal.aborted) happen({ kind: 'news', news, via: 'poll', askedMs });
  };
  const poll = (taskId: string): Promise<void> =>
    ask(taskId, stopping.signal).catch((thrown: unknown) => fail('poll', thrown));

  /**
   * Asks now and then while a stream is open and says nothing new: it may have missed a state. What fails is asked
   * again at growing intervals, since the stream is there.
   * @returns to be called at each word of the stream, and at the member's answer
   */
  const pollBeside = (taskId: string, signal: AbortSignal, onNews: () => void): typeof wake => {
    let failures = 0;
    let timer: NodeJS.Timeout | undefined;
    const wait = (isAtOnce: boolean): void => {
      clearTimeout(timer);
      if (signal.aborted) return;
      const pauseMs = pollPauseBesideMs(flow.state) * 2 ** failures;
      const afterMs = isAtOnce ? 0 : Math.min(maxPauseBesideMs, pauseMs);
      timer = setTimeout(() => void look(), afterMs);
    };
    const look = async (): Promise<void> => {
      await ask(taskId, signal).then(
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
  };

  const listen = async (taskId: string, taskToken: string, forMs: number): Promise<void> => {
    const leaving = new AbortController();
    const silent = setTimeout(() => leaving.abort(), ports.firstNewsMs ?? 8_000);
    let isTooLong = false;
    const leave = setTimeout(() => {
      isTooLong = true;
      leaving.abort();
    }, forMs);
    const signal = AbortSignal.any([leaving.signal, stopping.signal]);
    // The end is known: no need to wait for the service to close the stream.
    const leaveIfDone = (): void => {
      if (flow.step.kind !== 'listen') leaving.abort();
    };
    const askBeside = pollBeside(taskId, signal, leaveIfDone);
    wake = askBeside;
    let isHeard = false;
    const { how } = await ports.follow({ taskId, taskToken, signal }, (news) => {
      clearTimeout(silent);
      isHeard = true;
      happen(news.kind === 'state' ? { ...news, kind: 'news', via: 'stream' } : news);
      // A ping tells that the stream is open, not that it has told everything.
      if (news.kind === 'state') askBeside(false);
      leaveIfDone();
    });
    clearTimeout(silent);
    clearTimeout(leave);
    leaving.abort();
    if (stopping.signal.aborted) return;
    if (isTooLong) return happen({ kind: 'streamEnded', how: 'tooLong' });
    // A stream that broke is opened again like one that closed; one that could not be opened is not.
    happen({ kind: 'streamEnded', how: how === 'lost' && isHeard ? 'closed' : how });
  };
  const readHolder = async (): Promise<void> => {
    try {
      const { data } = await api.readPolicyHolder(watched, stopping.signal);
      const holder = {
        taskId: data.task_id,
        taskToken: data.task_token,
        loginProblem: data.login_problem,
        lastSuccessAt: data.last_successful_crawl_end,
      };
      happen({ kind: 'holder', holder });
    } catch (thrown) {
      fail('readHolder', thrown);
    }
  };

  const run = async (): Promise<void> => {
    while (flow.outcome === null && !stopping.signal.aborted) {
      const { step, taskId, taskToken } = flow;
      if (step.kind === 'listen' && taskId !== null && taskToken !== null)
        await listen(taskId, taskToken, step.forMs);
      else {
        if ('afterMs' in step && !(await pause(step.afterMs))) continue;
        if (step.kind === 'poll' && taskId !== null) await poll(taskId);
        else await readHolder();
      }
    }
  };
  const ended = run();

  return {
    get flow() {
      return flow;
    },
    ended,
    async answer(answer) {
      const what = 'method' in answer ? 'method' : 'code';
      const { taskId, state, methods } = flow;
      const isAsked =
        state === (what === 'method' ? 'WAITING_FOR_METHOD_CHOICE' : 'WAITING_FOR_TWO_FACTOR_CODE');
      if (!isAsked || taskId === null) throw new DeskError('connect.notAsked');
      if ('method' in answer && !methods.includes(answer.method)) throw new DeskError('connect.notAsked');
      try {
        await api.answerValidation(
          { email: watched.email, policyHolderId: watched.policyHolderId, taskId },
          answer,
        );
      } catch (thrown) {
        happen({ kind: 'answerRefused' });
        wake(true);
        throw thrown;
      }
      happen({ kind: 'answered', what });
      wake(false);
      return flow;
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
