import { randomUUID } from 'node:crypto';
import { localDayOf } from '../../../contract/days.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import { reviewsFromOf } from '../../../contract/plan-year.ts';
import type { ListQuery } from '../../../contract/query.ts';
import type { PaymentKind } from '../../../contract/reimbursement.ts';
import type {
  ClaimReview,
  ReviewAct,
  ReviewDone,
  ReviewEvent,
  ReviewedReceipt,
  ReviewFact,
  ReviewImport,
  ReviewTarget,
} from '../../../contract/review.ts';
import {
  compareReviewedValues,
  isAcceptable,
  type ReviewedValues,
} from '../../../contract/reviewed-values.ts';
import type { ReviewReport } from '../../../contract/worklists.ts';
import type { Settings } from '../../../contract/workspace.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import { createSerialQueue, type SerialQueue } from '../../lib/serial-queue.ts';
import { type FrozenClaims, packMark, type ReviewedClaim } from '../store/record/reviewed-claims.ts';
import type { Store } from '../store/threads/store.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { createDoneSums } from '../store/user-data/done-days.ts';
import { foldReview } from '../store/user-data/fold-review.ts';
import type { ActedClaim, EntryPosition, ListedEvent, ReviewEntry } from '../store/user-data/reviews.ts';
import { describeReview } from './describe-review.ts';
import { readPayments } from './read-payments.ts';
import { createRemovedFilter } from './removed-reviews.ts';
import { reopenReviews } from './reopen-reviews.ts';
import { openReviews, sealReviews } from './review-file.ts';
import { catchUpReviews } from './review-rows.ts';
import { createSelections, type Selection, totalsOf } from './selections.ts';

export interface ReviewPorts {
  readonly clock: Clock;
  readonly isReadOnly: boolean;
  readonly emit: (event: AnyEvent) => void;
  getStore(workspaceId: string): Promise<Store>;
  getUserData(workspaceId: string): Promise<UserDataStore>;
  /** An open list of claims. @throws DeskError `snapshot.expired` */
  readSnapshot(
    workspaceId: string,
    snapshotId: string,
  ): Promise<{ query: ListQuery; keys: Float64Array | Uint32Array }>;
  /** The email of the workspace, which is written into every event. */
  findAuthor(workspaceId: string): Promise<string>;
  getSettings(): Promise<Settings>;
}

/** The author of what Claimdesk itself found. */
const appAuthor = 'Claimdesk';
/** Acts on one claim only. */
const ofOneClaim: ReadonlySet<ReviewAct['kind']> = new Set(['editNote', 'deleteNote', 'judgeDuplicate']);
/** Claims and events that are read at once, so that other calls are answered in between, and such reads ahead. */
const readAtOnce = 2_500;
const readsAtOnce = 3;
/** The same of what is small: IDs and marks. */
const idsAtOnce = 20_000;
const noEvent = { seq: 0, id: '' };

/** Payments of a file that found their claims. */
interface PaymentPlan {
  readonly workspaceId: string;
  readonly payment: PaymentKind;
  readonly account: string;
  readonly rows: readonly { readonly claimId: number; readonly amount: number; readonly day: string }[];
}

/** What makes two payments of a kind the same one. */
const markOf = ({ claimId, day, amount }: PaymentPlan['rows'][number]): string =>
  `${claimId} ${day} ${amount}`;

/** More claims in an event are not named one by one to the window. */
const maxTold = 200;

/** What is here already as parts of an act. */
async function* inParts(claims: readonly ActedClaim[]): AsyncGenerator<readonly ActedClaim[]> {
  for (let at = 0; at < claims.length; at += idsAtOnce) yield claims.slice(at, at + idsAtOnce);
}

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

  /** One act at a time in each file: the claims of a large one come in parts. */
  const appending = new WeakMap<UserDataStore, SerialQueue>();
  const inTurn = <T>(userData: UserDataStore, task: () => Promise<T>): Promise<T> => {
    const queue = appending.get(userData) ?? createSerialQueue();
    appending.set(userData, queue);
    return queue(task);
  };
  /**
   * Appends one event of these claims, which are read while the ones before are written. Null where there are none.
   * What is told of them is named up to `maxTold`.
   */
  const append = async (
    workspaceId: string,
    wanted: {
      readonly fact: ReviewFact;
      readonly parts: AsyncIterable<readonly ActedClaim[]>;
      readonly filter?: string | null;
      readonly undoes?: string | null;
      readonly author?: string;
    },
  ): Promise<{ eventId: string; claims: number; told: number[] } | null> => {
    if (ports.isReadOnly) throw new DeskError('profile.busy');
    const [store, userData, author] = await Promise.all([
      ports.getStore(workspaceId),
      ports.getUserData(workspaceId),
      wanted.author ?? ports.findAuthor(workspaceId),
    ]);
    return inTurn(userData, async () => {
      const id = randomUUID();
      let [claims, isStaged]: [number, boolean] = [0, false];
      let last: readonly ActedClaim[] = [];
      const told: number[] = [];
      try {
        for await (const part of wanted.parts) {
          if (part.length === 0) continue;
          if (last.length > 0) {
            await userData.call('stageClaims', { id, claims: last, isFirst: !isStaged });
            isStaged = true;
          }
          last = part;
          claims += part.length;
          if (told.length <= maxTold) told.push(...part.map(({ claimId }) => claimId));
        }
        if (claims === 0) return null;
        await userData.call('appendReview', {
          workspaceId,
          id,
          nowMs: ports.clock.now(),
          author,
          fact: wanted.fact,
          filter: wanted.filter ?? null,
          undoes: wanted.undoes ?? null,
          receipt: await readReceipt(store),
          claims: last,
          isStaged,
        });
      } catch (thrown) {
        if (isStaged) await userData.call('dropStaged', null).catch(() => undefined);
        throw thrown;
      }
      return { eventId: id, claims, told };
    });
  };

  /** One at a time in each workspace, since each begins where the one before ended. */
  const queues = new Map<string, <T>(act: () => Promise<T>) => Promise<T>>();
  const inQueue = <T>(workspaceId: string, act: () => Promise<T>): Promise<T> => {
    const queue = queues.get(workspaceId) ?? createSerialQueue();
    queues.set(workspaceId, queue);
    return queue(act);
  };
  const catchUp = async (workspaceId: string, added?: readonly number[]): Promise<boolean> => {
    const settings = await ports.getSettings();
    return catchUpReviews({
      workspaceId,
      store: await ports.getStore(workspaceId),
      userData: await ports.getUserData(workspaceId),
      today: today(),
      from: reviewsFromOf(settings, workspaceId, today()),
      added,
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
        void (await append(workspaceId, {
          fact: { kind: 'reopened' },
          parts: inParts(claims),
          author: appAuthor,
        })),
    });
    return isReopened && (await catchUp(workspaceId));
  };
  const tell = (workspaceId: string, claimIds: readonly number[] | null): void => {
    const told = claimIds === null || claimIds.length > maxTold ? null : [...claimIds];
    ports.emit({ name: 'reviews:changed', payload: { workspaceId, claimIds: told } });
  };
  /** Brings lists up to the events, and reopens what changed since it was reviewed. */
  const settle = (
    workspaceId: string,
    of: { claims?: readonly number[]; added?: readonly number[]; reopens: boolean },
  ): Promise<void> =>
    inQueue(workspaceId, async () => {
      if (ports.isReadOnly) return;
      const isCaughtUp = await catchUp(workspaceId, of.added);
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

  /** Claims as a review keeps them, some thousands at once; `found` lacks those that are not here. */
  const readParts = async function* (workspaceId: string, claimIds: Float64Array) {
    const store = await ports.getStore(workspaceId);
    const read = async (first: number) => {
      const ids = Array.from(claimIds.subarray(first, first + readAtOnce));
      return { ids, first, found: await store.read('readReviewedClaims', { claimIds: ids }) };
    };
    const running: ReturnType<typeof read>[] = [];
    try {
      for (let at = 0; at < claimIds.length; at += readAtOnce) {
        for (let next = at + running.length * readAtOnce; next < claimIds.length; next += readAtOnce) {
          if (running.length >= readsAtOnce) break;
          running.push(read(next));
        }
        yield await (running.shift() as ReturnType<typeof read>);
      }
    } finally {
      for (const left of running) left.catch(() => undefined);
    }
  };
  /** @throws DeskError `record.unknown` where none of them is here */
  const readActed = async (workspaceId: string, claimIds: readonly number[]): Promise<ReviewedClaim[]> => {
    const found: ReviewedClaim[] = [];
    for await (const part of readParts(workspaceId, Float64Array.from(new Set(claimIds))))
      found.push(...part.found);
    if (found.length === 0) throw new DeskError('record.unknown');
    return found;
  };

  const selections = createSelections<Selection>();
  const paymentPlans = createSelections<PaymentPlan>();

  /** The event that the reviews of a workspace end with. */
  const findEnd = async (workspaceId: string) => {
    const userData = await ports.getUserData(workspaceId);
    if (!userData.isThere()) return noEvent;
    return (await userData.call('readReviewEnd', null)) ?? noEvent;
  };

  const freezeClaims = async (workspaceId: string, claimIds: Float64Array): Promise<FrozenClaims> => {
    const store = await ports.getStore(workspaceId);
    const ids = new Float64Array(claimIds.length);
    const marks = new Float64Array(claimIds.length);
    const sums: (bigint | null)[] = [];
    let count = 0;
    for (let at = 0; at < claimIds.length; at += idsAtOnce) {
      const part = await store.read('freezeClaims', { claimIds: claimIds.slice(at, at + idsAtOnce) });
      ids.set(part.claimIds, count);
      marks.set(part.marks, count);
      count += part.claimIds.length;
      for (const [index, sum] of part.sums.entries())
        sums[index] = sum === null ? (sums[index] ?? null) : (sums[index] ?? 0n) + sum;
    }
    return { claimIds: ids.subarray(0, count), marks: marks.subarray(0, count), sums };
  };
  const freeze = async (workspaceId: string, claimIds: Float64Array, filter: string | null) => {
    const end = await findEnd(workspaceId);
    const frozen = await freezeClaims(workspaceId, claimIds);
    const { sums: _sums, ...claims } = frozen;
    const selectionId = selections.add({ workspaceId, ...claims, end, filter });
    return { selectionId, claims: claims.claimIds.length, totals: totalsOf(frozen) };
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

  /** Appends one event of these claims and brings lists up to it. Null where there are none. */
  const actOn = async (
    workspaceId: string,
    parts: AsyncIterable<readonly ActedClaim[]>,
    wanted: { fact: ReviewFact; filter?: string | null; undoes?: string },
  ): Promise<{ eventId: string | null; claims: number }> => {
    const done = await append(workspaceId, { ...wanted, parts });
    if (done === null) return { eventId: null, claims: 0 };
    const { told, ...event } = done;
    // What counts again after an undoing may be older than the last sync.
    await settle(workspaceId, { claims: told, reopens: wanted.undoes !== undefined });
    return event;
  };

  /** Which payments of a kind are recorded for these claims. */
  const findRecorded = async (
    workspaceId: string,
    payment: PaymentKind,
    claimIds: number[],
  ): Promise<Set<string>> => {
    const userData = await ports.getUserData(workspaceId);
    if (!userData.isThere()) return new Set();
    const reviews = await userData.call('foldReviews', { workspaceId, claimIds });
    return new Set(
      reviews.flatMap(({ claimId, payments }) =>
        payments.filter((one) => one.payment === payment).map((one) => markOf({ ...one, claimId })),
      ),
    );
  };

  return {
    /** Before lists with reviews are made: brings them up to the day, the settings and the events. */
    settleOnce,
    /** After a sync wrote claims. */
    settleAfterSync: (workspaceId: string): Promise<void> => settle(workspaceId, { reopens: true }),
    /**
     * Appends one act on some claims, by their IDs or as a selection froze them. A duplicate is judged of one claim and
     * kept with both.
     *
     * @throws DeskError `review.incomplete`, `review.noSelection`, `note.unknown`, `record.unknown`, `profile.busy`,
     *   `store.*`
     */
    async act(workspaceId: string, target: ReviewTarget, act: ReviewAct): Promise<ReviewDone> {
      checkDecision(act);
      if ('selectionId' in target) {
        const selection = selections.get(workspaceId, target.selectionId);
        if (ofOneClaim.has(act.kind)) throw new DeskError('usage.invalid');
        const leftOut: number[] = [];
        const done = await actOn(workspaceId, readSelected(selection, leftOut), {
          fact: act,
          filter: selection.filter,
        });
        selections.remove(target.selectionId);
        return { ...done, leftOut };
      }
      const { claimIds } = target;
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
      const done = await actOn(workspaceId, inParts(claims), { fact: act });
      const there = new Set(claims.map(({ claimId }) => claimId));
      return { ...done, leftOut: claimIds.filter((id) => !there.has(id)) };
    },

    /** @throws DeskError `snapshot.expired`, `usage.invalid` for a list of something else */
    async freezeList(workspaceId: string, snapshotId: string, places: readonly [number, number][] | null) {
      const { query, keys } = await ports.readSnapshot(workspaceId, snapshotId);
      if (query.entity !== 'claims') throw new DeskError('usage.invalid');
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
      return freeze(workspaceId, Float64Array.from(claimIds), null);
    },

    /**
     * Finds the claims of a payments file and keeps it ready to be recorded. A payment that was recorded before (the
     * same claim, kind, day and amount), or earlier in the file, is listed with what does not match.
     *
     * @throws DeskError `review.badCsv`
     */
    async readPayments(wanted: { workspaceId: string; csv: string; payment: PaymentKind; account: string }) {
      const { workspaceId, payment, account } = wanted;
      const { payments, unmatched } = readPayments(wanted.csv);
      const store = await ports.getStore(workspaceId);
      const numbers = [...new Set(payments.map(({ claim }) => claim))];
      const found = await store.read('findNumbered', { numbers });
      const claimsOf = new Map(found.map(({ number, claims }) => [number, claims]));
      const claimIds = found.flatMap(({ claims }) => (claims.length === 1 ? claims : []));
      const recorded = await findRecorded(workspaceId, payment, claimIds);
      const inFile = new Set<string>();
      const rows: PaymentPlan['rows'][number][] = [];
      for (const { line, claim, amount, day } of payments) {
        const [claimId, ...others] = claimsOf.get(claim) ?? [];
        if (claimId === undefined) unmatched.push({ line, claim, reason: 'noClaim' });
        else if (others.length > 0) unmatched.push({ line, claim, reason: 'severalClaims' });
        else {
          const row = { claimId, amount, day };
          if (recorded.has(markOf(row))) unmatched.push({ line, claim, reason: 'recordedBefore' });
          else if (inFile.has(markOf(row))) unmatched.push({ line, claim, reason: 'repeated' });
          else rows.push(row);
          inFile.add(markOf(row));
        }
      }
      return {
        selectionId: paymentPlans.add({ workspaceId, payment, account, rows }),
        payments: rows.length,
        claims: new Set(rows.map(({ claimId }) => claimId)).size,
        amount: rows.reduce((sum, row) => sum + row.amount, 0),
        unmatched: unmatched.sort((a, b) => a.line - b.line),
      };
    },

    /** Records what `readPayments` found and was not recorded since, as one event, so that one undoing takes it back. */
    recordPayments(workspaceId: string, selectionId: string): Promise<ReviewDone> {
      // One at a time: the same file read twice is recorded once.
      return inQueue(`payments ${workspaceId}`, async () => {
        const { payment, account, rows } = paymentPlans.get(workspaceId, selectionId);
        paymentPlans.remove(selectionId);
        const planned = [...new Set(rows.map(({ claimId }) => claimId))];
        const recorded = await findRecorded(workspaceId, payment, planned);
        const payments = new Map<number, { amount: number; day: string }[]>();
        for (const { claimId, amount, day } of rows.filter((row) => !recorded.has(markOf(row))))
          payments.set(claimId, [...(payments.get(claimId) ?? []), { amount, day }]);
        const leftOut = planned.filter((claimId) => !payments.has(claimId));
        if (payments.size === 0) return { eventId: null, claims: 0, leftOut };
        const fact = { kind: 'payment', payment, amount: null, day: null, account } as const;
        const claimIds = Float64Array.from(payments.keys());
        const keep = async function* (): AsyncGenerator<ActedClaim[]> {
          // As claims are now, so that a later change of what is eligible is found.
          for await (const { ids, found } of readParts(workspaceId, claimIds)) {
            const kept = new Map(found.map((one) => [one.claimId, one]));
            yield ids.map((claimId) => ({
              ...(kept.get(claimId) ?? { claimId, reviewed: null, digest: null }),
              detail: { payments: payments.get(claimId) ?? [] },
            }));
          }
        };
        return { ...(await actOn(workspaceId, keep(), { fact })), leftOut };
      });
    },

    /**
     * Writes all events of a workspace as a file under a passphrase, in the memory of a few thousand claims.
     *
     * @throws DeskError `vault.weakPassphrase`, and what `write` throws
     */
    async writeFile(workspaceId: string, passphrase: string, write: (bytes: Buffer) => Promise<void>) {
      const userData = await ports.getUserData(workspaceId);
      const events = new Set<string>();
      const claims = new Set<number>();
      const readEntries = async function* (): AsyncGenerator<ReviewEntry> {
        let after: EntryPosition | null = null;
        do {
          const page: { entries: ReviewEntry[]; next: EntryPosition | null } = await userData.call(
            'readReviewEntries',
            { workspaceId, after, limit: readAtOnce },
          );
          for (const entry of page.entries) {
            events.add(entry.id);
            for (const [claimId] of entry.claims) claims.add(claimId);
            yield entry;
          }
          after = page.next;
        } while (after !== null);
      };
      for await (const bytes of sealReviews(userData.isThere() ? readEntries() : [], passphrase))
        await write(bytes);
      return { events: events.size, claims: claims.size };
    },

    /**
     * Adds the events of such a file, but for claims and members that were removed from this computer.
     *
     * @throws DeskError `review.notAFile`, `review.wrongPassphrase`, `profile.busy`
     */
    async readFile(workspaceId: string, file: Buffer, passphrase: string): Promise<ReviewImport> {
      if (ports.isReadOnly) throw new DeskError('profile.busy');
      const opened = await openReviews(file, passphrase);
      const store = await ports.getStore(workspaceId);
      const removed = createRemovedFilter(await store.read('readRetention', null));
      const events = new Map<string, { kind: string; author: string }>();
      // The whole file first: nothing of one that is damaged is added.
      for await (const entry of opened.check()) {
        events.set(entry.id, { kind: entry.kind, author: entry.author });
        removed.look(entry);
      }
      const here = await freezeClaims(workspaceId, Float64Array.from(removed.claimIds()));
      removed.keep(here.claimIds);
      const userData = await ports.getUserData(workspaceId);
      const added = new Set<string>();
      const addedClaims: number[] = [];
      const claimIds = new Set<number>();
      const add = (entries: ReviewEntry[]): Promise<void> =>
        inTurn(userData, async () => {
          const imported = await userData.call('importReviews', { workspaceId, entries });
          for (const id of imported.added) added.add(id);
          addedClaims.push(...imported.addedClaims);
          for (const entry of entries)
            if (added.has(entry.id)) for (const [claimId] of entry.claims) claimIds.add(claimId);
        });
      let [some, rows]: [ReviewEntry[], number] = [[], 0];
      for await (const filed of opened.read()) {
        const entry = removed.without(filed);
        if (entry === null) continue;
        some.push({ ...entry, workspace_id: workspaceId, is_imported: 1 });
        rows += entry.claims.length + 1;
        if (rows < readAtOnce) continue;
        await add(some);
        [some, rows] = [[], 0];
      }
      if (some.length > 0) await add(some);
      for (const claimId of addedClaims) claimIds.add(claimId);
      const found = await freezeClaims(workspaceId, Float64Array.from(claimIds));
      await settle(workspaceId, { added: addedClaims, reopens: true });
      const came = [...added].map((id) => events.get(id) as { kind: string; author: string });
      const byKind: Record<string, number> = {};
      for (const { kind } of came) byKind[kind] = (byKind[kind] ?? 0) + 1;
      return {
        events: came.length,
        known: events.size - came.length - removed.events(),
        byKind,
        claims: claimIds.size,
        unknownClaims: claimIds.size - found.claimIds.length,
        removedClaims: removed.claims(),
        authors: [...new Set(came.map(({ author }) => author))].sort(),
      };
    },

    /** @throws DeskError `review.unknown` where there is no such event, or it is undone already */
    async undo(workspaceId: string, eventId: string): Promise<ReviewDone> {
      const userData = await ports.getUserData(workspaceId);
      const found = await userData.call('findReviewEvent', { workspaceId, id: eventId });
      if (found === null || found.event.isUndone) throw new DeskError('review.unknown');
      const claims = found.claimIds.map((claimId) => ({ claimId, reviewed: null, digest: null }));
      const undoing = { fact: { kind: 'undo' }, undoes: eventId } as const;
      return { ...(await actOn(workspaceId, inParts(claims), undoing)), leftOut: [] };
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
          payments: detail?.payments ?? null,
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

    async findUndoable(workspaceId: string): Promise<ReviewEvent | null> {
      const userData = await ports.getUserData(workspaceId);
      if (!userData.isThere()) return null;
      const found: ListedEvent | null = await userData.call('findUndoable', { workspaceId });
      return found === null ? null : { ...found, payments: null, changes: null };
    },
  };
}

export type Reviews = ReturnType<typeof createReviews>;
