import type { TeamStatus } from '../../../contract/team.ts';
import { DeskError, toDeskError, toErrorReport } from '../../lib/errors.ts';
import { advanceJoin, isAwaited } from './advance-join.ts';
import { sendOwnState } from './computer-state.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';
import { createNews, type News } from './wait-for-news.ts';

const firstWaitMs = 1_000;
const maxWaitMs = 60_000;
/** After this long without events, this computer checks whether it has anything to send about itself. */
const maxQuietMs = 600_000;
/** How often a computer that joins checks for an answer, and how many times before it checks only once a minute. */
const stepMs = 4_000;
const maxQuickSteps = 900;
/** After this long without activity, or up to twice as long, a computer has time for checkpoints. */
const idleMs = 600_000;

/** Reads what is before a checkpoint, between exchanges; if that fails, it is tried again after the next one. */
function createRestReader(
  session: TeamSession,
  ports: TeamPorts,
  { hasEnded, wake }: { hasEnded: () => boolean; wake: () => void },
) {
  let reading: Promise<void> | null = null;
  let problem: DeskError | null = null;
  const isRead = (): boolean => session.log.state.position.isRead !== 0;
  const readAll = async (): Promise<void> => {
    const [wasRead, before] = [isRead(), problem];
    try {
      while (!hasEnded() && (await session.readBehind())) ports.onChanged(session.workspaceId);
      problem = null;
      // After a wrong checkpoint the log is read from its start, before reviews are written again.
      if (wasRead && !isRead()) wake();
    } catch (thrown) {
      problem = toDeskError(thrown);
      ports.onFailed(problem);
    }
    if (problem !== before) ports.onChanged(session.workspaceId);
    reading = null;
  };
  return {
    read(): void {
      reading ??= readAll();
    },
    problem: () => problem,
    end: async (): Promise<void> => reading ?? undefined,
  };
}

/**
 * Keeps a workspace up to date with its team: exchanges, then waits for the server or for an act here. After an error
 * it tries again after a pause, which grows up to one minute.
 */
export function keepLive(session: TeamSession, ports: TeamPorts, news = createNews(session.client)) {
  const ended = new AbortController();
  let waiting = new AbortController();
  /** Whether something was done here since the last exchange began. */
  let isWoken = false;
  let state: NonNullable<TeamStatus>['state'] = 'connecting';
  let problem: DeskError | null = null;
  const report = (next: typeof state, error: DeskError | null): void => {
    const isChanged = next !== state || error?.code !== problem?.code;
    state = next;
    problem = error;
    if (isChanged) ports.onChanged(session.workspaceId);
  };
  const wait = async (run: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    waiting = new AbortController();
    if (isWoken) return;
    try {
      await run(AbortSignal.any([ended.signal, waiting.signal, AbortSignal.timeout(maxQuietMs)]));
    } catch (thrown) {
      if (!(thrown instanceof DeskError && thrown.code === 'sync.canceled')) throw thrown;
    }
  };
  const pause = (ms: number): Promise<void> =>
    wait((signal) => ports.sleep(ms * (0.5 + ports.random() / 2), signal));
  let askedMs = Number.NEGATIVE_INFINITY;
  /** Sends the team the state of this computer where that changed, at most once a minute. */
  const reportState = async (): Promise<void> => {
    if (ports.clock.now() - askedMs < maxWaitMs) return;
    askedMs = ports.clock.now();
    if (await sendOwnState(ports, session)) await session.exchange(positionOf());
  };
  let actedMs = ports.clock.now();
  /** Makes or confirms a checkpoint if nothing was done here for a while, at different times on different computers. */
  const tendIfIdle = async (): Promise<void> => {
    if (ports.clock.now() - actedMs < idleMs * (1 + ports.random())) return;
    actedMs = ports.clock.now();
    if (await session.tendCheckpoints()) await session.exchange(positionOf());
  };
  const wake = (): void => {
    isWoken = true;
    waiting.abort();
  };
  const rest = createRestReader(session, ports, { hasEnded: () => ended.signal.aborted, wake });
  const positionOf = (): News => {
    const { number, parts } = session.log.state.position;
    return { number, parts };
  };
  let steps = 0;
  /** Takes the next step of joining. Returns the longest wait until the next one; users first compare codes. */
  const takeStep = async (): Promise<number> => {
    const isCode = await advanceJoin(ports, session).catch(() => false);
    if (isCode) ports.onChanged(session.workspaceId);
    steps = isCode ? 0 : steps + 1;
    return steps < maxQuickSteps ? stepMs : maxWaitMs;
  };
  const run = async (): Promise<void> => {
    let waitMs = firstWaitMs;
    let lastHead: News | null = null;
    while (!ended.signal.aborted) {
      try {
        isWoken = false;
        await session.exchange(lastHead);
        await reportState();
        report('live', null);
        rest.read();
        void session.documents.tend(ended.signal);
        await tendIfIdle();
        waitMs = firstWaitMs;
        const at = positionOf();
        lastHead = at;
        const beganMs = performance.now();
        await wait(async (signal) => {
          lastHead = await news.wait(at, signal);
        });
        const isSame = lastHead === null || (lastHead.number === at.number && lastHead.parts === at.parts);
        // A stream that ends immediately, or an immediate answer without news, as a faulty proxy sends them.
        if (isSame && performance.now() - beganMs < firstWaitMs) await pause(firstWaitMs);
      } catch (thrown) {
        const error = toDeskError(thrown);
        lastHead = null;
        news.close();
        if (error.code === 'team.unreachable') report('offline', error);
        else if (isAwaited(session, error)) {
          report('waiting', null);
          waitMs = Math.min(waitMs, await takeStep());
        } else if (error.code === 'team.recoveryWaits') report('waiting', error);
        else {
          report('stopped', error);
          ports.onFailed(error);
        }
        isWoken = false;
        await pause(waitMs);
        waitMs = Math.min(waitMs * 2, maxWaitMs);
      }
    }
  };
  const done = run();
  return {
    /** Something is ready to send, or the user retries. `isOther`: this computer's state may differ too. */
    wake(isOther = false): void {
      if (isOther) askedMs = Number.NEGATIVE_INFINITY;
      else actedMs = ports.clock.now();
      wake();
    },
    status: () => {
      const shown = problem ?? rest.problem();
      return { state, problem: shown === null ? null : toErrorReport(shown), updatesBy: news.source() };
    },
    async end(): Promise<void> {
      ended.abort();
      news.close();
      await done;
      await Promise.all([rest.end(), session.documents.end()]);
    },
  };
}
