import type { ReviewReport } from '../../../contract/worklist-counts.ts';
import { firstOf12Months, localDayOf, startOfLocalDay } from '../../../rules/days.ts';
import { sayMarkedAct } from '../../../rules/decide/rule-act.ts';
import { readDecision } from '../../../rules/review/event-kinds.ts';
import { type FoldedEvent, foldReview } from '../../../rules/review/fold-review.ts';
import type { ReviewDetail } from '../../../rules/review/folded-review.ts';
import { memberOfSubject } from '../../../rules/review/member-subject.ts';
import type { ClaimReview, ListedFact, ReviewEvent, ReviewedReceipt } from '../../../rules/review/review.ts';
import {
  compareReviewedValues,
  type ReviewedChange,
  type ReviewedValues,
} from '../../../rules/review/reviewed-values.ts';
import { DeskError } from '../../lib/errors.ts';
import { createDoneSums } from '../store/user-data/done-days.ts';
import type { KeptClaim } from '../store/user-data/kept-values.ts';
import type { ListedEvent } from '../store/user-data/list-events.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import { describeEarlier, describePayments, describeReview } from './describe-review.ts';
import { listPapers } from './list-papers.ts';
import { callsOf, findCallsAbout } from './phone-calls.ts';
import { idsAtOnce } from './read-claims.ts';
import { ageOf, findOlder, type RecordAge, readHere } from './record-age.ts';
import type { ReviewPorts } from './review-ports.ts';
import { describeChain, shareChains } from './share-chains.ts';
import { readBreaks } from './two-people.ts';

/** An event of a claim; `reviewed` is JSON text of the values stored with it. */
interface ListedValues {
  readonly event: {
    readonly id: string;
    readonly fact: ListedFact;
    readonly isUndone: boolean;
    readonly receipt: ReviewedReceipt | null;
    readonly isImported: boolean;
  };
  readonly detail: FoldedEvent['detail'];
  readonly reviewed: string | null;
}

/**
 * The changes of a claim after each of its decisions, by event: up to the next decision or, after the last one, up to
 * now, unless the record here is older. A reopening has its own list of changes. `events`: all events of the claim,
 * newest first; `now` null: the claim is not on this computer.
 */
export function listNoted(
  events: readonly ListedValues[],
  now: ReviewedValues | null,
): Map<string, ReviewedChange[]> {
  const changesByEvent = new Map<string, ReviewedChange[]>();
  let decided: { readonly id: string; readonly values: ReviewedValues; readonly age: RecordAge } | null =
    null;
  const keep = (values: ReviewedValues | null): void => {
    if (decided === null || values === null) return;
    const noted = compareReviewedValues(decided.values, values).filter(({ effect }) => effect === 'noted');
    if (noted.length > 0) changesByEvent.set(decided.id, noted);
  };
  for (const { event, detail, reviewed } of events.toReversed()) {
    const { id, fact, isUndone, receipt, isImported } = event;
    if (isUndone || fact.kind === 'newer' || fact.kind === 'unreadable') continue;
    if (fact.kind === 'reopened') decided = null;
    else if (fact.kind === 'accept' || readDecision({ fact, detail }) !== null) {
      const values = reviewed === null ? null : (JSON.parse(reviewed) as ReviewedValues);
      keep(values);
      decided = values === null ? null : { id, values, age: ageOf(values, { receipt, isOwn: !isImported }) };
    }
  }
  const last = decided as { readonly age: RecordAge } | null;
  if (now !== null && last !== null && findOlder(ageOf(now, readHere), last.age) === null) keep(now);
  return changesByEvent;
}

/** The current values of a claim, and the digest of its record; null: the claim is not on this computer. */
async function readNow(ports: ReviewPorts, workspaceId: string, claimId: number) {
  const store = await ports.getStore(workspaceId);
  const [claim] = await store.read('readReviewedClaims', { claimIds: [claimId] });
  if (claim === undefined) return null;
  return { ...(JSON.parse(claim.reviewed) as ReviewedValues), digest: claim.digest };
}

/** Returns what an event of a run stores about a claim. */
function ofRun(detail: ReviewDetail | null): Pick<ReviewEvent, 'ofRun'> {
  const { run, reason } = detail ?? {};
  if (run === undefined && reason === undefined) return {};
  return {
    ofRun: { ...(run && { amount: run.amount }), ...(reason !== undefined && { reason }) },
  };
}

/** Describes a rule's act or proposal. */
function ofRule(detail: ReviewDetail | null): Pick<ReviewEvent, 'rule'> {
  const { rule, amounts = null } = detail ?? {};
  if (rule === undefined) return {};
  return {
    rule: `${sayMarkedAct(rule.act, rule.open, amounts)} by rule ${rule.name} (version ${rule.version})`,
  };
}

async function getReview(ports: ReviewPorts, workspaceId: string, claimId: number): Promise<ClaimReview> {
  const [store, userData, settings] = await Promise.all([
    ports.getStore(workspaceId),
    ports.getUserData(workspaceId),
    ports.getSettings(workspaceId),
  ]);
  const isThere = userData.isThere();
  const [mates, now] = await Promise.all([
    store.read('readChainMates', { claimIds: [claimId] }),
    readNow(ports, workspaceId, claimId),
  ]);
  const claimIds = [...new Set([claimId, ...mates.map(({ id }) => id)])];
  const [claims, all] = await Promise.all([
    store.read('readEligibleClaims', { claimIds, rules: factRulesOf(settings) }),
    isThere ? userData.call('foldReviews', { workspaceId, claimIds: [...claimIds, ...callsOf(now)] }) : [],
  ]);
  const claim = claims.find((candidate) => candidate.claimId === claimId);
  const sources = {
    mates,
    claims,
    settings,
    reviews: new Map(all.map((folded) => [folded.claimId, folded])),
  };
  const reviews = all.filter((folded) => folded.claimId === claimId);
  const [review = foldReview(claimId, [])] = reviews;
  if (now === null && reviews.length === 0 && memberOfSubject(claimId) === null)
    throw new DeskError('record.unknown');
  const readKept = async (eventId: string | null): Promise<KeptClaim | null> =>
    eventId === null ? null : userData.call('readReviewed', { workspaceId, claimId, eventId });
  // For a claim that was only paid, the only change that is found is another claim under its ID.
  const reviewedIn = review.changedAt === null ? review.reviewedIn : (review.reviewedIn ?? review.paidIn);
  const reviewed = await readKept(reviewedIn);
  const notes = [...review.notes, ...findCallsAbout(claimId, all)].sort((a, b) => a.at.localeCompare(b.at));
  return describeReview({
    workspaceId,
    review: { ...review, notes },
    now,
    claim: claim ?? null,
    chain: describeChain(claimId, shareChains(sources), sources),
    reviewed,
    compared: review.comparedIn === reviewedIn ? reviewed : await readKept(review.comparedIn),
    settings,
    today: localDayOf(new Date(ports.clock.now())),
  });
}

async function listEvents(
  ports: ReviewPorts,
  request: { workspaceId: string; claimId?: number | undefined; offset: number; limit: number },
): Promise<{ events: ReviewEvent[]; total: number }> {
  const { workspaceId, claimId = null, limit } = request;
  const userData = await ports.getUserData(workspaceId);
  if (!userData.isThere()) return { events: [], total: 0 };
  // Changes after a decision are found from later events, so all events of one claim are read.
  const [offset, skipped] = claimId === null ? [request.offset, 0] : [0, request.offset];
  const { events, total } = await userData.call('listReviewEvents', {
    workspaceId,
    claimId,
    offset,
    limit: skipped + limit,
  });
  const noted = claimId === null ? null : listNoted(events, await readNow(ports, workspaceId, claimId));
  const breaks = claimId === null ? null : await readBreaks(ports, workspaceId, claimId);
  return {
    total,
    events: events.slice(skipped).map(({ event, reviewed, before, detail }) => ({
      ...event,
      ...(breaks?.has(event.id) && { twoPeopleAbove: breaks.get(event.id) as number }),
      ...(event.fact.kind === 'deal' && detail?.owner !== undefined && { owner: detail.owner }),
      ...ofRun(detail),
      ...ofRule(detail),
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
}

/** Counts acts by local day and outcome, newest day first; between the parts, other calls are answered. */
async function sumDone(ports: ReviewPorts, workspaceId: string): Promise<ReviewReport['done']> {
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
  return [...sums.values()].sort((a, b) => b.day.localeCompare(a.day) || a.outcome.localeCompare(b.outcome));
}

/** The payments of these claims that count. */
async function listPayments(
  ports: ReviewPorts,
  workspaceId: string,
  claimIds: readonly number[],
): Promise<Map<number, Pick<ClaimReview, 'payments' | 'earlier'>>> {
  const userData = await ports.getUserData(workspaceId);
  if (!userData.isThere()) return new Map();
  const reviews = await userData.call('foldReviews', { workspaceId, claimIds: [...claimIds] });
  return new Map(
    reviews.map(({ claimId, payments, earlier }) => [
      claimId,
      { payments: describePayments(payments), earlier: describeEarlier(earlier) },
    ]),
  );
}

/** The newest act on this computer that counts; with a claim, the newest that concerns it. */
async function findUndoable(
  ports: ReviewPorts,
  workspaceId: string,
  claimId: number | null = null,
): Promise<ReviewEvent | null> {
  const userData = await ports.getUserData(workspaceId);
  if (!userData.isThere()) return null;
  const event: ListedEvent | null = await userData.call('findUndoable', { workspaceId, claimId });
  return event === null ? null : { ...event, payments: null, amounts: null, changes: null };
}

/** The rule behind the last decision on a claim, with the values by which it was made; null: there is none. */
async function findRuleOf(ports: ReviewPorts, workspaceId: string, claimId: number) {
  const userData = await ports.getUserData(workspaceId);
  if (!userData.isThere()) return null;
  const [review] = await userData.call('foldReviews', { workspaceId, claimIds: [claimId] });
  if (review === undefined || review.rule === null || review.reviewedIn === null) return null;
  const { rule, amounts, reviewedIn: eventId } = review;
  const kept = await userData.call('readReviewed', { workspaceId, claimId, eventId });
  return { rule, amounts, reviewed: kept?.reviewed ?? null };
}

/** Counts what rules decided in the last 12 calendar months. */
async function sumByRules(ports: ReviewPorts, workspaceId: string): Promise<ReviewReport['byRules']> {
  const userData = await ports.getUserData(workspaceId);
  if (!userData.isThere()) return [];
  const from = startOfLocalDay(firstOf12Months(localDayOf(new Date(ports.clock.now()))));
  return userData.call('reportRules', { workspaceId, from });
}

/** Reviews and their history, as windows show them. */
export const createReviewReader = (ports: ReviewPorts) => ({
  get: getReview.bind(null, ports),
  listEvents: listEvents.bind(null, ports),
  listPapers: listPapers.bind(null, ports),
  sumDone: sumDone.bind(null, ports),
  sumByRules: sumByRules.bind(null, ports),
  listPayments: listPayments.bind(null, ports),
  findUndoable: findUndoable.bind(null, ports),
  findRuleOf: findRuleOf.bind(null, ports),
});
