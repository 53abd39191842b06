import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PartlyEligible } from '../../../src/rules/review/decision.ts';
import { openSample, type SampleSession, sumOf } from '../../support/sample-session.ts';

let sample: SampleSession;
beforeAll(async () => {
  sample = await openSample(40, 300);
});
afterAll(() => sample?.close());

/** Claims with this status that are partly eligible, as lists show them. */
const readPartly = (status: string) =>
  sample.readRows(
    {
      conditions: [
        { field: 'status', operator: 'is', values: [status] },
        { field: 'review.outcome', operator: 'is', values: ['partlyEligible'] },
      ],
    },
    ['id', 'facts.eligible', 'facts.eligible_by_rules'],
  );
const freezeNew = async (status: string) => {
  const { snapshotId } = await sample.call('records:open', {
    query: {
      entity: 'claims',
      conditions: [
        { field: 'review.state', operator: 'is', values: ['todo'] },
        { field: 'review.last_event_at', operator: 'isEmpty', values: [] },
        { field: 'status', operator: 'is', values: [status] },
      ],
    },
  });
  return sample.call('reviews:freeze', { from: { kind: 'list', snapshotId } });
};
const decide = (selectionId: string, partly: PartlyEligible) =>
  sample.call('reviews:act', {
    target: { selectionId },
    act: { kind: 'decision', state: 'done', outcome: 'partlyEligible', partly },
  });

test('the result of a rule is shown before it is saved, and is what the claims have afterwards', async () => {
  for (const [status, partly] of [
    ['Processed', { by: 'share', percent: 33.33 }],
    ['Adjusted', { by: 'parts', without: ['copay'] }],
    // Not known of claims that the carrier has not processed.
    ['In Process', { by: 'parts', without: ['deductible', 'coinsurance'] }],
  ] as const satisfies readonly (readonly [string, PartlyEligible])[]) {
    const rule = 'without' in partly ? { ...partly, without: [...partly.without] } : partly;
    // A colleague's reviews of the sample may have some.
    const before = new Set((await readPartly(status)).map(({ id }) => id));
    const { selectionId, claims } = await freezeNew(status);
    const { eligible, byRules, notKnown } = await sample.call('reviews:estimate', {
      selectionId,
      partly: rule,
    });
    const done = await decide(selectionId, rule);
    expect([done.claims, done.notKnown.length, done.leftOut]).toEqual([claims - notKnown, notKnown, []]);
    await sample.call('worklists:update', {});
    const rows = (await readPartly(status)).filter(({ id }) => !before.has(id));
    expect(rows).toHaveLength(done.claims);
    expect([BigInt(eligible), BigInt(byRules)]).toEqual([
      sumOf(rows, 'facts.eligible') ?? 0n,
      sumOf(rows, 'facts.eligible_by_rules') ?? 0n,
    ]);
    expect(status === 'In Process' ? notKnown : done.claims).toBeGreaterThan(0);
  }
});

test('an amount is for one claim, and a selection can be used once', async () => {
  const { selectionId } = await freezeNew('Partially Approved');
  await expect(
    sample.call('reviews:estimate', { selectionId, partly: { by: 'amount', amount: 1 } }),
  ).rejects.toThrow('review.amountForMany');
  await expect(
    sample.call('reviews:estimate', { selectionId: 'none', partly: { by: 'share', percent: 1 } }),
  ).rejects.toThrow('review.noSelection');
});
