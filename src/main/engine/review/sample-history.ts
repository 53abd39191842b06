import { addDays, localDayOf } from '../../../rules/days.ts';
import { minDecisions, type RuleDraft, type RuleState } from '../../../rules/decide/decision-rule.ts';
import { startRule } from '../../../rules/decide/start-rule.ts';
import { readTenThousandths } from '../../../rules/money/amounts.ts';
import { eligibleByRules } from '../../../rules/money/eligible.ts';
import { rulesOf } from '../../../rules/money/reimbursement.ts';
import { firstDayOfPlanYear } from '../../../rules/plans/plan-year.ts';
import type { Condition, ListQuery } from '../../../rules/query.ts';
import type { Decision } from '../../../rules/review/decision.ts';
import type { ReviewFact } from '../../../rules/review/event-kinds.ts';
import type { ReviewDetail } from '../../../rules/review/folded-review.ts';
import type { ReviewedLine, ReviewedValues } from '../../../rules/review/reviewed-values.ts';
import { worklistQuery } from '../../../rules/worklists/worklist-table.ts';
import type { SettingsOfService } from '../../lib/engine-protocol.ts';
import type { Store } from '../store/threads/store.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import type { ReviewPorts } from './review-ports.ts';

export interface SampleReview {
  /** The ID of its event, if another event refers to it. */
  readonly id?: string;
  readonly ids: readonly number[];
  readonly fact: ReviewFact;
  readonly kept?: (values: ReviewedValues) => ReviewedValues;
  readonly detail?: ReviewDetail | ((claimId: number) => ReviewDetail);
  /** When it was made; acts without it follow each other. */
  readonly atMs?: number;
}

const dollars = (amount: number): number => amount * 10_000;
const dayMs = 86_400_000;
/** How many claims a colleague decided in one act. */
const claimsOfAct = 10;
/** Days from the first act to today, and at least how many from the last one. */
const beganDaysAgo = 300;
const endedDaysAgo = 21;
/** The fewest days from the carrier's decision to that of the colleague. */
const waitDays = 14;

const inNetwork: Condition = { field: 'network', operator: 'is', values: ['IN'] };
const noCostShare = 'Preventive care has no cost share';

const copays: RuleDraft = {
  ...startRule,
  name: 'Copays in network under $50',
  conditions: [
    inNetwork,
    { field: 'copayment', operator: 'moreThan', values: [0] },
    { field: 'copayment', operator: 'lessThan', values: [50] },
    { field: 'reduction', operator: 'is', values: [0] },
    { field: 'coinsurance_patient', operator: 'is', values: [0] },
  ],
  act: { kind: 'eligible' },
  most: dollars(50),
};
const preventive: RuleDraft = {
  ...startRule,
  name: 'Preventive visits',
  conditions: [
    inNetwork,
    { field: 'type.name', operator: 'is', values: ['medical'] },
    { field: 'remarks', operator: 'contains', values: ['Preventive service'] },
  ],
  act: { kind: 'notEligible', cause: noCostShare },
  most: dollars(1_000),
};

/** The rules of the sample in their order, with the states that their trials allow. */
export const sampleRules: readonly { readonly draft: RuleDraft; readonly state: RuleState }[] = [
  { draft: preventive, state: 'propose' },
  { draft: copays, state: 'do' },
];

const decision = { kind: 'decision', state: 'done', onWhom: null, reason: null, reminder: null } as const;
const eligible: Decision = { ...decision, outcome: 'eligible' };
const declined = (cause: string): Decision => ({ ...decision, outcome: 'notEligible', cause });
const declinedAsPreventive = declined(noCostShare);

interface PastClaim {
  readonly id: number;
  /** The amounts by the reimbursement rules. */
  readonly open: number;
  readonly processed: string;
  readonly lines: readonly ReviewedLine[];
  /** The account's share of the family's other claims depends on whether this one is eligible. */
  readonly hasAccount: boolean;
}

/** A decision on a claim, with a note if it has a reason for deviating from the rule. */
interface PastDecision {
  readonly claim: PastClaim;
  readonly fact: Decision;
  readonly note?: string;
}

const diagnosisOf = ({ lines }: PastClaim): string => String(lines[0]?.diagnosis_code ?? '');
const differ = (
  claim: PastClaim | undefined,
  fact: Decision,
  say: (code: string) => string,
): PastDecision[] => (claim === undefined ? [] : [{ claim, fact, note: say(diagnosisOf(claim)) }]);

/** The open amount of the lines after the visit itself, in whole cents. */
const besidesVisit = ({ lines }: PastClaim): number =>
  lines.slice(1).reduce((sum, line) => sum + (readTenThousandths(line.patient_responsibility) ?? 0), 0);

/**
 * Decides preventive visits as the carrier labels them, except four: two that are not preventive, one that is only
 * partly preventive, and one that was billed wrongly.
 */
function decidePreventive(claims: readonly PastClaim[]): PastDecision[] {
  const plain = claims.filter(({ hasAccount }) => !hasAccount);
  const visits = plain.filter((claim) => /^Z(00|01|12|23)/.test(diagnosisOf(claim)));
  const infection = plain.find((claim) => /^[HJ]/.test(diagnosisOf(claim)));
  const pain = plain.find((claim) => /^[MS]/.test(diagnosisOf(claim)));
  const [mixed] = visits
    .filter((claim) => diagnosisOf(claim) === 'Z00.00' && besidesVisit(claim) < claim.open)
    .toSorted((a, b) => besidesVisit(b) - besidesVisit(a));
  const twice = visits.find((claim) => claim !== mixed);
  const differing = [
    differ(
      infection,
      eligible,
      (code) =>
        `The carrier calls it preventive, but every line is for ${code}, an infection: a sick visit with the usual cost share.`,
    ),
    differ(
      pain,
      eligible,
      (code) => `Diagnostic, not preventive: its lines are for ${code}. The cost share is the member’s.`,
    ),
    differ(
      mixed,
      {
        ...decision,
        outcome: 'partlyEligible',
        partly: { by: 'amount', amount: mixed ? besidesVisit(mixed) : 0 },
        cause: noCostShare,
      },
      () =>
        'The check-up is preventive. The laboratory work billed with it is not, so its cost share is eligible.',
    ),
    differ(
      twice,
      { ...decision, outcome: 'disputed' },
      () => 'The facility fee of this visit was billed twice. The carrier has to correct it first.',
    ),
  ].flat();
  const taken = new Set(differing.map(({ claim }) => claim));
  const same = visits.filter((claim) => !taken.has(claim));
  return [...same.map((claim) => ({ claim, fact: declinedAsPreventive })), ...differing];
}

/** Decides copays as eligible; one of them was paid elsewhere. */
function decideCopays(claims: readonly PastClaim[]): PastDecision[] {
  const paidElsewhere = claims.find(({ hasAccount }) => !hasAccount);
  return claims.map((claim) =>
    claim === paidElsewhere
      ? { claim, fact: declined('Paid by another plan'), note: 'The spouse’s account paid this copay.' }
      : { claim, fact: eligible },
  );
}

/** The amount that an act pays on a claim, in ten-thousandths of a dollar. */
function paidOf({ claim, fact }: PastDecision): number {
  if (fact.outcome === 'eligible') return claim.open;
  return fact.partly?.by === 'amount' ? fact.partly.amount : 0;
}

/** Returns 15:00 UTC of that day, or of the Monday after a weekend. */
function onWeekday(atMs: number): number {
  const day = new Date(atMs).getUTCDay();
  const daysOff = day === 6 ? 2 : day === 0 ? 1 : 0;
  return (Math.floor(atMs / dayMs) + daysOff) * dayMs + 15 * 3_600_000;
}

/** Plans the acts of one day, a note for each decision that needs one, and the payments on the day after. */
function planDay(decided: readonly PastDecision[], atMs: number): SampleReview[] {
  const samples: SampleReview[] = [];
  const same = decided.filter(({ note }) => note === undefined);
  const groups = Map.groupBy(same, ({ fact }) => fact);
  for (const [fact, of] of groups) samples.push({ ids: of.map(({ claim }) => claim.id), fact, atMs });
  for (const [index, { claim, fact, note = '' }] of decided
    .filter((made) => !same.includes(made))
    .entries()) {
    const ids = [claim.id];
    const amounts = { eligible: paidOf({ claim, fact }), byRules: claim.open };
    const later = atMs + (index + 1) * 300_000;
    samples.push(
      { ids, fact: { kind: 'note', text: note }, atMs: later - 60_000 },
      { ids, fact, atMs: later, ...(fact.outcome === 'partlyEligible' && { detail: { amounts } }) },
    );
  }
  const paid = new Map(decided.map((decision) => [decision.claim.id, paidOf(decision)]));
  const ids = [...paid].flatMap(([id, amount]) => (amount > 0 ? [id] : []));
  const paidMs = onWeekday(atMs + dayMs);
  const day = localDayOf(new Date(paidMs));
  if (ids.length > 0)
    samples.push({
      ids,
      fact: { kind: 'payment', payment: 'reimbursed', amount: null, day: null, account: 'Payroll' },
      detail: (id) => ({ payments: [{ amount: paid.get(id) ?? 0, day }] }),
      atMs: paidMs,
    });
  return samples;
}

/** Dates decisions over the months in which the claims of the last plan year were decided. */
function dateDecisions(decided: readonly PastDecision[], nowMs: number): SampleReview[] {
  const inOrder = decided.toSorted((a, b) => (a.claim.processed < b.claim.processed ? -1 : 1));
  const acts = Math.ceil(inOrder.length / claimsOfAct);
  const stepMs = Math.floor(((beganDaysAgo - endedDaysAgo) / 2 / Math.max(1, acts)) * dayMs);
  return Array.from({ length: acts }, (_, act) =>
    inOrder.slice(act * claimsOfAct, (act + 1) * claimsOfAct),
  ).flatMap((some, act) => {
    const processedMs = Math.max(...some.map(({ claim }) => Date.parse(claim.processed)));
    const planned = Math.max(nowMs - beganDaysAgo * dayMs + act * stepMs, processedMs + waitDays * dayMs);
    return planned > nowMs - endedDaysAgo * dayMs ? [] : planDay(some, onWeekday(planned));
  });
}

const readOf = (store: Store) => async (query: ListQuery) =>
  Array.from((await store.list('makeList', query)).keys);

/** Reads claims with their open amounts by the rules about amounts; those with nothing open are left out. */
async function readPast(
  { store, settings }: { readonly store: Store; readonly settings: SettingsOfService },
  claimIds: readonly number[],
): Promise<PastClaim[]> {
  const [values, amounts] = await Promise.all([
    store.read('readReviewedClaims', { claimIds }),
    store.read('readEligibleClaims', { claimIds, rules: factRulesOf(settings) }),
  ]);
  const amountsOf = new Map(
    amounts.map(({ claimId, source, account, employerId }) => {
      const ownRules = rulesOf(settings.reimbursementRules, settings.service, employerId);
      return [
        claimId,
        { open: eligibleByRules(source, ownRules, account) ?? 0, hasAccount: account !== null },
      ];
    }),
  );
  return values.flatMap(({ claimId, reviewed }) => {
    const { fields, lines } = JSON.parse(reviewed) as ReviewedValues;
    const processed = String(fields.processed_on ?? '').slice(0, 10);
    const { open, hasAccount } = amountsOf.get(claimId) ?? { open: 0, hasAccount: false };
    return open > 0 && processed !== '' ? [{ id: claimId, open, processed, lines, hasAccount }] : [];
  });
}

/**
 * Plans what a colleague decided and paid in the last plan year, so that the sample's rules have a past on which they
 * can be tried. `ofRules`: the claims on which the rules act, which other reviews don't use. A sample that is too small
 * for a rule that decides has no such past.
 */
export async function planHistory(
  ports: Pick<ReviewPorts, 'getSettings'>,
  {
    store,
    workspaceId,
    nowMs,
  }: { readonly store: Store; readonly workspaceId: string; readonly nowMs: number },
): Promise<{ history: SampleReview[]; ofRules: ReadonlySet<number> }> {
  const settings = await ports.getSettings(workspaceId);
  const today = localDayOf(new Date(nowMs));
  const until = addDays(firstDayOfPlanYear(today, settings.planYearStart), -1) ?? today;
  const before: Condition = { field: 'date_of_service.last_day', operator: 'atMost', values: [until] };
  const list = readOf(store);
  const [ofCopays, ofPreventive, past] = await Promise.all([
    list(worklistQuery('toDecide', copays.conditions)),
    list(worklistQuery('toDecide', preventive.conditions)),
    list(worklistQuery('toDecide', [before])),
  ]);
  const isPast = new Set(past);
  // A claim that both rules match would be decided in one way and count as a disagreement with the other.
  const inPreventive = new Set(ofPreventive);
  const both = new Set(ofCopays.filter((id) => inPreventive.has(id)));
  const pick = (ids: readonly number[]): number[] => ids.filter((id) => isPast.has(id) && !both.has(id));
  const read = (ids: readonly number[]) => readPast({ store, settings }, pick(ids));
  const decided = decideCopays((await read(ofCopays)).filter(({ open }) => open <= (copays.most ?? open)));
  if (decided.length < minDecisions) return { history: [], ofRules: new Set() };
  const history = dateDecisions([...decided, ...decidePreventive(await read(ofPreventive))], nowMs);
  return { history, ofRules: new Set([...ofCopays, ...ofPreventive]) };
}
