import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyEvent } from '../../../contract/events.ts';
import { localDayOf } from '../../../rules/days.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SettingsOfService } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import type { Store } from '../store/threads/store.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import { listProposing } from './decide-by-rules.ts';
import type { ReviewPorts } from './review-ports.ts';

export interface WorklistPorts extends Pick<ReviewPorts, 'readRules'> {
  readonly clock: Clock;
  readonly isReadOnly: boolean;
  readonly emit: (event: AnyEvent) => void;
  getStore(workspaceId: string): Promise<Store>;
  getSettings(workspaceId: string): Promise<SettingsOfService>;
  /** Updates the reviews from their events; worklists are computed from them. */
  updateReviews(workspaceId: string): Promise<unknown>;
  onFailed(thrown: unknown): void;
}

/** How long a list waits for its worklist to be updated. */
const soonMs = 150;

/**
 * Keeps duplicates and worklists current: after every change of the records, the changed claims are processed again,
 * one workspace at a time.
 */
export function createWorklists(ports: WorklistPorts) {
  /** The running update of each workspace, and whether something changed since it began. */
  const running = new Map<string, { promise: Promise<void>; isAskedAgain: boolean }>();

  let isClosed = false;

  const today = (): string => localDayOf(new Date(ports.clock.now()));
  const rulesOf = async (workspaceId: string) => {
    const rules = factRulesOf(await ports.getSettings(workspaceId));
    const proposing = await listProposing(ports, workspaceId);
    return { ...rules, proposing, today: today() };
  };

  /** Runs one update; true where anything changed. */
  const lookOnce = async (workspaceId: string): Promise<boolean> => {
    const store = await ports.getStore(workspaceId);
    await ports.updateReviews(workspaceId);
    const rules = await rulesOf(workspaceId);
    if (await store.read('areFactsCurrent', rules)) return false;
    let findings = await store.read('lookForDuplicates', null);
    // During a first read, claims arrive faster than they can be processed.
    if (findings === 'firstRead') return false;
    const at = new Date(ports.clock.now()).toISOString();
    while (!isClosed && (await store.write('updateFacts', { ...rules, at, findings }))) findings = null;
    return true;
  };

  /**
   * A process that only reads can't compute facts; the one that writes does, or the next one. @throws DeskError
   * `facts.behind`
   */
  const requireCurrent = async (workspaceId: string): Promise<void> => {
    const store = await ports.getStore(workspaceId);
    const { today: _today, ...rules } = await rulesOf(workspaceId);
    if (await store.read('isBehind', rules)) throw new DeskError('facts.behind');
  };

  /**
   * Updates a workspace. A call during an update waits for another update that begins after it.
   * @throws DeskError `facts.behind` in a process that only reads
   */
  const update = (workspaceId: string): Promise<void> => {
    if (isClosed) return Promise.resolve();
    if (ports.isReadOnly) return requireCurrent(workspaceId);
    const runningUpdate = running.get(workspaceId);
    if (runningUpdate !== undefined) {
      runningUpdate.isAskedAgain = true;
      return runningUpdate.promise;
    }
    const entry = { isAskedAgain: false, promise: Promise.resolve() };
    running.set(workspaceId, entry);
    entry.promise = (async () => {
      let isChanged = false;
      try {
        do {
          entry.isAskedAgain = false;
          isChanged = (await lookOnce(workspaceId)) || isChanged;
        } while (entry.isAskedAgain);
      } finally {
        running.delete(workspaceId);
        // This runs after a failed later update too: changes of the earlier ones must be shown.
        if (isChanged) ports.emit({ name: 'worklists:changed', payload: { workspaceId } });
      }
    })();
    return entry.promise;
  };

  return {
    update,
    /**
     * Waits, for lists, until the effects of a decision are included, but not those of a large sync. Returns false if
     * it is not done yet.
     */
    async updateSoon(workspaceId: string): Promise<boolean> {
      const updating = update(workspaceId).then(() => true);
      updating.catch(ports.onFailed);
      return Promise.race([updating.catch(() => true), sleep(soonMs, false, { ref: false })]);
    },
    /** Starts an update after events that change records. */
    onEvent(event: AnyEvent): void {
      if (event.name === 'records:changed' || event.name === 'reviews:changed')
        update(event.payload.workspaceId).catch(ports.onFailed);
    },
    /** Waits for a running update, so that the records can be closed. */
    async stop(workspaceId: string): Promise<void> {
      await running.get(workspaceId)?.promise.catch(() => undefined);
    },
    async stopAll(): Promise<void> {
      isClosed = true;
      await Promise.allSettled([...running.values()].map(({ promise }) => promise));
    },
    rulesOf,
    today,
  };
}

export type Worklists = ReturnType<typeof createWorklists>;
