import { localDayOf, startOfLocalDay } from '../../../../rules/days.ts';
import { kindsSql, type ReviewFact } from '../../../../rules/review/event-kinds.ts';
import type { FoldedReview, ReviewDetail } from '../../../../rules/review/folded-review.ts';
import type { RuleMark } from '../../../../rules/review/rule-mark.ts';
import { findOpenRun } from '../../../../rules/review/run-facts.ts';
import type { Database } from '../file/database.ts';
import { foldReviews } from './fold-claims.ts';
import { findNewer } from './newer-events.ts';
import { storedKind, workspaceOf } from './stored-events.ts';
import { doubtSql } from './team-doubts.ts';

/** A claim that a rule decided by itself, with the event; includes decisions that a user has undone since. */
interface RuleDecision {
  readonly claimId: number;
  readonly eventId: string;
  readonly at: string;
  readonly isUndone: boolean;
  /** Whether the claim has other events, earlier or later, that can change the outcome of the decision. */
  readonly hasOthers: boolean;
  readonly mark: RuleMark;
}

/** Events that neither decide a claim nor check a decision: most claims that rules decided are paid later. */
const besides: readonly ReviewFact['kind'][] = ['payment', 'run', 'runChecked', 'runSent', 'note', 'tag'];

/**
 * The counting decisions of rules from a time on; with `ruleId`, those of one rule, including decisions that do not
 * count here yet. If two computers make the same decision, there are two events.
 */
function listDecisions(
  database: Database,
  { workspaceId, from, ruleId = null }: { workspaceId: string; from: string; ruleId?: string | null },
): RuleDecision[] {
  const rows = database
    .prepare(
      `SELECT c.claim_id, e.id, e.at, c.detail, EXISTS (SELECT 1 FROM review_events u WHERE u.undoes=e.id),
         EXISTS (SELECT 1 FROM review_event_claims o CROSS JOIN stored_events s ON s.seq=o.event_seq
           WHERE o.claim_id=c.claim_id AND o.event_seq<>c.event_seq AND ${storedKind('s')} NOT IN (${kindsSql(besides)}))
       FROM review_events e CROSS JOIN review_event_claims c ON c.event_seq=e.seq
       WHERE e.workspace=${workspaceOf(':workspaceId')} AND e.kind='byRule' AND e.key_ms>=:fromMs AND e.fact->>'$.how'='done'
         AND iif(:ruleId IS NULL, ${doubtSql} IS NULL, c.detail->>'$.rule.id'=:ruleId) ORDER BY c.claim_id, e.seq`,
    )
    .raw()
    .all({ workspaceId, fromMs: from === '' ? 0 : Date.parse(from), ruleId }) as [
    number,
    string,
    string,
    string | null,
    number,
    number,
  ][];
  return rows.flatMap(([claimId, eventId, at, text, isUndone, hasOthers]) => {
    const mark = (JSON.parse(text ?? '{}') as ReviewDetail).rule;
    const ruleDecision = { claimId, eventId, at, isUndone: isUndone === 1, hasOthers: hasOthers === 1 };
    return mark === undefined ? [] : [{ ...ruleDecision, mark }];
  });
}

/**
 * The claims among these that no rule decides, by their events: someone decided, owns, or paid something of them, or a
 * newer version did something that this one can't read. Lists apply the same condition (`undecidedSql`), but lag behind
 * acts made in the meantime.
 */
export function findTouched(
  database: Database,
  request: { workspaceId: string; claimIds: readonly number[] },
): ReadonlySet<number> {
  if (request.claimIds.length === 0) return new Set();
  const touched = foldReviews(database, request).filter(
    ({ state, decidedOutcome, owner, payments, earlier, runs, failure }) =>
      [state, decidedOutcome, owner, failure].some((value) => value !== null) ||
      payments.length + runs.length > 0 ||
      earlier.some((review) => review.payments.length > 0),
  );
  return new Set([...touched.map(({ claimId }) => claimId), ...findNewer(database, request)]);
}

const atOnce = 2_000;

/** Calls `visit` with each decision and the review of its claim. */
function withReviews(
  database: Database,
  workspaceId: string,
  decisions: readonly RuleDecision[],
  visit: (one: RuleDecision, review: FoldedReview) => void,
): void {
  for (let at = 0; at < decisions.length; at += atOnce) {
    const some = decisions.slice(at, at + atOnce);
    const claimIds = [...new Set(some.map(({ claimId }) => claimId))];
    const reviews = new Map(
      foldReviews(database, { workspaceId, claimIds }).map((review) => [review.claimId, review]),
    );
    for (const decision of some) {
      const review = reviews.get(decision.claimId);
      if (review !== undefined) visit(decision, review);
    }
  }
}

const noCounts = { decided: 0, overturned: 0, checked: 0, checkAgreed: 0, today: { claims: 0, amount: 0 } };
export type RuleCounts = typeof noCounts;

/**
 * The outcome of a decision: overturned by an undo, or by a user's decision with another outcome or amount. A claim
 * that the rule made wait is decided later, which overturns nothing.
 */
function findOutcome({ eventId, isUndone }: RuleDecision, { decisions, checks }: FoldedReview) {
  const place = decisions.findIndex(({ rule }) => rule?.eventId === eventId);
  const made = decisions[place];
  if (made === undefined) return { isOverturned: isUndone, checks: [] };
  // Another computer may have made the same decision by the rule.
  const next = decisions.slice(place).findIndex(({ rule }) => rule?.how !== 'done') + place;
  const later = next < place ? undefined : decisions[next];
  const isOpen = made.outcome === null || decisions.slice(place, next).some(({ isReopened }) => isReopened);
  return {
    isOverturned:
      later !== undefined && !isOpen && (later.outcome !== made.outcome || later.eligible !== made.eligible),
    checks: checks.filter(({ at }) => at > made.at && (later === undefined || at <= later.at)),
  };
}

/**
 * Calls `visit` with each decision since a time and its outcome. A claim counts once, even where two computers made the
 * same decision. Most claims have no other events than payments: these are not folded, because every sync counts them.
 */
function eachOutcome(
  database: Database,
  request: { workspaceId: string; from: string },
  visit: (one: RuleDecision, counts: Omit<RuleCounts, 'today'>) => void,
): void {
  const seen = new Set<string>();
  const count = (decision: RuleDecision, review: FoldedReview | null): void => {
    const mark = `${decision.claimId} ${decision.mark.id} ${decision.mark.version}`;
    if (seen.has(mark)) return;
    seen.add(mark);
    const { isOverturned, checks } =
      review === null ? { isOverturned: decision.isUndone, checks: [] } : findOutcome(decision, review);
    const checkAgreed = checks.filter(({ agrees }) => agrees).length;
    visit(decision, { decided: 1, overturned: Number(isOverturned), checked: checks.length, checkAgreed });
  };
  const all = listDecisions(database, request);
  for (const ruleDecision of all) if (!ruleDecision.hasOthers) count(ruleDecision, null);
  const some = all.filter(({ hasOthers }) => hasOthers);
  withReviews(database, request.workspaceId, some, count);
}

function addTo(sum: Omit<RuleCounts, 'today'>, counts: Omit<RuleCounts, 'today'>): void {
  for (const name of ['decided', 'overturned', 'checked', 'checkAgreed'] as const) sum[name] += counts[name];
}

/**
 * Counts for each rule its decisions since a time and on this day, and their outcomes. `versions`: for these rules,
 * only decisions of this version are counted, but all of them for the day, whose limit applies across versions.
 */
export function countRuleDecisions(
  database: Database,
  {
    day,
    versions = {},
    ...request
  }: { workspaceId: string; from: string; day: string; versions?: Readonly<Record<string, number>> },
): Record<string, RuleCounts> {
  const sums = new Map<string, RuleCounts>();
  const dayBegins = startOfLocalDay(day);
  eachOutcome(database, request, ({ at, mark: { id, version, open } }, counts) => {
    const sum = sums.get(id) ?? structuredClone(noCounts);
    sums.set(id, sum);
    if (version === (versions[id] ?? version)) addTo(sum, counts);
    if (at < dayBegins) return;
    sum.today.claims += 1;
    sum.today.amount += open;
  });
  return Object.fromEntries(sums);
}

/**
 * Counts outcomes by month and rule, with the rule's newest name, including removed rules; the newest month first.
 * Undone decisions are counted separately, as in the reports about people.
 */
export function reportRules(database: Database, request: { workspaceId: string; from: string }) {
  const names = new Map<string, { name: string; version: number }>();
  const sums = new Map<
    string,
    Omit<RuleCounts, 'today'> & { month: string; ruleId: string; undone: number }
  >();
  eachOutcome(database, request, ({ at, isUndone, mark: { id: ruleId, name, version, act } }, counts) => {
    if (act.kind !== 'decision' || act.outcome === null) return;
    if (version >= (names.get(ruleId)?.version ?? 0)) names.set(ruleId, { name, version });
    const month = localDayOf(new Date(at)).slice(0, 7);
    const { today: _today, ...none } = noCounts;
    const sum = sums.get(`${month} ${ruleId}`) ?? { month, ruleId, undone: 0, ...none };
    sums.set(`${month} ${ruleId}`, sum);
    if (isUndone) sum.undone += 1;
    else addTo(sum, counts);
  });
  return [...sums.values()]
    .map((sum) => ({ ...sum, name: names.get(sum.ruleId)?.name ?? '' }))
    .sort((a, b) => b.month.localeCompare(a.month) || a.name.localeCompare(b.name));
}

/** Whether nothing was done with a claim since a rule decided it. */
function isUntouched({ eventId, mark }: RuleDecision, review: FoldedReview): boolean {
  if (mark.act.kind === 'tag') return mark.act.add.every((tag) => review.tags.includes(tag));
  if (mark.act.kind === 'owner') return review.owner === mark.act.owner;
  return (
    review.reviewedIn === eventId &&
    review.payments.length === 0 &&
    findOpenRun(review.runs) === undefined &&
    !review.checks.some(({ at, agrees }) => agrees && at >= (review.reviewedAt ?? ''))
  );
}

/**
 * The events of a rule that can be undone: for claims that it decided on a day, or all, without claims that someone
 * confirmed, decided, or paid since. They are all events of the rule for such a claim, because two computers may have
 * decided it.
 */
export function listUndoableByRule(
  database: Database,
  { workspaceId, ruleId, day = null }: { workspaceId: string; ruleId: string; day?: string | null },
): { claimId: number; eventId: string }[] {
  const all = listDecisions(database, { workspaceId, from: '', ruleId }).filter(({ isUndone }) => !isUndone);
  const ofDay = all.filter(({ at }) => day === null || localDayOf(new Date(at)) === day);
  const untouched = new Set<number>();
  withReviews(database, workspaceId, ofDay, (decision, review) => {
    if (isUntouched(decision, review)) untouched.add(decision.claimId);
  });
  return all
    .filter(({ claimId }) => untouched.has(claimId))
    .map(({ claimId, eventId }) => ({ claimId, eventId }));
}

/**
 * The claims among these that rules no longer decide: `touched` are those of `findTouched`; `undone` are those for
 * which someone undid a rule's decision.
 */
export function listLeftOut(
  database: Database,
  request: { workspaceId: string; claimIds: readonly number[] },
) {
  const undone = database
    .prepare(
      `SELECT DISTINCT c.claim_id AS claimId, c.detail->>'$.rule.id' AS ruleId
       FROM json_each(:claimIds) wanted CROSS JOIN review_event_claims c ON c.claim_id=wanted.value
       CROSS JOIN review_events e ON e.seq=c.event_seq
       WHERE e.workspace_id=:workspaceId AND e.kind='byRule' AND e.fact->>'$.how'='done'
         AND EXISTS (SELECT 1 FROM review_events u WHERE u.undoes=e.id)`,
    )
    .all({ ...request, claimIds: JSON.stringify(request.claimIds) }) as { ruleId: string; claimId: number }[];
  return { touched: [...findTouched(database, request)], undone };
}
