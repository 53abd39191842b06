import type { DecisionRule } from '../../../../rules/decide/decision-rule.ts';
import { sayMarkedAct } from '../../../../rules/decide/rule-act.ts';
import type { KeptAmounts } from '../../../../rules/money/decided-amounts.ts';
import type { Decision } from '../../../../rules/review/decision.ts';
import { kindOf, kindsSql, type ReviewFact, readDecision } from '../../../../rules/review/event-kinds.ts';
import { findUndone, readContained, readFact } from '../../../../rules/review/fold-review.ts';
import type { ReviewDetail } from '../../../../rules/review/folded-review.ts';
import type { ReviewedValues } from '../../../../rules/review/reviewed-values.ts';
import type { MarkedAct } from '../../../../rules/review/rule-mark.ts';
import type { Database } from '../file/database.ts';
import { unpackValues } from '../file/packed-values.ts';
import type { FactRules } from '../worklists/claim-facts.ts';
import { createReplay } from '../worklists/replay-rule.ts';
import { countsBy } from './event-times.ts';
import { hasId, storedKind, workspaceOf } from './stored-events.ts';

const kinds: readonly ReviewFact['kind'][] = ['decision', 'byRule', 'judgeDuplicate', 'tag', 'owner'];
const maxShown = 200;

interface Wanted {
  readonly workspaceId: string;
  readonly rule: DecisionRule;
  readonly rules: FactRules;
  /** Decisions from this time on are compared. */
  readonly from: string;
  readonly today: string;
}

interface TriedEvent {
  readonly at: string;
  readonly author: string;
  readonly fact: ReviewFact;
  readonly detail: ReviewDetail | null;
}

/** The rows of events that were undone. */
function findUndoneRows(database: Database, workspaceId: string): ReadonlySet<number> {
  const events = database
    .prepare(
      `SELECT id, undoes FROM review_events e WHERE workspace=${workspaceOf('?')} AND undoes IS NOT NULL ORDER BY ${countsBy('e')}, at, id`,
    )
    .all(workspaceId) as { id: string; undoes: string }[];
  const findSeq = database.prepare(`SELECT seq FROM stored_events WHERE ${hasId('id', ':id')}`).pluck();
  return new Set([...findUndone(events)].map((id) => findSeq.get({ id }) as number));
}

/** Calls `visit` with the counting events of each claim, in their order; `seq` identifies what they store. */
function eachClaim(
  database: Database,
  { workspaceId, from }: Wanted,
  visit: (claimId: number, events: readonly { readonly seq: number; readonly kind: string }[]) => void,
): void {
  const undone = findUndoneRows(database, workspaceId);
  const rows = database
    .prepare(
      `SELECT c.claim_id, e.seq, ${storedKind('e')} FROM review_event_claims c CROSS JOIN stored_events e ON e.seq=c.event_seq
       WHERE e.workspace=${workspaceOf('?')} AND ${storedKind('e')} IN (${kindsSql(kinds)}) AND ifnull(e.folds_ms, e.at)>=?
       ORDER BY c.claim_id, ifnull(e.folds_ms, e.at), e.at, e.seq`,
    )
    .raw()
    .iterate(workspaceId, Date.parse(from)) as Iterable<[number, number, string]>;
  let current: number | null = null;
  let events: { seq: number; kind: string }[] = [];
  for (const [claimId, seq, kind] of rows) {
    if (claimId !== current) {
      if (current !== null && events.length > 0) visit(current, events);
      [current, events] = [claimId, []];
    }
    if (!undone.has(seq)) events.push({ seq, kind });
  }
  if (current !== null && events.length > 0) visit(current, events);
}

/** Whether a user's decision equals the rule's: outcome, and amount, cause, or whom it waits on. */
function isSame(
  tried: { act: MarkedAct; amounts: KeptAmounts | null },
  decision: Decision,
  amounts: KeptAmounts | null,
): boolean {
  const { act } = tried;
  if (act.kind !== 'decision' || act.outcome !== decision.outcome || act.state !== decision.state)
    return false;
  if (act.state === 'waiting') return act.onWhom === decision.onWhom;
  if (act.outcome === 'notEligible') return act.cause === decision.cause;
  return act.outcome !== 'partlyEligible' || tried.amounts?.eligible === amounts?.eligible;
}

/**
 * Compares users' decisions from a time on with what a rule would have done, by the values stored with them. If a claim
 * has several decisions, the last one counts; for a rule that makes claims wait, the first one, because a claim waits
 * before it is decided. Decisions of rules are left out; a proposal that a user accepted is the user's decision.
 */
export function tryDecisions(database: Database, trial: Wanted) {
  const replay = createReplay(trial);
  const { rule } = trial;
  const read = database
    .prepare(
      `SELECT e.at, e.author, e.fact, c.detail, c.reviewed FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
       WHERE c.claim_id=? AND c.event_seq=?`,
    )
    .raw();
  const readEvent = (claimId: number, seq: number) => {
    const [at, author, text, detail, reviewed] = read.get(claimId, seq) as [
      string,
      string,
      string,
      string | null,
      Buffer | null,
    ];
    const fact = readContained(() => readFact(text), null);
    const eventDetail =
      detail === null ? null : readContained(() => JSON.parse(detail) as ReviewDetail, null);
    const event: TriedEvent | null = fact === null ? null : { at, author, fact, detail: eventDetail };
    return { event, reviewed };
  };
  const months = new Set<string>();
  const differing: {
    claimId: number;
    at: string;
    author: string;
    decided: string;
    byRule: string;
    amount: number;
  }[] = [];
  let [decisions, agrees, notStored, notReplayed] = [0, 0, 0, 0];
  const isMark = (kind: string): boolean => kind === 'tag' || kind === 'owner';
  /** Whether a user set the rule's tag or owner. */
  const isMarked = (claimId: number, events: readonly { seq: number; kind: string }[]): boolean =>
    events.some(({ seq, kind }) => {
      if (kind !== rule.act.kind) return false;
      const { event } = readEvent(claimId, seq);
      if (event?.fact.kind === 'tag') return rule.act.kind === 'tag' && event.fact.add.includes(rule.act.tag);
      return event?.fact.kind === 'owner' && rule.act.kind === 'owner' && event.fact.owner === rule.act.owner;
    });
  /** The last decision on a claim, or the first; null also where this version can't read it. */
  const findDecision = (claimId: number, events: readonly { seq: number; kind: string }[]) => {
    const decided = events.filter(({ kind }) => !isMark(kind));
    for (const { seq } of rule.act.kind === 'waiting' ? decided : decided.reverse()) {
      const { event, reviewed } = readEvent(claimId, seq);
      if (event === null) return null;
      const decision = readDecision(event);
      if (decision !== null) return { event, reviewed, decision };
    }
    return null;
  };
  eachClaim(database, trial, (claimId, events) => {
    const lastDecision = findDecision(claimId, events);
    if (lastDecision === null) return;
    const { event, reviewed, decision } = lastDecision;
    if (event.fact.kind === 'byRule' && event.fact.how === 'done') return;
    if (decision.outcome === null && decision.state !== 'waiting') return;
    // Duplicates are compared side by side, and no rule decides them.
    if (decision.outcome === 'duplicate') return;
    if (reviewed === null) {
      notStored += 1;
      return;
    }
    const made = replay(JSON.parse(unpackValues(reviewed)) as ReviewedValues);
    if (made === null) return;
    if (rule.act.kind === 'partly' && made.amounts === null && decision.outcome === 'partlyEligible') {
      notReplayed += 1;
      return;
    }
    decisions += 1;
    months.add(event.at.slice(0, 7));
    const amounts = event.detail?.amounts ?? null;
    if (isMark(made.act.kind) ? isMarked(claimId, events) : isSame(made, decision, amounts)) agrees += 1;
    else
      differing.push({
        claimId,
        at: event.at,
        author: event.author,
        decided: kindOf(decision).words(decision, { amounts }),
        byRule: sayMarkedAct(made.act, made.open, made.amounts),
        amount: made.open,
      });
  });
  differing.sort((a, b) => (a.at < b.at ? 1 : -1));
  return {
    ...{ decisions, agrees, notStored, notReplayed, months: months.size },
    differing: differing.slice(0, maxShown),
  };
}
