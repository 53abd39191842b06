import { expect, onTestFinished, test } from 'vitest';
import { defaultSettings } from '../../../src/contract/settings.ts';
import { digestAmountRules } from '../../../src/main/engine/review/digest-amount-rules.ts';
import { createReviews } from '../../../src/main/engine/review/reviews.ts';
import { factRulesOf } from '../../../src/main/engine/store/worklists/claim-facts.ts';
import type { DecisionRule } from '../../../src/rules/decide/decision-rule.ts';
import { startOf, startPlanYear } from '../../../src/rules/plans/plan-rules.ts';
import type { ReviewFact } from '../../../src/rules/review/event-kinds.ts';
import type { ReviewDetail } from '../../../src/rules/review/folded-review.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

/** A rule replayed on past decisions, and what a rule did on a colleague's computer. */
const today = '2026-11-20';
const clock = { now: () => Date.parse(`${today}T12:00:00Z`) };
const settings = {
  ...defaultSettings,
  service: 'https://claims.example.com',
  team: null,
  reviewsFrom: { [workspaceId]: '2000-01-01' },
};
const rules = factRulesOf(settings);
let made = 0;
const nextId = (): string => {
  made += 1;
  return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
};
const rule: DecisionRule = {
  ...{ id: nextId(), version: 3, name: 'Copays in network', state: 'do', employers: [] },
  conditions: [{ field: 'network', operator: 'is', values: ['IN'] }],
  ...{ act: { kind: 'eligible' }, most: 500_000, perDay: { claims: 10, amount: 10_000_000 }, secondLook: 5 },
  ...{ since: '2026-11-01T00:00:00.000Z', by: 'ada@acme.example', confirmedBy: 'ben@acme.example' },
  amountRules: digestAmountRules(settings),
};
const valuesOf = (more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    fields: {
      status: 'Processed',
      network: 'IN',
      copayment: 20,
      patient_responsibility: 20,
      amount_allowed: 100,
      ...more,
    },
    ...{ members: [{ id: 1, name: 'Ada', employerId: 3, employer: 'Acme' }], lines: [] },
    provider: { npi: null, tin: null, name: 'Clinic' },
  });
const decided = (outcome: 'eligible' | 'notEligible' | 'partlyEligible', more: object = {}) =>
  ({
    kind: 'decision',
    state: 'done',
    outcome,
    onWhom: null,
    reason: null,
    reminder: null,
    ...more,
  }) as ReviewFact;
const mark: NonNullable<ReviewDetail['rule']> = {
  ...{
    id: rule.id,
    version: 3,
    name: rule.name,
    by: rule.by,
    confirmedBy: rule.confirmedBy,
    since: rule.since,
  },
  ...{ conditions: rule.conditions, open: 200_000, secondLook: 5 },
  act: { kind: 'decision', state: 'done', outcome: 'eligible', onWhom: null, reason: null, reminder: null },
};

function open() {
  const computer = openComputer(
    makeTempFolder(),
    'one',
    clock,
    clock.now,
    undefined,
    onTestFinished,
    () => settings,
  );
  const add = (
    claimId: number,
    at: string,
    fact: ReviewFact,
    reviewed: string | null = valuesOf(),
    more: { detail?: ReviewDetail; undoes?: string; isOfTeam?: boolean } = {},
  ): string => {
    const id = nextId();
    const entry = {
      ...{
        id,
        workspace_id: workspaceId,
        at: `${at}T10:00:00.000Z`,
        author: 'cleo@acme.example',
        kind: fact.kind,
      },
      ...{
        fact: JSON.stringify(fact),
        filter: null,
        undoes: more.undoes ?? null,
        receipt: null,
        is_imported: 1,
      },
      ...{ folds_at: null, more: null, proof: null },
      claims: [
        [claimId, reviewed, 'd', more.detail === undefined ? null : JSON.stringify(more.detail)],
      ] as never,
    };
    computer.operations.importReviews({
      workspaceId,
      entries: [entry],
      nowMs: clock.now(),
      isOfTeam: more.isOfTeam ?? false,
    });
    return id;
  };
  const tryRule = (tried: DecisionRule = rule, by = rules) =>
    computer.operations.tryDecisions({
      workspaceId,
      rule: tried,
      rules: by,
      from: '2025-11-20T00:00:00.000Z',
      today,
    });
  return { ...computer, add, tryRule };
}

test('a trial compares the last decision of each person that a rule would have made, by the values stored then', () => {
  const { add, tryRule } = open();
  add(1, '2026-03-01', decided('eligible'));
  add(2, '2026-04-01', decided('notEligible', { cause: 'Not covered' }));
  // Out of network, above the amount, denied, or long ago: the rule would have done nothing.
  add(3, '2026-04-02', decided('notEligible'), valuesOf({ network: 'OUT' }));
  add(4, '2026-04-02', decided('notEligible'), valuesOf({ copayment: 60, patient_responsibility: 60 }));
  add(5, '2026-04-02', decided('notEligible'), valuesOf({ status: 'Rejected' }));
  add(6, '2025-01-02', decided('notEligible'));
  // Not stored; undone; decided again; blank.
  add(7, '2026-04-03', decided('eligible'), null);
  add(8, '2026-04-03', { kind: 'undo' }, null, { undoes: add(8, '2026-04-02', decided('notEligible')) });
  add(9, '2026-04-03', decided('notEligible'));
  add(9, '2026-05-03', decided('eligible'));
  add(10, '2026-04-03', decided('notEligible'), valuesOf({ network: null }));
  // What rules did counts for nothing; a proposal that was taken is a decision of a person.
  add(11, '2026-04-03', { kind: 'byRule', how: 'done' }, valuesOf(), { detail: { rule: mark } });
  add(12, '2026-04-03', { kind: 'byRule', how: 'taken' }, valuesOf(), { detail: { rule: mark } });
  expect(tryRule()).toMatchObject({ decisions: 4, agrees: 3, notStored: 1, months: 3 });
  expect(tryRule().differing).toEqual([
    {
      ...{ claimId: 2, at: '2026-04-01T10:00:00.000Z', author: 'cleo@acme.example' },
      ...{ decided: 'Not eligible: not covered', byRule: 'Eligible $20.00', amount: 200_000 },
    },
  ]);
});

test('partly eligible decisions agree to the cent, and tags and owners agree if they were set', () => {
  const { add, tryRule } = open();
  const half = { by: 'share', percent: 50 } as const;
  const amounts = { eligible: 100_000, byRules: 200_000 };
  add(1, '2026-03-01', decided('partlyEligible', { partly: half }), valuesOf(), { detail: { amounts } });
  add(2, '2026-03-01', decided('partlyEligible', { partly: half }), valuesOf(), {
    detail: { amounts: { ...amounts, eligible: 100_100 } },
  });
  expect(tryRule({ ...rule, act: { kind: 'partly', partly: half } })).toMatchObject({
    decisions: 2,
    agrees: 1,
  });
  add(2, '2026-03-02', { kind: 'tag', add: ['routine'], remove: [] });
  expect(tryRule({ ...rule, act: { kind: 'tag', tag: 'routine' } })).toMatchObject({
    decisions: 2,
    agrees: 1,
  });
});

test('a part under an account is not compared, and not-eligible decisions agree only with the same cause', () => {
  const { add, tryRule } = open();
  const half = { by: 'share', percent: 50 } as const;
  const amounts = { eligible: 100_000, byRules: 200_000 };
  add(1, '2026-03-01', decided('partlyEligible', { partly: half }), valuesOf(), { detail: { amounts } });
  add(2, '2026-03-01', decided('notEligible', { cause: 'Not covered' }));
  add(3, '2026-03-01', decided('notEligible', { cause: 'Too late' }));
  const account = { years: [{ ...startPlanYear('2026-01-01'), account: startOf.account }] };
  const withAccount = {
    ...rules,
    settings: { ...rules.settings, planRules: { [settings.service]: account } },
  };
  expect(tryRule({ ...rule, act: { kind: 'partly', partly: half } }, withAccount)).toMatchObject({
    ...{ decisions: 2, agrees: 0, notStored: 0, notReplayed: 1 },
  });
  const tried = tryRule({ ...rule, act: { kind: 'notEligible', cause: 'Not covered' } });
  expect(tried).toMatchObject({ decisions: 3, agrees: 1 });
  expect(tried.differing.map(({ claimId }) => claimId).sort()).toEqual([1, 3]);
});

test('a claim’s own decision is compared even if another claim was later found to be its duplicate', () => {
  const { add, tryRule } = open();
  add(1, '2026-03-01', decided('eligible'));
  const judged = { kind: 'judgeDuplicate', otherClaimId: 1, isDuplicate: true, isDone: true } as const;
  add(1, '2026-03-05', judged, valuesOf(), { detail: { otherClaimId: 2 } });
  expect(tryRule()).toMatchObject({ decisions: 1, agrees: 1 });
});

test('what a rule did on another computer counts once the team’s rule gives the same by the stored values', async () => {
  const { add, store, userData, operations, opened } = open();
  // Read since then, with nothing that makes a difference.
  const record = {
    ...{ status: 'Processed', network: 'IN', copayment: 20, patient_responsibility: 20, amount_allowed: 100 },
    ...{ service_provider: 'Clinic', members: [{ id: 1, name: 'Ada', employer: { id: 3, name: 'Acme' } }] },
  };
  opened.ingest(
    'claims',
    [1, 2, 3].map((id) => ({ ...record, id })),
  );
  let deciding: DecisionRule[] = [];
  const reviews = createReviews({
    ...{ clock, now: clock.now, isReadOnly: false, emit: () => undefined, signer: {} as never },
    ...{ getStore: async () => store, getUserData: async () => userData, getSettings: async () => settings },
    findAuthor: async () => 'dan@acme.example',
    readDecidingRules: async () => deciding,
    readSnapshot: () => Promise.reject(new Error('no list')),
  });
  const of = { detail: { rule: mark }, isOfTeam: true };
  add(1, '2026-11-10', { kind: 'byRule', how: 'done' }, valuesOf(), of);
  add(2, '2026-11-10', { kind: 'byRule', how: 'done' }, valuesOf({ network: 'OUT' }), of);
  add(3, '2026-11-10', { kind: 'byRule', how: 'done' }, valuesOf(), {
    ...of,
    detail: { rule: { ...mark, act: { ...mark.act, outcome: 'notEligible' } as typeof mark.act } },
  });
  const foldOf = (claimId: number) => operations.foldReviews({ workspaceId, claimIds: [claimId] })[0];
  await reviews.updateAfterSync(workspaceId);
  // The settings that say that it decides are not here yet.
  expect(foldOf(1)).toMatchObject({ outcome: null, rule: null, foundBy: { author: 'cleo@acme.example' } });
  deciding = [rule];
  await reviews.updateAfterSync(workspaceId);
  expect(foldOf(1)).toMatchObject({
    ...{ outcome: 'eligible', reviewedBy: 'ada@acme.example', foundBy: null },
    rule: { id: rule.id, how: 'done' },
  });
  for (const claimId of [2, 3])
    expect(foldOf(claimId)).toMatchObject({ outcome: null, foundBy: { author: 'cleo@acme.example' } });
});

test('a rule’s decisions are counted with their outcomes, and undone by day', async () => {
  const { add, operations, store, userData } = open();
  for (const [claimId, day] of [
    [1, '2026-11-10'],
    [2, '2026-11-10'],
    [3, today],
  ] as const)
    add(claimId, day, { kind: 'byRule', how: 'done' }, valuesOf(), { detail: { rule: mark } });
  add(2, '2026-11-12', decided('notEligible'));
  const countAll = () =>
    operations.countRuleDecisions({ workspaceId, from: '2026-11-01T00:00:00.000Z', day: today })[rule.id];
  expect(countAll()).toEqual({
    ...{ decided: 3, overturned: 1, checked: 0, checkAgreed: 0 },
    today: { claims: 1, amount: 200_000 },
  });
  const reviews = createReviews({
    ...{ clock, now: clock.now, isReadOnly: false, emit: () => undefined, signer: {} as never },
    ...{ getStore: async () => store, getUserData: async () => userData, getSettings: async () => settings },
    findAuthor: async () => 'dan@acme.example',
    readSnapshot: () => Promise.reject(new Error('no list')),
  });
  expect(await reviews.undoRule(workspaceId, rule.id, '2026-11-10')).toBe(1);
  const outcomeOf = (claimId: number) =>
    operations.foldReviews({ workspaceId, claimIds: [claimId] })[0]?.outcome;
  expect([1, 2, 3].map(outcomeOf)).toEqual([null, 'notEligible', 'eligible']);
  expect(await reviews.undoRule(workspaceId, rule.id, null)).toBe(1);
  expect([1, 2, 3].map(outcomeOf)).toEqual([null, 'notEligible', null]);
  expect(countAll()?.overturned).toBe(3);
  // A changed rule starts without the decisions of its earlier version; the limit of a day stays.
  const versions = { [rule.id]: rule.version + 1 };
  const from = '2026-11-01T00:00:00.000Z';
  expect(operations.countRuleDecisions({ workspaceId, from, day: today, versions })[rule.id]).toEqual({
    ...{ decided: 0, overturned: 0, checked: 0, checkAgreed: 0 },
    today: { claims: 1, amount: 200_000 },
  });
});

test('a rule’s decision is overturned if a user changes its amount, or one of two equal ones', () => {
  const { add, operations } = open();
  const partly = { by: 'share' as const, percent: 50 };
  const half = { eligible: 100_000, byRules: 200_000 };
  const byPerson = { ...decided('partlyEligible'), partly };
  const act = (outcome: 'eligible' | 'partlyEligible' | null) => ({
    ...{ ...mark.act, outcome, state: outcome === null ? 'waiting' : 'done' },
    ...(outcome === 'partlyEligible' && { partly }),
  });
  const addRule = (claimId: number, outcome: Parameters<typeof act>[0], day = '2026-11-10') =>
    add(claimId, day, { kind: 'byRule', how: 'done' }, valuesOf(), {
      detail: { rule: { ...mark, act: act(outcome) as typeof mark.act }, amounts: half },
    });
  for (const [claimId, outcome] of [
    [1, 'partlyEligible'],
    [2, 'partlyEligible'],
    [3, 'eligible'],
    [4, null],
  ] as const)
    addRule(claimId, outcome);
  // Two computers decided the same, before a person decided otherwise.
  addRule(3, 'eligible', '2026-11-11');
  const paid = { kind: 'payment', payment: 'reimbursed', amount: 1, day: null, account: '' } as const;
  for (const claimId of [1, 2]) add(claimId, '2026-11-11', paid, null);
  add(1, '2026-11-12', byPerson, valuesOf(), { detail: { amounts: half } });
  add(2, '2026-11-12', byPerson, valuesOf(), { detail: { amounts: { ...half, eligible: 99_900 } } });
  add(3, '2026-11-12', decided('notEligible'));
  // A claim that waits is decided later: that overturns nothing.
  add(4, '2026-11-12', decided('eligible'));
  const counts = operations.countRuleDecisions({ workspaceId, from: '2026-11-01T00:00:00.000Z', day: today });
  expect(counts[rule.id]).toMatchObject({ decided: 4, overturned: 2 });
  add(5, '2026-10-31', { kind: 'byRule', how: 'done' }, valuesOf(), {
    detail: { rule: { ...mark, name: 'Earlier name', version: 2 } },
  });
  // An undone outcome is apart; tags and what waits are no decisions of the report, whose share is of outcomes.
  add(6, '2026-10-31', { kind: 'undo' }, null, { undoes: addRule(6, 'eligible', '2026-10-30') });
  add(7, '2026-10-30', { kind: 'byRule', how: 'done' }, valuesOf(), {
    detail: { rule: { ...mark, act: { kind: 'tag', add: ['x'], remove: [] } } },
  });
  const row = { ruleId: rule.id, name: rule.name, checked: 0, checkAgreed: 0 };
  expect(operations.reportRules({ workspaceId, from: '2026-10-01T00:00:00.000Z' })).toEqual([
    { ...row, month: '2026-11', decided: 3, undone: 0, overturned: 2 },
    { ...row, month: '2026-10', decided: 1, undone: 1, overturned: 0 },
  ]);
});
