import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierConnection } from '../../../contract/carrier-connections.ts';
import { localDayOf } from '../../../contract/days.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import type { Period } from '../../../contract/people-report.ts';
import type { Input, Output } from '../../../contract/procedures.ts';
import { signOf } from '../../../contract/reimbursement.ts';
import type { ClaimPayment } from '../../../contract/review.ts';
import { needsAttention } from '../../../contract/worklist-counts.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SettingsOfService } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import type { Store } from '../store/threads/store.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import { describePeople, type TeamPerson } from './describe-people.ts';
import type { ReviewPorts } from './review-ports.ts';
import { findStop, isPassed } from './walk-duplicates.ts';

export interface WorklistPorts {
  readonly clock: Clock;
  readonly isReadOnly: boolean;
  readonly emit: (event: AnyEvent) => void;
  getStore(workspaceId: string): Promise<Store>;
  readSnapshot: ReviewPorts['readSnapshot'];
  /** Settings of the workspace's service. */
  getSettings(workspaceId: string): Promise<SettingsOfService>;
  /** Updates the reviews from their events; worklists are computed from them. */
  settleReviews(workspaceId: string): Promise<unknown>;
  /** Whether this person may undo an event. */
  canUndo(workspaceId: string, eventId: string): Promise<boolean>;
  /** Counts acts by day and outcome, from the events of reviews. */
  sumDone(workspaceId: string): Promise<Output<'worklists:report'>['done']>;
  /** The person of the workspace, where it has a team. */
  findPerson(workspaceId: string): Promise<string | null>;
  /** The payments that count of each of these claims. */
  listPayments(workspaceId: string, claimIds: readonly number[]): Promise<Map<number, ClaimPayment[]>>;
  /** Everybody who is or was in the team. @throws DeskError `team.none` */
  listPeople(workspaceId: string): Promise<readonly TeamPerson[]>;
  listConnections(workspaceId: string): Promise<readonly CarrierConnection[]>;
  onFailed(thrown: unknown): void;
}

/** How long a list waits for its worklist to be updated. */
const soonMs = 150;

/**
 * Keeps duplicates and worklists current: after every change of the records, the changed claims are processed again,
 * one workspace at a time.
 */
function createUpdater(ports: WorklistPorts) {
  /** By workspace: the running update, and whether something changed since it began. */
  const running = new Map<string, { promise: Promise<void>; isAskedAgain: boolean }>();

  let isClosed = false;

  const today = (): string => localDayOf(new Date(ports.clock.now()));
  const rulesOf = async (workspaceId: string) => {
    const rules = factRulesOf(await ports.getSettings(workspaceId));
    return { ...rules, today: today() };
  };

  /** Runs one update; true where anything changed. */
  const lookOnce = async (workspaceId: string): Promise<boolean> => {
    const store = await ports.getStore(workspaceId);
    await ports.settleReviews(workspaceId);
    const rules = await rulesOf(workspaceId);
    if (await store.read('isSettled', rules)) return false;
    let findings = await store.read('lookForDuplicates', null);
    // During a first read, claims arrive faster than they can be processed.
    if (findings === 'firstRead') return false;
    const at = new Date(ports.clock.now()).toISOString();
    while (!isClosed && (await store.write('settleClaims', { ...rules, at, findings }))) findings = null;
    return true;
  };

  /** Brings a workspace up to date. A call during an update waits for another update that begins after it. */
  const update = (workspaceId: string): Promise<void> => {
    if (ports.isReadOnly || isClosed) return Promise.resolve();
    const known = running.get(workspaceId);
    if (known !== undefined) {
      known.isAskedAgain = true;
      return known.promise;
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
        // Also after a later update failed: changes of the earlier ones must be shown.
        if (isChanged) ports.emit({ name: 'worklists:changed', payload: { workspaceId } });
      }
    })();
    return entry.promise;
  };

  return {
    update,
    /** For lists: waits for the effects of a decision, but not for those of a first sync. */
    async updateSoon(workspaceId: string): Promise<void> {
      const updating = update(workspaceId);
      updating.catch(ports.onFailed);
      await Promise.race([updating.catch(() => undefined), sleep(soonMs, undefined, { ref: false })]);
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

type Updater = ReturnType<typeof createUpdater>;

/** Answers what windows ask about worklists; most answers wait for the current update. */
function createAnswers(ports: WorklistPorts, { update, rulesOf }: Updater) {
  return {
    /**
     * Answers with the stored counts; changed claims are processed after the answer, and `worklists:changed` follows.
     */
    async counts(workspaceId: string): Promise<Output<'worklists:counts'>> {
      const store = await ports.getStore(workspaceId);
      const rules = await rulesOf(workspaceId);
      const isCurrent = await store.read('isSettled', rules);
      if (!isCurrent) update(workspaceId).catch(ports.onFailed);
      const person = await ports.findPerson(workspaceId);
      const counts = await store.read('readWorklistCounts', { day: rules.today, person });
      const connections = await ports.listConnections(workspaceId).catch((thrown) => {
        if (thrown instanceof DeskError && thrown.code === 'connect.notSetUp') return [];
        throw thrown;
      });
      return {
        ...counts,
        day: rules.today,
        isCurrent,
        connections: connections.filter((connection) => needsAttention(connection, rules.today)).length,
      };
    },
    async report(workspaceId: string): Promise<Output<'worklists:report'>> {
      await update(workspaceId);
      const store = await ports.getStore(workspaceId);
      const [done, reimbursed] = await Promise.all([
        ports.sumDone(workspaceId),
        store.read('readReimbursed', null),
      ]);
      return { done, reimbursed };
    },
    async owed(workspaceId: string, limit: number): Promise<Output<'worklists:owed'>> {
      await update(workspaceId);
      return (await ports.getStore(workspaceId)).read('readOwed', { limit });
    },
    async ledger(workspaceId: string, memberId: number): Promise<Output<'worklists:ledger'>> {
      await update(workspaceId);
      const paid = await (await ports.getStore(workspaceId)).read('readPaidClaims', { memberId });
      const payments = await ports.listPayments(
        workspaceId,
        paid.map(({ claimId }) => claimId),
      );
      const claims = paid
        .map((claim) => ({ ...claim, payments: payments.get(claim.claimId) ?? [] }))
        .filter(({ owed, payments: all }) => owed !== 0 || all.some((one) => signOf(one.payment) !== 1));
      return { claims, owed: claims.reduce((sum, { owed }) => sum + (owed ?? 0), 0) };
    },
    async reportPeople(workspaceId: string, period: Period): Promise<Output<'worklists:reportPeople'>> {
      const team = await ports.listPeople(workspaceId);
      await update(workspaceId);
      const store = await ports.getStore(workspaceId);
      const day = localDayOf(new Date(ports.clock.now()));
      const counted = await store.read('readPeople', { ...period, today: day });
      return { day, people: describePeople(counted, team, day) };
    },
    async why(workspaceId: string, claimId: number): Promise<Output<'worklists:why'>> {
      await update(workspaceId);
      const store = await ports.getStore(workspaceId);
      const [worklists, deadline] = await Promise.all([
        store.read('readReasons', { claimId }),
        store.read('readDeadline', { claimId }),
      ]);
      return { worklists, deadline };
    },
    /** The next deadlines of claims by day, from today on, and the number of claims over their time. */
    async dueDays(workspaceId: string) {
      await update(workspaceId);
      const store = await ports.getStore(workspaceId);
      const [today, all] = [localDayOf(new Date(ports.clock.now())), await store.read('readDueDays', null)];
      const over = all.filter(({ day }) => day < today).reduce((sum, { claims }) => sum + claims, 0);
      return { ahead: all.filter(({ day }) => day >= today), over };
    },
  };
}

/** Answers what windows ask about duplicates, once the current update is done. */
function createDuplicateAnswers(ports: WorklistPorts, { update }: Updater) {
  /** The claims of a list in its order; null where the list was closed. */
  const readKeys = async (workspaceId: string, snapshotId: string) => {
    try {
      return (await ports.readSnapshot(workspaceId, snapshotId)).keys;
    } catch (thrown) {
      if (thrown instanceof DeskError && thrown.code === 'snapshot.expired') return null;
      throw thrown;
    }
  };

  return {
    async duplicatesOf(wanted: Input<'duplicates:of'>): Promise<Output<'duplicates:of'>> {
      const { workspaceId, claimId, place } = wanted;
      await update(workspaceId);
      const store = await ports.getStore(workspaceId);
      const { pairs, ...rest } = await store.read('describePairs', { claimId });
      const keys = place === undefined ? null : await readKeys(workspaceId, place.snapshotId);
      return {
        ...rest,
        pairs: await Promise.all(
          pairs.map(async ({ isMutual, ...pair }) => ({
            ...pair,
            isUndoable: pair.judged !== null && (await ports.canUndo(workspaceId, pair.judged.eventId)),
            isPassed: keys !== null && isPassed(keys, place?.at ?? 0, claimId, { ...pair, isMutual }),
          })),
        ),
      };
    },
    /** @throws DeskError `snapshot.expired` */
    async findDuplicateStop(wanted: Input<'duplicates:findStop'>): Promise<Output<'duplicates:findStop'>> {
      const { workspaceId, place, step, isOpen } = wanted;
      await update(workspaceId);
      const { keys } = await ports.readSnapshot(workspaceId, place.snapshotId);
      const store = await ports.getStore(workspaceId);
      const stop = await findStop({ keys, at: place.at, step, isOpen }, (claimIds) =>
        store.read('readPairs', { claimIds }),
      );
      return { stop };
    },
  };
}

/** Keeps duplicates and worklists current, and answers what windows ask about them. */
export function createWorklists(ports: WorklistPorts) {
  const updater = createUpdater(ports);
  return { ...updater, ...createAnswers(ports, updater), ...createDuplicateAnswers(ports, updater) };
}

export type Worklists = ReturnType<typeof createWorklists>;
