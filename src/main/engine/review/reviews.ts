import { localDayOf } from '../../../contract/days.ts';
import type {
  ClaimGroup,
  ClaimReview,
  PartlyEligible,
  ReviewAct,
  ReviewDone,
  ReviewEvent,
  ReviewTarget,
} from '../../../contract/review.ts';
import {
  compareReviewedValues,
  isAcceptable,
  type ReviewedValues,
} from '../../../contract/reviewed-values.ts';
import { worklistQuery } from '../../../contract/worklist-table.ts';
import type { ReviewReport } from '../../../contract/worklists.ts';
import { DeskError } from '../../lib/errors.ts';
import { packMark, type ReviewedClaim } from '../store/record/reviewed-claims.ts';
import { createDoneSums } from '../store/user-data/done-days.ts';
import { foldReview } from '../store/user-data/fold-review.ts';
import type { KeptClaim } from '../store/user-data/kept-values.ts';
import type { ListedEvent } from '../store/user-data/list-events.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';
import { createActOn } from './act-on.ts';
import { createEventWriter, inParts } from './append-event.ts';
import { describeReview } from './describe-review.ts';
import { estimatePartly } from './estimate-partly.ts';
import { createHandOver } from './hand-over.ts';
import { checkPartly, createKeepAmounts, type LeftOut } from './keep-amounts.ts';
import { listNoted } from './noted-changes.ts';
import { createClaimReader, idsAtOnce } from './read-claims.ts';
import { createPaymentRecorder } from './record-payments.ts';
import type { ReviewPorts } from './review-ports.ts';
import { chooseGroups, createSelections, type Selection, totalsByGroup } from './selections.ts';
import { createSettling } from './settle-reviews.ts';

/** Acts on one claim only. */
const ofOneClaim: ReadonlySet<ReviewAct['kind']> = new Set(['editNote', 'deleteNote', 'judgeDuplicate']);
const noEvent = { seq: 0, id: '' };

/** @throws DeskError `review.incomplete` where a decision lacks what its state wants, `usage.invalid` where it has more */
export function checkDecision(act: ReviewAct): void {
  if (act.kind !== 'decision') return;
  const isPartly = act.outcome === 'partlyEligible';
  const isDeclining = isPartly || act.outcome === 'notEligible';
  if ((act.partly !== undefined && !isPartly) || (act.cause !== undefined && !isDeclining))
    throw new DeskError('usage.invalid');
  const isWaiting = act.state === 'waiting' || act.state === 'escalated';
  const isComplete =
    (act.state === 'done') === (act.outcome !== null) &&
    isPartly === (act.partly !== undefined) &&
    (!isWaiting || (act.onWhom !== null && act.reason !== null));
  if (!isComplete) throw new DeskError('review.incomplete');
}

/** Reviews of claims: acts of people and their history, in the user data file. */
export function createReviews(ports: ReviewPorts) {
  const today = (): string => localDayOf(new Date(ports.clock.now()));
  const claims = createClaimReader(ports);
  const events = createEventWriter(ports);
  const settling = createSettling(ports, events);
  const actOn = createActOn(events, settling);
  const { readParts, freezeClaims } = claims;
  const { settle, settleOnce } = settling;
  const keepAmounts = createKeepAmounts(ports);

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

  /** @throws DeskError `record.unknown` where none of them is here */
  const readActed = async (workspaceId: string, claimIds: readonly number[]): Promise<ReviewedClaim[]> => {
    const found: ReviewedClaim[] = [];
    for await (const part of readParts(workspaceId, Float64Array.from(new Set(claimIds))))
      found.push(...part.found);
    if (found.length === 0) throw new DeskError('record.unknown');
    return found;
  };

  /** The values of a claim as it is now, and the mark of its record; null: it is not on this computer. */
  const readNow = async (workspaceId: string, claimId: number) => {
    const store = await ports.getStore(workspaceId);
    const [claim] = await store.read('readReviewedClaims', { claimIds: [claimId] });
    if (claim === undefined) return null;
    return { ...(JSON.parse(claim.reviewed) as ReviewedValues), digest: claim.digest };
  };

  const selections = createSelections<Selection>();

  /** The event that the reviews of a workspace end with. */
  const findEnd = async (workspaceId: string) => {
    const userData = await ports.getUserData(workspaceId);
    if (!userData.isThere()) return noEvent;
    return (await userData.call('readReviewEnd', null)) ?? noEvent;
  };

  const freeze = async (workspaceId: string, claimIds: Float64Array, filter: string | null) => {
    const end = await findEnd(workspaceId);
    const frozen = await freezeClaims(workspaceId, claimIds);
    const { sums: _sums, ...claims } = frozen;
    const selectionId = selections.add({ workspaceId, ...claims, end, filter });
    return { selectionId, claims: claims.claimIds.length, groups: totalsByGroup(frozen) };
  };

  /** The claims of a selection that are as they were when it was frozen; the IDs of the others go to `leftOut`. */
  async function* readSelected(
    { workspaceId, claimIds, marks, end }: Selection,
    leftOut: number[],
  ): AsyncGenerator<ReviewedClaim[]> {
    const userData = await ports.getUserData(workspaceId);
    const since = userData.isThere()
      ? await userData.call('findReviewedAfter', { workspaceId, ...end })
      : null;
    const reviewed = new Set(since?.claimIds ?? []);
    for await (const { ids, first, found } of readParts(workspaceId, claimIds)) {
      const marked = new Map(ids.map((id, index) => [id, marks[first + index]]));
      const unchanged = found.filter(
        ({ claimId, digest }) => marked.get(claimId) === packMark(digest) && !reviewed.has(claimId),
      );
      for (const { claimId } of unchanged) marked.delete(claimId);
      leftOut.push(...marked.keys());
      yield unchanged;
    }
  }

  return {
    ...createPaymentRecorder(ports, claims, settling, actOn),
    ...createHandOver(ports, claims, events, settling),
    /** Before lists with reviews are made: brings them up to the day, the settings and the events. */
    settleOnce,
    /** After a sync wrote claims. */
    settleAfterSync: (workspaceId: string): Promise<void> => settle(workspaceId, { reopens: true }),
    /**
     * Appends one act on some claims, by their IDs or as a selection froze them. A duplicate is judged of one claim and
     * kept with both.
     *
     * @throws DeskError `review.incomplete`, `review.amountForMany`, `review.amountTooLarge`, `review.noSelection`,
     *   `note.unknown`, `record.unknown`, `profile.busy`, `store.*`
     */
    async act(workspaceId: string, target: ReviewTarget, act: ReviewAct): Promise<ReviewDone> {
      checkDecision(act);
      const left: LeftOut = { leftOut: [], notKnown: [] };
      if ('selectionId' in target) {
        const selection = chooseGroups(selections.get(workspaceId, target.selectionId), target.groups);
        if (ofOneClaim.has(act.kind)) throw new DeskError('usage.invalid');
        const isOne = selection.claimIds.length === 1;
        checkPartly(act, isOne);
        const selected = readSelected(selection, left.leftOut);
        const done = await actOn(workspaceId, keepAmounts(workspaceId, selected, { act, isOne, ...left }), {
          fact: act,
          filter: selection.filter,
        });
        selections.remove(target.selectionId);
        return { ...done, ...left };
      }
      const { claimIds } = target;
      const isOne = claimIds.length === 1;
      checkPartly(act, isOne);
      await checkNote(workspaceId, act, claimIds);
      let claims: ActedClaim[] = await readActed(workspaceId, claimIds);
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
        const pair = { claimId: claim.claimId, otherClaimId: other.claimId };
        const fingerprint = await (await ports.getStore(workspaceId)).read('findFingerprint', pair);
        const detail = fingerprint === null ? {} : { fingerprint };
        claims = [
          { ...claim, detail: { otherClaimId: other.claimId, ...detail } },
          { ...other, detail: { otherClaimId: claim.claimId, ...detail } },
        ];
      }
      const there = new Set(claims.map(({ claimId }) => claimId));
      left.leftOut.push(...claimIds.filter((id) => !there.has(id)));
      const parts = keepAmounts(workspaceId, inParts(claims), { act, isOne, ...left });
      return { ...(await actOn(workspaceId, parts, { fact: act })), ...left };
    },

    /** @throws DeskError `snapshot.expired`, `usage.invalid` for a list of something else */
    async freezeList(workspaceId: string, snapshotId: string, places: readonly [number, number][] | null) {
      const { query, keys } = await ports.readSnapshot(workspaceId, snapshotId);
      if (query.entity !== 'claims') throw new DeskError('usage.invalid');
      // Which claims were reviewed is read from their rows.
      await settleOnce(workspaceId);
      const { sort: _sort, ...filter } = query;
      const ranges = places ?? [[0, keys.length - 1] as const];
      const claimIds = new Float64Array(ranges.reduce((count, [first, last]) => count + last - first + 1, 0));
      let at = 0;
      for (const [first, last] of ranges) {
        claimIds.set(keys.subarray(first, last + 1), at);
        at += last - first + 1;
      }
      return freeze(workspaceId, claimIds, JSON.stringify(filter));
    },

    /** Freezes what changed since its review while what decides about money stayed the same. */
    async freezeAcceptable(workspaceId: string) {
      await settleOnce(workspaceId);
      const changed = await (await ports.getStore(workspaceId)).read('listChangedReviews', null);
      const claimIds = changed
        .filter((one) => isAcceptable(one.changed.map((name) => ({ name }))))
        .map(({ claimId }) => claimId);
      const { sort: _sort, ...filter } = worklistQuery('changed');
      return freeze(workspaceId, Float64Array.from(claimIds), JSON.stringify(filter));
    },

    /** @throws DeskError `review.noSelection`, `review.amountForMany` */
    estimate(
      workspaceId: string,
      { selectionId, groups }: { selectionId: string; groups?: readonly ClaimGroup[] | undefined },
      partly: PartlyEligible,
    ) {
      const { claimIds } = chooseGroups(selections.get(workspaceId, selectionId), groups);
      return estimatePartly(ports, workspaceId, claimIds, partly);
    },

    /** @throws DeskError `review.unknown` where there is no such event, or it is undone already */
    async undo(workspaceId: string, eventId: string): Promise<ReviewDone> {
      const userData = await ports.getUserData(workspaceId);
      const found = await userData.call('findReviewEvent', { workspaceId, id: eventId });
      if (found === null || found.event.isUndone) throw new DeskError('review.unknown');
      const claims = found.claimIds.map((claimId) => ({ claimId, reviewed: null, digest: null }));
      const undoing = { fact: { kind: 'undo' }, undoes: eventId } as const;
      return { ...(await actOn(workspaceId, inParts(claims), undoing)), leftOut: [], notKnown: [] };
    },

    async get(workspaceId: string, claimId: number): Promise<ClaimReview> {
      const [store, userData, settings] = await Promise.all([
        ports.getStore(workspaceId),
        ports.getUserData(workspaceId),
        ports.getSettings(workspaceId),
      ]);
      const isThere = userData.isThere();
      const [now, [claim], reviews] = await Promise.all([
        readNow(workspaceId, claimId),
        store.read('readEligibleClaims', { claimIds: [claimId] }),
        isThere ? userData.call('foldReviews', { workspaceId, claimIds: [claimId] }) : [],
      ]);
      const [review = foldReview(claimId, [])] = reviews;
      if (now === null && reviews.length === 0) throw new DeskError('record.unknown');
      const readKept = async (eventId: string | null): Promise<KeptClaim | null> =>
        eventId === null ? null : userData.call('readReviewed', { workspaceId, claimId, eventId });
      const reviewed = await readKept(review.reviewedIn);
      return describeReview({
        workspaceId,
        review,
        now,
        claim: claim ?? null,
        reviewed,
        compared: review.comparedIn === review.reviewedIn ? reviewed : await readKept(review.comparedIn),
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
      const { workspaceId, claimId = null, limit } = wanted;
      const userData = await ports.getUserData(workspaceId);
      if (!userData.isThere()) return { events: [], total: 0 };
      // What was noted after a decision is known from the events after it: of one claim they are all read.
      const [offset, skipped] = claimId === null ? [wanted.offset, 0] : [0, wanted.offset];
      const { events, total } = await userData.call('listReviewEvents', {
        workspaceId,
        claimId,
        offset,
        limit: skipped + limit,
      });
      const noted = claimId === null ? null : listNoted(events, await readNow(workspaceId, claimId));
      return {
        total,
        events: events.slice(skipped).map(({ event, reviewed, before, detail }) => ({
          ...event,
          payments: event.fact.kind === 'newer' ? null : (detail?.payments ?? null),
          amounts: event.fact.kind === 'newer' ? null : (detail?.amounts ?? null),
          changes:
            event.fact.kind === 'reopened' && reviewed !== null && before !== null
              ? compareReviewedValues(
                  JSON.parse(before) as ReviewedValues,
                  JSON.parse(reviewed) as ReviewedValues,
                )
              : (noted?.get(event.id) ?? null),
        })),
      };
    },

    /** What was done by local day and outcome, newest first; other acts come between the parts that are read. */
    async sumDone(workspaceId: string): Promise<ReviewReport['done']> {
      const userData = await ports.getUserData(workspaceId);
      const { sums, add } = createDoneSums();
      let after: number | null = userData.isThere() ? Number.MIN_SAFE_INTEGER : null;
      while (after !== null) {
        const part: { done: ReviewReport['done']; next: number | null } = await userData.call('sumDone', {
          workspaceId,
          after,
          limit: idsAtOnce,
        });
        for (const sum of part.done) add(sum);
        after = part.next;
      }
      return [...sums.values()].sort(
        (a, b) => b.day.localeCompare(a.day) || a.outcome.localeCompare(b.outcome),
      );
    },

    /** The newest act on this computer that counts; with a claim, of those that concern it. */
    async findUndoable(workspaceId: string, claimId: number | null = null): Promise<ReviewEvent | null> {
      const userData = await ports.getUserData(workspaceId);
      if (!userData.isThere()) return null;
      const found: ListedEvent | null = await userData.call('findUndoable', { workspaceId, claimId });
      return found === null ? null : { ...found, payments: null, amounts: null, changes: null };
    },
  };
}

export type Reviews = ReturnType<typeof createReviews>;
