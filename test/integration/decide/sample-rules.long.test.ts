import '../../support/fixed-clock.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ruleDraftSchema } from '../../../src/rules/decide/decision-rule.ts';
import { worklistQuery } from '../../../src/rules/worklists/worklist-table.ts';
import { openSample, type SampleSession, where } from '../../support/sample-session.ts';

let sample: SampleSession;

beforeAll(async () => {
  sample = await openSample(1_500, 15_000);
});
afterAll(() => sample?.close());

const listRules = async () => (await sample.call('rules:list', {})).rules;

/** Waits until the sample has both rules in their states. */
async function waitForRules() {
  for (;;) {
    const rules = await listRules();
    if (rules.length === 2 && rules.every(({ rule }) => rule.state !== 'watch')) return rules;
    await sleep(50);
  }
}

test('the sample’s rules pass the same trial as a user’s rules, and four disagreements show how they work', async () => {
  const rules = await waitForRules();
  expect(rules.map(({ rule, acts }) => [rule.name, rule.state, acts])).toEqual([
    ['Preventive visits', 'propose', 'propose'],
    ['Copays in network under $50', 'do', 'do'],
  ]);
  const [preventive, copays] = await Promise.all(
    rules.map(({ rule }) => sample.call('rules:try', { draft: ruleDraftSchema.parse(rule) })),
  );
  expect(copays?.missing).toEqual([]);
  expect(copays?.decisions).toBeGreaterThanOrEqual(200);
  expect(copays?.months).toBeGreaterThanOrEqual(2);
  expect([copays?.agrees, copays?.differing.length]).toEqual([(copays?.decisions ?? 0) - 1, 1]);
  expect(preventive?.differing.map(({ decided }) => decided.split(':')[0]).toSorted()).toEqual([
    'Disputed',
    'Eligible',
    'Eligible',
    'Partly eligible',
  ]);
  for (const { claimId } of [...(preventive?.differing ?? []), ...(copays?.differing ?? [])]) {
    const { notes } = await sample.call('reviews:get', { claimId });
    expect(notes).toHaveLength(1);
  }
});

test('claims decided in the past are paid, so they are in no list', async () => {
  const before = new Date(Date.now() - 21 * 86_400_000).toISOString();
  for (const id of ['toPay', 'owedBack', 'changed'] as const) {
    const { conditions = [] } = worklistQuery(id);
    const rows = await sample.readRows(where(...conditions), ['review.last_event_at']);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => String(row['review.last_event_at']) < before)).toEqual([]);
  }
});

test('a complete sync decides by the rule, up to its daily limit, and proposes the rest', async () => {
  const before = (await listRules()).find(({ rule }) => rule.state === 'do');
  await sample.call('sync:start', {});
  let copays = before;
  while (copays?.decided === 0) {
    await sleep(50);
    copays = (await listRules()).find(({ rule }) => rule.state === 'do');
  }
  for (let running = true; running; await sleep(50))
    running = (await sample.call('sync:getStatus', {})).running !== null;
  copays = (await listRules()).find(({ rule }) => rule.state === 'do');
  expect([copays?.acts, copays?.decided]).toEqual(['do', copays?.rule.perDay.claims]);
  expect(copays?.proposed.claims).toBe((before?.proposed.claims ?? 0) - (copays?.decided ?? 0));
  // About 5% of what it decided is in Quality check; the rest there was decided by the colleague.
  const { conditions = [] } = worklistQuery('qualityCheck');
  const checked = await sample.readRows(where(...conditions), ['review.rule']);
  const ofRule = checked.filter((row) => row['review.rule'] === copays?.rule.name).length;
  expect(ofRule / (copays?.decided ?? 0)).toBeGreaterThan(0.03);
  expect(ofRule / (copays?.decided ?? 0)).toBeLessThan(0.07);
});
