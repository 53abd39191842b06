import { randomUUID } from 'node:crypto';
import type { AnyEvent } from '../../../contract/events.ts';
import type { ParsedInput } from '../../../contract/procedures.ts';
import type { Result } from '../../../contract/result.ts';
import { addDays, localDayOf } from '../../../rules/days.ts';
import type { DecisionRule } from '../../../rules/decide/decision-rule.ts';
import { usualCauses } from '../../../rules/money/reimbursement.ts';
import type { ListQuery } from '../../../rules/query.ts';
import type { Decision } from '../../../rules/review/decision.ts';
import type { ReviewedValues } from '../../../rules/review/reviewed-values.ts';
import { worklistQuery } from '../../../rules/worklists/worklist-table.ts';
import type { Store } from '../store/threads/store.ts';
import type { ImportedEntry } from '../store/user-data/write-event.ts';
import type { ReviewPorts } from './review-ports.ts';
import type { Reviews } from './reviews.ts';
import { planHistory, type SampleReview, sampleRules } from './sample-history.ts';
import type { Worklists } from './worklists.ts';

/** How long ago the reviews of the sample were made. */
const madeMsAgo = 20 * 86_400_000;

/** A digest that no claim has, so that the stored values are compared with the current claim. */
const otherDigest = '0';

/** The values of the claim before the carrier raised the patient's share. */
const beforeRaise = (values: ReviewedValues): ReviewedValues => {
  const { patient_responsibility: owed, copayment } = values.fields;
  return {
    ...values,
    fields: {
      ...values.fields,
      ...(typeof owed === 'number' ? { patient_responsibility: Math.max(0, owed - 20) } : {}),
      ...(typeof copayment === 'number' ? { copayment: Math.max(0, copayment - 20) } : {}),
    },
  };
};

interface SamplePorts
  extends Pick<ReviewPorts, 'clock' | 'isReadOnly' | 'getStore' | 'getUserData' | 'getSettings'> {
  isSample(workspaceId: string): Promise<boolean>;
  /** Answers a procedure in the same way as for the window. */
  answer<N extends 'rules:save' | 'rules:setState'>(name: N, input: ParsedInput<N>): Promise<Result<unknown>>;
  onFailed(thrown: unknown): void;
}

const decision = { kind: 'decision', outcome: null, onWhom: null, reason: null, reminder: null } as const;
const done: Decision = { ...decision, state: 'done', outcome: 'eligible' };
const waiting = { ...decision, state: 'waiting', onWhom: 'Member', reason: 'Itemized receipt' } as const;

async function makeEntry(
  store: Store,
  { id = randomUUID(), ids, fact, kept, detail }: SampleReview,
  atMs: number,
): Promise<ImportedEntry> {
  const claims = await store.read('readReviewedClaims', { claimIds: ids });
  return {
    id,
    at: new Date(atMs).toISOString(),
    author: 'colleague@example.com',
    kind: fact.kind,
    fact: JSON.stringify(fact),
    filter: null,
    undoes: null,
    receipt: null,
    folds_at: null,
    more: null,
    proof: null,
    claims: claims.map(({ claimId, reviewed, digest }) => [
      claimId,
      kept === undefined ? reviewed : JSON.stringify(kept(JSON.parse(reviewed) as ReviewedValues)),
      kept === undefined ? digest : otherDigest,
      detail === undefined ? null : JSON.stringify(typeof detail === 'function' ? detail(claimId) : detail),
    ]),
  };
}

/** How many claims `planReviews` takes of those that are ready. */
const plannedClaims = 16;

/** Chooses the claims of the reviews: ready ones, so that every worklist has some, and some quality samples. */
async function planReviews(
  list: (query: ListQuery) => Promise<number[]>,
  eligibleOf: (id: number) => Promise<number>,
  today: string,
): Promise<SampleReview[]> {
  const ready = await list(worklistQuery('toDecide'));
  // Claims are taken from the middle, because users begin with the first ones of the list.
  const middle = Math.max(0, Math.floor((ready.length - plannedClaims) / 2));
  const next = (count: number): number[] => ready.splice(middle, count);
  const [, limitReached = '', notQualified = ''] = usualCauses;
  const [overpaid = 0, ...paid] = next(3);
  const changed = next(2);
  const rejected = next(1);
  const pay = async (id: number, more: number): Promise<SampleReview> => {
    const amount = (await eligibleOf(id)) + more;
    return {
      ids: [id],
      fact: { kind: 'payment', payment: 'reimbursed', amount, day: today, account: '' },
    };
  };
  const escalated = {
    ...decision,
    state: 'escalated',
    onWhom: 'Plan administrator',
    reason: 'Unclear whether the plan covers it',
  } as const;
  const samples: SampleReview[] = [
    { ids: [overpaid, ...paid], fact: done },
    await pay(overpaid, 250_000),
    ...(await Promise.all(paid.map((id) => pay(id, 0)))),
    { ids: changed, fact: done, kept: beforeRaise },
    { ids: rejected, fact: done },
    { ids: next(2), fact: { ...waiting, reminder: addDays(today, 7) } },
    { ids: next(1), fact: { ...waiting, reminder: addDays(today, -1) } },
    { ids: next(1), fact: escalated },
    { ids: next(1), fact: { ...decision, state: 'inReview' } },
    { ids: next(2), fact: { ...done, outcome: 'notEligible', cause: notQualified } },
    { ids: next(1), fact: { ...done, outcome: 'disputed' } },
    // Repaid without a payment, which is odd.
    {
      ids: next(1),
      fact: { kind: 'payment', payment: 'repaid', amount: 50_000, day: today, account: '' },
    },
  ];
  for (const id of next(1)) {
    const byRules = await eligibleOf(id);
    // Half of the amount, in whole cents.
    const amount = Math.floor(byRules / 200) * 100;
    samples.push({
      ids: [id],
      fact: { ...done, outcome: 'partlyEligible', partly: { by: 'amount', amount }, cause: limitReached },
      detail: { amounts: { eligible: amount, byRules } },
    });
  }
  const taken = new Set(samples.flatMap(({ ids }) => ids));
  const sampled = await list({
    entity: 'claims',
    conditions: [
      { field: 'facts.is_quality_sample', operator: 'is', values: [true] },
      { field: 'review.state', operator: 'is', values: ['todo'] },
    ],
  });
  const inQuality = sampled.filter((id) => !taken.has(id)).slice(0, 5);
  samples.push({ ids: inQuality, fact: done }, ...(await planRun(inQuality, rejected, eligibleOf)));
  return samples.filter(({ ids }) => ids.length > 0);
}

/** Plans a sent run of two of these claims that is not recorded yet; the payer rejected `rejected`. */
async function planRun(
  claimIds: readonly number[],
  rejected: readonly number[],
  eligibleOf: (id: number) => Promise<number>,
): Promise<SampleReview[]> {
  const amounts = new Map<number, number>();
  for (const claimId of claimIds) {
    const amount = await eligibleOf(claimId);
    if (amount > 0 && amounts.size < 2) amounts.set(claimId, amount);
  }
  for (const claimId of rejected) amounts.set(claimId, await eligibleOf(claimId));
  const run = randomUUID();
  const ids = [...amounts.keys()];
  const amount = [...amounts.values()].reduce((sum, part) => sum + part, 0);
  if (ids.length === 0) return [];
  return [
    {
      id: run,
      ids,
      fact: { kind: 'run', name: 'Payroll, first half', account: 'HRA', claims: ids.length, amount },
      detail: (claimId) => ({ run: { amount: amounts.get(claimId) ?? 0 } }),
    },
    { ids, fact: { kind: 'runChecked', run } },
    { ids, fact: { kind: 'runSent', run, file: null } },
    {
      ids: rejected,
      fact: { kind: 'runLeft', run, reason: null },
      detail: { reason: 'Account closed', rejected: true },
    },
  ];
}

async function addReviews(
  ports: SamplePorts,
  reviews: Reviews,
  worklists: Worklists,
  workspaceId: string,
): Promise<void> {
  if (ports.isReadOnly || !(await ports.isSample(workspaceId))) return;
  if ((await reviews.listEvents({ workspaceId, offset: 0, limit: 1 })).total > 0) return;
  await worklists.update(workspaceId);
  const store = await ports.getStore(workspaceId);
  const nowMs = ports.clock.now();
  const { history, ofRules } = await planHistory(ports, { store, workspaceId, nowMs });
  const samples = await planReviews(
    async (query) => Array.from((await store.list('makeList', query)).keys).filter((id) => !ofRules.has(id)),
    async (id) => (await reviews.get(workspaceId, id)).eligible ?? 0,
    localDayOf(new Date(nowMs)),
  );
  const firstMs = nowMs - madeMsAgo;
  const entries = await Promise.all(
    [...history, ...samples].map((sample, index) =>
      makeEntry(store, sample, sample.atMs ?? firstMs + index * 60_000),
    ),
  );
  await (await ports.getUserData(workspaceId)).call('importReviews', { workspaceId, entries, nowMs });
  await reviews.updateAfterSync(workspaceId);
  if (history.length > 0) await addRules(ports, workspaceId);
}

/** Adds the rules the way a user does: each gets its state only if its trial allows it. */
async function addRules({ answer }: SamplePorts, workspaceId: string): Promise<void> {
  for (const { draft, state } of sampleRules) {
    const saved = await answer('rules:save', { workspaceId, draft });
    if (!saved.ok) return;
    const { id, version } = saved.value as DecisionRule;
    await answer('rules:setState', { workspaceId, id, version, state });
  }
}

/**
 * Makes reviews by a made-up colleague, so that every worklist of the sample has claims from the start. They are added
 * like imported ones: the user's undo does not affect them. A large sample also has the rules of `sampleRules`, and the
 * decisions on which they are tried.
 * @returns a listener for the engine's events, which adds the reviews once, after the first sync of a sample
 */
export function createSampleReviews(
  ports: SamplePorts,
  reviews: Reviews,
  worklists: Worklists,
): (event: AnyEvent) => void {
  const begun = new Set<string>();
  return (event) => {
    if (event.name !== 'sync:finished' || event.payload.receipt.outcome !== 'complete') return;
    const { workspaceId } = event.payload;
    if (begun.has(workspaceId)) return;
    begun.add(workspaceId);
    addReviews(ports, reviews, worklists, workspaceId).catch(ports.onFailed);
  };
}
