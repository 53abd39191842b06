import { localDayOf } from '../../../rules/days.ts';
import { reviewPeriodOf } from '../../../rules/plans/review-period.ts';
import type { FoldedReview } from '../../../rules/review/folded-review.ts';
import { memberOfSubject } from '../../../rules/review/member-subject.ts';
import type { ReviewedValues } from '../../../rules/review/reviewed-values.ts';
import type { Spellings } from '../../../rules/review/spellings.ts';
import { queueOf, type SerialQueue } from '../../lib/serial-queue.ts';
import { type ClaimReviewRow, toReviewRow } from '../store/record/review-facts.ts';
import type { Store } from '../store/threads/store.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import { type EventWriter, maxReported } from './append-event.ts';
import { changeSize } from './change-size.ts';
import { digestAmountRules } from './digest-amount-rules.ts';
import { readKnownTime } from './known-time.ts';
import { reopenReviews } from './reopen-reviews.ts';
import type { ReviewPorts } from './review-ports.ts';

/** Claims whose events are combined and written at once; other calls are answered in between. */
const atOnce = 2_000;

const parse = (text: string): ReviewedValues => JSON.parse(text) as ReviewedValues;

/** `changeSize` of claims whose amount before or after a change is blank; for others, the events contain it. */
async function readBlankChanges(
  userData: UserDataStore,
  workspaceId: string,
  reviews: readonly FoldedReview[],
): Promise<Map<number, number>> {
  const claimIds = reviews.flatMap(({ claimId, changedAt, changedResponsibility, changedFields }) =>
    changedAt !== null && changedResponsibility === null && changedFields.includes('patient_responsibility')
      ? [claimId]
      : [],
  );
  const kept = claimIds.length === 0 ? [] : await userData.call('readCompared', { workspaceId, claimIds });
  return new Map(
    kept.flatMap(({ claimId, base, last }) =>
      base.reviewed == null || last?.reviewed == null
        ? []
        : [[claimId, changeSize(parse(base.reviewed), parse(last.reviewed))] as const],
    ),
  );
}

interface RowContext {
  readonly workspaceId: string;
  readonly userData: UserDataStore;
  readonly today: string;
  readonly spellings: Spellings;
}

/** The rows of these claims' reviews in lists. */
async function readRows(
  { workspaceId, userData, today, spellings }: RowContext,
  claimIds: readonly number[],
): Promise<ClaimReviewRow[]> {
  if (claimIds.length === 0) return [];
  const reviews = await userData.call('foldReviews', { workspaceId, claimIds });
  const payments = reviews.flatMap(({ claimId, payments }) => {
    const last = payments.at(-1);
    return last === undefined ? [] : [{ claimId, eventId: last.id }];
  });
  const paid = payments.length === 0 ? [] : await userData.call('readPaidValues', { workspaceId, payments });
  const paidOf = new Map(paid.map(({ claimId, values }) => [claimId, values]));
  const blankChanges = await readBlankChanges(userData, workspaceId, reviews);
  const ofClaims = reviews.filter(({ claimId }) => memberOfSubject(claimId) === null);
  return ofClaims.map((review) => {
    const { claimId } = review;
    const paidValues = paidOf.get(claimId) ?? null;
    const blankChange = blankChanges.get(claimId) ?? null;
    return toReviewRow(review, { today, paidValues, blankChange, spellings });
  });
}

/**
 * Updates the copy of the reviews in the records file from the events in the user data file. After a crash between the
 * writes to the two files, it continues from the last copied event. Returns true if rows changed.
 * @throws DeskError `store.*`, `disk.*`
 */
async function catchUp(
  ports: ReviewPorts,
  workspaceId: string,
  /** The spellings in the rows, by workspace, as text; if they changed, all rows are written again. */
  spelledIn: Map<string, string>,
): Promise<boolean> {
  const spellings = await readSpellings(ports, workspaceId);
  spelledIn.set(workspaceId, JSON.stringify([...spellings]));
  const store = await ports.getStore(workspaceId);
  const userData = await ports.getUserData(workspaceId);
  const today = localDayOf(new Date(ports.clock.now()));
  const period = reviewPeriodOf(await ports.getSettings(workspaceId), workspaceId, today);
  const { mark: kept, from, on } = await store.read('readReviewPosition', null);
  const spelled = spellings.size === 0 ? undefined : JSON.stringify([...spellings]);
  const mark = kept?.spellings === spelled ? kept : null;
  let isChanged = from !== period.from || on !== period.on;
  if (isChanged) await store.write('writeReviewPeriod', period);
  if (!userData.isThere()) return isChanged;
  await userData.call('boundTimes', { workspaceId, nowMs: await readKnownTime(ports, workspaceId) });
  const batch = await userData.call('findReviewedAfter', {
    workspaceId,
    seq: mark?.seq ?? 0,
    id: mark?.id ?? '',
  });
  const end = batch.end ?? { seq: 0, id: '' };
  const isWhole = batch.isWhole && (mark !== null || batch.claimIds.length > 0);
  const { claimIds } = batch;
  let written: Promise<unknown> = Promise.resolve();
  const context = { workspaceId, userData, today, spellings };
  let reading = readRows(context, claimIds.slice(0, atOnce));
  for (let at = 0; at < claimIds.length || (isWhole && at === 0); at += atOnce) {
    const rows = await reading;
    // While one part is sent and written, the next one is read.
    if (at + atOnce < claimIds.length) {
      reading = readRows(context, claimIds.slice(at + atOnce, at + 2 * atOnce));
      reading.catch(() => undefined);
    }
    await written;
    written = store.write('applyReviews', {
      rows,
      mark: at + atOnce >= claimIds.length ? { ...end, today, spellings: spelled } : null,
      isFirst: isWhole && at === 0,
    });
    // A failure is thrown where it is awaited, also if reading the next part fails before that.
    written.catch(() => undefined);
    isChanged = true;
  }
  await written;
  if (batch.upTo !== null) await userData.call('removeQueued', { workspaceId, upTo: batch.upTo });
  if (!isWhole && mark !== null && mark.today !== today) {
    await store.write('bringBackReviews', { ...end, today, spellings: spelled });
    isChanged = true;
  }
  return isChanged;
}

const readSpellings = async (ports: ReviewPorts, workspaceId: string): Promise<Spellings> =>
  (await ports.readSpellings?.(workspaceId)) ?? new Map<string, string>();

/** Keeps the copy of the reviews that lists show current with the events, the day and the settings. */
export function createReviewUpdater(ports: ReviewPorts, { appendReopened }: EventWriter) {
  const today = (): string => localDayOf(new Date(ports.clock.now()));

  /** One update at a time in each workspace, because each continues where the previous one ended. */
  const queues = new Map<string, SerialQueue>();
  const inQueue = <T>(workspaceId: string, act: () => Promise<T>): Promise<T> =>
    queueOf(queues, workspaceId)(act);
  /** The spellings in the rows, by workspace, as text. */
  const spelled = new Map<string, string>();
  const reopen = async (workspaceId: string): Promise<boolean> => {
    const userData = await ports.getUserData(workspaceId);
    if (!userData.isThere()) return false;
    const isReopened = await reopenReviews({
      workspaceId,
      store: await ports.getStore(workspaceId),
      userData,
      reopen: (claims) => appendReopened(workspaceId, claims),
      readDeciding: async () => {
        const deciding = (await ports.readDecidingRules?.(workspaceId)) ?? [];
        const settings = await ports.getSettings(workspaceId);
        return { deciding, rules: factRulesOf(settings), amountRules: digestAmountRules(settings) };
      },
    });
    return isReopened && (await catchUp(ports, workspaceId, spelled));
  };
  /** Updates the copy from new events, and reopens reviews of claims that changed. */
  const update = (
    workspaceId: string,
    options: { claims?: readonly number[]; reopens: boolean },
  ): Promise<void> =>
    inQueue(workspaceId, async () => {
      if (ports.isReadOnly) return;
      const isCaughtUp = await catchUp(ports, workspaceId, spelled);
      const isReopened = options.reopens && (await reopen(workspaceId));
      if (!isCaughtUp && !isReopened) return;
      const { claims = [] } = options;
      const isListed = !isReopened && claims.length > 0 && claims.length <= maxReported;
      const claimIds = isListed ? [...claims] : null;
      ports.emit({ name: 'reviews:changed', payload: { workspaceId, claimIds } });
    });
  /** Called after saved views changed, because spellings are stored as one. Closed records are updated later. */
  const updateSpellings = async (workspaceId: string): Promise<void> => {
    const before = spelled.get(workspaceId);
    if (before === undefined || before === JSON.stringify([...(await readSpellings(ports, workspaceId))]))
      return;
    await update(workspaceId, { reopens: false });
  };
  /** The last update by store: once a store is reopened, another process may have added events. */
  const lastUpdates = new WeakMap<
    Store,
    { today: string; from: string; isByHand: boolean; done: Promise<void> }
  >();
  const updateOnce = async (workspaceId: string): Promise<void> => {
    const store = await ports.getStore(workspaceId);
    const { from, on } = reviewPeriodOf(await ports.getSettings(workspaceId), workspaceId, today());
    const last = lastUpdates.get(store);
    const isByHand = on === null;
    if (last?.today === today() && last.from === from && last.isByHand === isByHand) return last.done;
    const done = update(workspaceId, { reopens: last === undefined });
    lastUpdates.set(store, { today: today(), from, isByHand, done });
    done.catch(() => lastUpdates.delete(store));
    return done;
  };

  return { update, updateOnce, updateSpellings, inQueue };
}

export type ReviewUpdater = ReturnType<typeof createReviewUpdater>;
