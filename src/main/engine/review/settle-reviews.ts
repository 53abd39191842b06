import { localDayOf } from '../../../rules/days.ts';
import { reviewPeriodOf } from '../../../rules/plans/review-period.ts';
import { queueOf, type SerialQueue } from '../../lib/serial-queue.ts';
import type { Store } from '../store/threads/store.ts';
import { type EventWriter, maxTold } from './append-event.ts';
import { readKnownTime } from './known-time.ts';
import { reopenReviews } from './reopen-reviews.ts';
import type { ReviewPorts } from './review-ports.ts';
import { catchUpReviews } from './review-rows.ts';

/** Keeps the copy of the reviews that lists show current with the events, the day and the settings. */
export function createSettling(ports: ReviewPorts, { appendReopened }: EventWriter) {
  const today = (): string => localDayOf(new Date(ports.clock.now()));

  /** One update at a time in each workspace, because each continues where the previous one ended. */
  const queues = new Map<string, SerialQueue>();
  const inQueue = <T>(workspaceId: string, act: () => Promise<T>): Promise<T> =>
    queueOf(queues, workspaceId)(act);
  /** The spellings in the rows, by workspace, as text. */
  const spelled = new Map<string, string>();
  const readSpellings = async (workspaceId: string) =>
    (await ports.readSpellings?.(workspaceId)) ?? new Map<string, string>();
  const catchUp = async (workspaceId: string): Promise<boolean> => {
    const settings = await ports.getSettings(workspaceId);
    const spellings = await readSpellings(workspaceId);
    spelled.set(workspaceId, JSON.stringify([...spellings]));
    return catchUpReviews({
      workspaceId,
      store: await ports.getStore(workspaceId),
      userData: await ports.getUserData(workspaceId),
      today: today(),
      period: reviewPeriodOf(settings, workspaceId, today()),
      spellings,
      nowMs: await readKnownTime(ports, workspaceId),
    });
  };
  const reopen = async (workspaceId: string): Promise<boolean> => {
    const userData = await ports.getUserData(workspaceId);
    if (!userData.isThere()) return false;
    const isReopened = await reopenReviews({
      workspaceId,
      store: await ports.getStore(workspaceId),
      userData,
      reopen: (claims) => appendReopened(workspaceId, claims),
    });
    return isReopened && (await catchUp(workspaceId));
  };
  const tell = (workspaceId: string, claimIds: readonly number[] | null): void => {
    const told = claimIds === null || claimIds.length > maxTold ? null : [...claimIds];
    ports.emit({ name: 'reviews:changed', payload: { workspaceId, claimIds: told } });
  };
  /** Updates the copy from new events, and reopens reviews of claims that changed. */
  const settle = (workspaceId: string, of: { claims?: readonly number[]; reopens: boolean }): Promise<void> =>
    inQueue(workspaceId, async () => {
      if (ports.isReadOnly) return;
      const isCaughtUp = await catchUp(workspaceId);
      const isReopened = of.reopens && (await reopen(workspaceId));
      if (isCaughtUp || isReopened) tell(workspaceId, isReopened ? null : (of.claims ?? null));
    });
  /** Called after saved views changed, as which spellings are stored. Records that are not open catch up later. */
  const settleSpellings = async (workspaceId: string): Promise<void> => {
    const before = spelled.get(workspaceId);
    if (before === undefined || before === JSON.stringify([...(await readSpellings(workspaceId))])) return;
    await settle(workspaceId, { reopens: false });
  };
  /** What was settled, by store: after a store was closed and opened again, another process may have added events. */
  const settled = new WeakMap<
    Store,
    { today: string; from: string; isByHand: boolean; done: Promise<void> }
  >();
  const settleOnce = async (workspaceId: string): Promise<void> => {
    const store = await ports.getStore(workspaceId);
    const { from, on } = reviewPeriodOf(await ports.getSettings(workspaceId), workspaceId, today());
    const known = settled.get(store);
    const isByHand = on === null;
    if (known?.today === today() && known.from === from && known.isByHand === isByHand) return known.done;
    const done = settle(workspaceId, { reopens: known === undefined });
    settled.set(store, { today: today(), from, isByHand, done });
    done.catch(() => settled.delete(store));
    return done;
  };

  return { settle, settleOnce, settleSpellings, inQueue };
}

export type Settling = ReturnType<typeof createSettling>;
