import { randomUUID } from 'node:crypto';
import { localDayOf } from '../../../contract/days.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import { reviewsFromOf } from '../../../contract/plan-year.ts';
import type {
  ClaimReview,
  ReviewAct,
  ReviewDone,
  ReviewEvent,
  ReviewedReceipt,
  ReviewFact,
} from '../../../contract/review.ts';
import { compareReviewedValues, type ReviewedValues } from '../../../contract/reviewed-values.ts';
import type { Settings } from '../../../contract/workspace.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import { createSerialQueue } from '../../lib/serial-queue.ts';
import type { Store } from '../store/threads/store.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { foldReview } from '../store/user-data/fold-review.ts';
import type { ActedClaim, ListedEvent } from '../store/user-data/reviews.ts';
import { describeReview } from './describe-review.ts';
import { reopenReviews } from './reopen-reviews.ts';
import { catchUpReviews } from './review-rows.ts';

export interface ReviewPorts {
  readonly clock: Clock;
  readonly isReadOnly: boolean;
  readonly emit: (event: AnyEvent) => void;
  getStore(workspaceId: string): Promise<Store>;
  getUserData(workspaceId: string): Promise<UserDataStore>;
  /** The email of the workspace, which is written into every event. */
  findAuthor(workspaceId: string): Promise<string>;
  getSettings(): Promise<Settings>;
}

/** The author of what Claimdesk itself found. */
const appAuthor = 'Claimdesk';
/** More claims in an event are not named one by one to the window. */
const maxTold = 200;

/** @throws DeskError `review.incomplete` where a decision lacks what its state wants */
export function checkDecision(act: ReviewAct): void {
  if (act.kind !== 'decision') return;
  const isWaiting = act.state === 'waiting' || act.state === 'escalated';
  const isComplete =
    (act.state === 'done') === (act.outcome !== null) &&
    (!isWaiting || (act.onWhom !== null && act.reason !== null));
  if (!isComplete) throw new DeskError('review.incomplete');
}

/** Reviews of claims: acts of people and their history, in the user data file. */
export function createReviews(ports: ReviewPorts) {
  const today = (): string => localDayOf(new Date(ports.clock.now()));

  const readReceipt = async (store: Store): Promise<ReviewedReceipt | null> => {
    const { last, lastComplete } = await store.read('readReceipts', null);
    const receipt = lastComplete ?? last;
    return receipt === null ? null : { runId: receipt.runId, finishedAt: receipt.finishedAt };
  };

  const append = async (
    workspaceId: string,
    wanted: {
      readonly fact: ReviewFact;
      readonly claims: readonly ActedClaim[];
      readonly filter?: string | null;
      readonly undoes?: string | null;
      readonly author?: string;
    },
  ): Promise<string> => {
    if (ports.isReadOnly) throw new DeskError('profile.busy');
    const [store, userData, author] = await Promise.all([
      ports.getStore(workspaceId),
      ports.getUserData(workspaceId),
      wanted.author ?? ports.findAuthor(workspaceId),
    ]);
    const id = randomUUID();
    await userData.call('appendReview', {
      workspaceId,
      id,
      nowMs: ports.clock.now(),
      author,
      fact: wanted.fact,
      filter: wanted.filter ?? null,
      undoes: wanted.undoes ?? null,
      receipt: await readReceipt(store),
      claims: wanted.claims,
    });
    return id;
  };

  /** One at a time in each workspace, since each begins where the one before ended. */
  const queues = new Map<string, <T>(act: () => Promise<T>) => Promise<T>>();
  const inQueue = <T>(workspaceId: string, act: () => Promise<T>): Promise<T> => {
    const queue = queues.get(workspaceId) ?? createSerialQueue();
    queues.set(workspaceId, queue);
    return queue(act);
  };
  const catchUp = async (workspaceId: string): Promise<boolean> => {
    const settings = await ports.getSettings();
    return catchUpReviews({
      workspaceId,
      store: await ports.getStore(workspaceId),
      userData: await ports.getUserData(workspaceId),
      today: today(),
      from: reviewsFromOf(settings, workspaceId, today()),
    });
  };
  const reopen = async (workspaceId: string): Promise<boolean> => {
    const userData = await ports.getUserData(workspaceId);
    if (!userData.isThere()) return false;
    const isReopened = await reopenReviews({
      workspaceId,
      store: await ports.getStore(workspaceId),
      userData,
      reopen: async (claims) =>
        void (await append(workspaceId, { fact: { kind: 'reopened' }, claims, author: appAuthor })),
    });
    return isReopened && (await catchUp(workspaceId));
  };
  const tell = (workspaceId: string, claimIds: readonly number[] | null): void => {
    const told = claimIds === null || claimIds.length > maxTold ? null : [...claimIds];
    ports.emit({ name: 'reviews:changed', payload: { workspaceId, claimIds: told } });
  };
  /** Brings lists up to the events, and reopens what changed since it was reviewed. */
  const settle = (workspaceId: string, of: { claims?: readonly number[]; reopens: boolean }): Promise<void> =>
    inQueue(workspaceId, async () => {
      if (ports.isReadOnly) return;
      const isCaughtUp = await catchUp(workspaceId);
      const isReopened = of.reopens && (await reopen(workspaceId));
      if (isCaughtUp || isReopened) tell(workspaceId, isReopened ? null : (of.claims ?? null));
    });
  /** By store: one that was closed and opened again may have been left behind by another process. */
  const settled = new WeakMap<Store, { today: string; from: string; done: Promise<void> }>();
  const settleOnce = async (workspaceId: string): Promise<void> => {
    const store = await ports.getStore(workspaceId);
    const from = reviewsFromOf(await ports.getSettings(), workspaceId, today());
    const known = settled.get(store);
    if (known?.today === today() && known.from === from) return known.done;
    const done = settle(workspaceId, { reopens: known === undefined });
    settled.set(store, { today: today(), from, done });
    done.catch(() => settled.delete(store));
    return done;
  };

  /** @throws DeskError `note.unknown` where an edited or deleted note is none of the claim's */
  const checkNote = async (
    workspaceId: string,
    act: ReviewAct,
    claimIds: readonly number[],
  ): Promise<void> => {
    if (act.kind !== 'editNote' && act.kind !== 'deleteNote') return;
    const userData = await ports.getUserData(workspaceId);
    const reviews = await userData.call('foldReviews', { workspaceId, claimIds: [...claimIds] });
    const isThere =
      claimIds.length === 1 && reviews[0]?.notes.some((note) => note.id === act.noteId) === true;
    if (!isThere) throw new DeskError('note.unknown');
  };

  /** @throws DeskError `record.unknown` where one of the claims is neither here nor reviewed before */
  const readActed = async (workspaceId: string, claimIds: readonly number[]): Promise<ActedClaim[]> => {
    const store = await ports.getStore(workspaceId);
    const found = await store.read('readReviewedClaims', { claimIds: [...new Set(claimIds)] });
    if (found.length === 0) throw new DeskError('record.unknown');
    return found;
  };

  return {
    /** Before lists with reviews are made: brings them up to the day, the settings and the events. */
    settleOnce,
    /** After a sync wrote claims. */
    settleAfterSync: (workspaceId: string): Promise<void> => settle(workspaceId, { reopens: true }),
    /**
     * Appends one act on some claims. A duplicate is judged of one claim and kept with both.
     *
     * @throws DeskError `review.incomplete`, `note.unknown`, `record.unknown`, `profile.busy`, `store.*`
     */
    async act(workspaceId: string, claimIds: readonly number[], act: ReviewAct): Promise<ReviewDone> {
      checkDecision(act);
      await checkNote(workspaceId, act, claimIds);
      let claims = await readActed(workspaceId, claimIds);
      if (act.kind === 'judgeDuplicate') {
        const [claim] = claims;
        const [other] = await readActed(workspaceId, [act.otherClaimId]);
        if (
          claims.length !== 1 ||
          claim === undefined ||
          other === undefined ||
          claim.claimId === other.claimId
        )
          throw new DeskError('usage.invalid');
        claims = [
          { ...claim, detail: { otherClaimId: other.claimId } },
          { ...other, detail: { otherClaimId: claim.claimId } },
        ];
      }
      const eventId = await append(workspaceId, { fact: act, claims });
      await settle(workspaceId, { claims: claims.map((claim) => claim.claimId), reopens: false });
      const there = new Set(claims.map(({ claimId }) => claimId));
      return { eventId, claims: claims.length, leftOut: claimIds.filter((id) => !there.has(id)) };
    },

    /** @throws DeskError `review.unknown` where there is no such event, or it is undone already */
    async undo(workspaceId: string, eventId: string): Promise<ReviewDone> {
      const userData = await ports.getUserData(workspaceId);
      const found = await userData.call('findReviewEvent', { workspaceId, id: eventId });
      if (found === null || found.event.isUndone) throw new DeskError('review.unknown');
      const claims = found.claimIds.map((claimId) => ({ claimId, reviewed: null, digest: null }));
      const undoing = await append(workspaceId, { fact: { kind: 'undo' }, claims, undoes: eventId });
      // What counts again may be older than the last sync.
      await settle(workspaceId, { claims: found.claimIds, reopens: true });
      return { eventId: undoing, claims: claims.length, leftOut: [] };
    },

    async get(workspaceId: string, claimId: number): Promise<ClaimReview> {
      const [store, userData, settings] = await Promise.all([
        ports.getStore(workspaceId),
        ports.getUserData(workspaceId),
        ports.getSettings(),
      ]);
      const isThere = userData.isThere();
      const [[current], reviews] = await Promise.all([
        store.read('readReviewedClaims', { claimIds: [claimId] }),
        isThere ? userData.call('foldReviews', { workspaceId, claimIds: [claimId] }) : [],
      ]);
      const [review = foldReview(claimId, [])] = reviews;
      if (current === undefined && reviews.length === 0) throw new DeskError('record.unknown');
      const kept =
        review.reviewedIn === null
          ? null
          : await userData.call('readReviewed', { workspaceId, claimId, eventId: review.reviewedIn });
      return describeReview({
        workspaceId,
        review,
        now: current === undefined ? null : (JSON.parse(current.reviewed) as ReviewedValues),
        reviewed:
          kept === null || kept.reviewed === null ? null : (JSON.parse(kept.reviewed) as ReviewedValues),
        receipt: kept?.receipt ?? null,
        settings,
        today: today(),
      });
    },

    async listEvents(wanted: {
      workspaceId: string;
      claimId?: number | undefined;
      offset: number;
      limit: number;
    }): Promise<{ events: ReviewEvent[]; total: number }> {
      const userData = await ports.getUserData(wanted.workspaceId);
      if (!userData.isThere()) return { events: [], total: 0 };
      const { events, total } = await userData.call('listReviewEvents', {
        ...wanted,
        claimId: wanted.claimId ?? null,
      });
      return {
        total,
        events: events.map(({ event, reviewed, before, detail }) => ({
          ...event,
          payment: detail?.payment ?? null,
          changes:
            event.fact.kind === 'reopened' && reviewed !== null && before !== null
              ? compareReviewedValues(
                  JSON.parse(before) as ReviewedValues,
                  JSON.parse(reviewed) as ReviewedValues,
                )
              : null,
        })),
      };
    },

    async findUndoable(workspaceId: string): Promise<ReviewEvent | null> {
      const userData = await ports.getUserData(workspaceId);
      if (!userData.isThere()) return null;
      const found: ListedEvent | null = await userData.call('findUndoable', { workspaceId });
      return found === null ? null : { ...found, payment: null, changes: null };
    },
  };
}

export type Reviews = ReturnType<typeof createReviews>;
