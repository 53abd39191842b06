import { randomUUID } from 'node:crypto';
import { addDays, localDayOf } from '../../../contract/days.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import type { ListQuery } from '../../../contract/query.ts';
import type { ReviewAct } from '../../../contract/review.ts';
import type { ReviewedValues } from '../../../contract/reviewed-values.ts';
import { worklistQuery } from '../../../contract/worklist-table.ts';
import type { ReviewPorts, Reviews } from './reviews.ts';
import type { Worklists } from './worklists.ts';

/** Reviews that somebody may have made before, so that every worklist of the sample has claims from the start. */
export function createSampleReviews(
  ports: Pick<ReviewPorts, 'clock' | 'isReadOnly' | 'getStore' | 'getUserData' | 'findAuthor'> & {
    isSample(workspaceId: string): Promise<boolean>;
    onFailed(thrown: unknown): void;
  },
  reviews: Reviews,
  worklists: Worklists,
) {
  const begun = new Set<string>();

  const review = async (workspaceId: string): Promise<void> => {
    if (ports.isReadOnly || !(await ports.isSample(workspaceId))) return;
    if ((await reviews.listEvents({ workspaceId, offset: 0, limit: 1 })).total > 0) return;
    await worklists.update(workspaceId);
    const store = await ports.getStore(workspaceId);
    const list = async (query: ListQuery): Promise<number[]> =>
      Array.from((await store.list('makeList', query)).keys);
    const ready = await list(worklistQuery('ready'));
    const sampled = await list({
      entity: 'claims',
      conditions: [
        { field: 'facts.is_quality_sample', operator: 'is', values: [true] },
        { field: 'review.state', operator: 'is', values: ['todo'] },
      ],
    });
    const next = (count: number): number[] => ready.splice(0, count);
    const act = (claimIds: number[], what: ReviewAct): Promise<unknown> =>
      claimIds.length === 0 ? Promise.resolve() : reviews.act(workspaceId, { claimIds }, what);
    const today = localDayOf(new Date(ports.clock.now()));
    const pay = async (claimId: number, more: number): Promise<void> => {
      const { eligible } = await reviews.get(workspaceId, claimId);
      const amount = (eligible ?? 0) + more;
      if (amount > 0)
        await act([claimId], { kind: 'payment', payment: 'reimbursed', amount, day: today, account: '' });
    };
    const decision = { kind: 'decision', outcome: null, onWhom: null, reason: null, reminder: null } as const;
    const done = { ...decision, state: 'done', outcome: 'eligible' } as const;

    const paid = next(3);
    await act(paid, done);
    for (const [index, claimId] of paid.entries()) await pay(claimId, index === 0 ? 250_000 : 0);
    const waiting = { ...decision, state: 'waiting', onWhom: 'Member', reason: 'Itemized receipt' } as const;
    await act(next(2), { ...waiting, reminder: addDays(today, 7) });
    await act(next(1), { ...waiting, reminder: addDays(today, -1) });
    await act(next(1), {
      ...decision,
      state: 'escalated',
      onWhom: 'Plan administrator',
      reason: 'Unclear whether the plan covers it',
    });
    await act(next(1), { ...decision, state: 'inReview' });
    await act(sampled.filter((id) => ready.includes(id) || !paid.includes(id)).slice(0, 5), done);
    await reviewBeforeChange(workspaceId, next(2), done);
    await reviews.settleAfterSync(workspaceId);
  };

  /** A decision on the claims as they were before the carrier raised what the patient owes. */
  const reviewBeforeChange = async (
    workspaceId: string,
    claimIds: readonly number[],
    fact: ReviewAct,
  ): Promise<void> => {
    const [store, userData] = await Promise.all([
      ports.getStore(workspaceId),
      ports.getUserData(workspaceId),
    ]);
    const claims = await store.read('readReviewedClaims', { claimIds });
    const before = claims.map((claim) => {
      const values = JSON.parse(claim.reviewed) as ReviewedValues;
      const { patient_responsibility: owed, copayment } = values.fields;
      const fields = {
        ...values.fields,
        ...(typeof owed === 'number' ? { patient_responsibility: Math.max(0, owed - 20) } : {}),
        ...(typeof copayment === 'number' ? { copayment: Math.max(0, copayment - 20) } : {}),
      };
      return { ...claim, reviewed: JSON.stringify({ ...values, fields }), digest: 'before' };
    });
    if (before.length === 0) return;
    await userData.call('appendReview', {
      workspaceId,
      id: randomUUID(),
      nowMs: ports.clock.now(),
      author: await ports.findAuthor(workspaceId),
      fact,
      filter: null,
      undoes: null,
      receipt: null,
      claims: before,
    });
  };

  return {
    /** After the first sync of the sample, once. */
    onEvent(event: AnyEvent): void {
      if (event.name !== 'sync:finished' || event.payload.receipt.outcome !== 'complete') return;
      const { workspaceId } = event.payload;
      if (begun.has(workspaceId)) return;
      begun.add(workspaceId);
      review(workspaceId).catch(ports.onFailed);
    },
  };
}
