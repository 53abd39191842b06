import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import type { DecisionRule, RuleDraft } from '../../../src/rules/decide/decision-rule.ts';
import type { Row } from '../../../src/rules/query.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

/** Rules through the whole engine: proposals, taking them, what is left out, and what a person decided before. */
let bench: Bench;
let session: Session;
let workspaceId: string;
beforeAll(async () => {
  bench = await openBench('--members', '30', '--claims', '400', '--seed', '16', '--corpus', 'ordinary');
  session = await bench.open(await bench.newProfile());
  workspaceId = (await session.findWorkspace()).id;
  await session.call('settings:set', { reviewsFrom: { [workspaceId]: '2000-01-01' } });
  await bench.sync(session);
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

const draft: RuleDraft = {
  name: 'Small claims',
  conditions: [{ field: 'patient_responsibility', operator: 'moreThan', values: [0] }],
  employers: [],
  act: { kind: 'eligible' },
  most: 50_0000,
  perDay: { claims: 100, amount: 100_000_0000 },
  secondLook: 5,
};
const fields = ['id', 'facts.open', 'facts.proposal', 'facts.proposal_rule', 'review.outcome', 'review.rule'];
const readProposed = async (): Promise<Row[]> => {
  const query = {
    entity: 'claims' as const,
    conditions: [{ field: 'facts.proposal', operator: 'isNotEmpty' as const, values: [] }],
  };
  await session.call('worklists:update', { workspaceId });
  return (await session.call('records:begin', { workspaceId, query, limit: 1000, fields })).rows;
};
const readRow = async (id: number): Promise<Row | undefined> => {
  const query = {
    entity: 'claims' as const,
    conditions: [{ field: 'id', operator: 'is' as const, values: [id] }],
  };
  return (await session.call('records:begin', { workspaceId, query, limit: 1, fields })).rows[0];
};
const takeProposal = (claimIds: number[]) =>
  session.call('reviews:act', { workspaceId, target: { claimIds }, act: { kind: 'byRule', how: 'taken' } });

let rule: DecisionRule;

test('a rule that only watches proposes nothing, and one that proposes marks its claims', async () => {
  rule = await session.call('rules:save', { workspaceId, draft });
  expect(rule).toMatchObject({ version: 1, state: 'watch' });
  expect(await readProposed()).toEqual([]);
  const trial = await session.call('rules:try', { workspaceId, draft });
  await session.call('rules:setState', { workspaceId, id: rule.id, state: 'propose' });
  const rows = await readProposed();
  expect(rows.length).toBeGreaterThan(5);
  expect(trial.open.claims).toBe(rows.length);
  expect(trial).toMatchObject({ decisions: 0, agrees: 0, notStored: 0 });
  for (const row of rows) {
    expect(row['facts.proposal_rule']).toBe('Small claims');
    expect(row['facts.open']).toBeGreaterThan(0);
    expect(row['facts.open']).toBeLessThanOrEqual(500_000);
  }
  const { rules } = await session.call('rules:list', { workspaceId });
  expect(rules[0]).toMatchObject({
    acts: 'propose',
    why: null,
    proposed: { claims: rows.length },
    decided: 0,
  });
});

test('a proposal is accepted, explained, and undone like any other act', async () => {
  const [first, second] = (await readProposed()) as [Row, Row];
  const [id, other] = [first.id as number, second.id as number];
  const { proposal } = await session.call('rules:explain', { workspaceId, claimId: id });
  expect(proposal).toMatchObject({ name: 'Small claims', version: 1, words: first['facts.proposal'] });
  expect(proposal?.conditions[0]?.value).not.toBeNull();
  const done = await takeProposal([id, other]);
  expect(done).toMatchObject({ claims: 2, leftOut: [] });
  expect(await readRow(id)).toMatchObject({ 'review.outcome': 'eligible', 'review.rule': null });
  const review = await session.call('reviews:get', { workspaceId, claimId: id });
  expect(review).toMatchObject({ state: 'done', rule: { id: rule.id, version: 1, how: 'taken' } });
  const { decided, proposal: none } = await session.call('rules:explain', { workspaceId, claimId: id });
  expect([decided?.name, none]).toEqual(['Small claims', null]);
  expect(await takeProposal([id])).toMatchObject({ eventId: null, claims: 0, leftOut: [id] });
  await session.call('reviews:undo', { workspaceId, eventId: done.eventId as string });
  expect(await readRow(id)).toMatchObject({ 'review.outcome': null, 'review.rule': null });
  expect((await readProposed()).map((row) => row.id)).toContain(id);
});

test('a proposal is accepted only from the rule that was shown', async () => {
  const [first] = (await readProposed()) as [Row];
  const id = first.id as number;
  const take = (version: number) =>
    session.call('reviews:act', {
      workspaceId,
      target: { claimIds: [id] },
      act: { kind: 'byRule', how: 'taken', rule: { id: rule.id, version } },
    });
  expect(await take(rule.version + 1)).toMatchObject({ eventId: null, claims: 0, leftOut: [id] });
  const done = await take(rule.version);
  expect(done).toMatchObject({ claims: 1, leftOut: [] });
  await session.call('reviews:undo', { workspaceId, eventId: done.eventId as string });
});

test('before many proposals are accepted, claims and open amounts are added up by rule', async () => {
  const rows = await readProposed();
  const { snapshotId } = await session.call('records:begin', {
    workspaceId,
    query: { entity: 'claims' },
    limit: 1,
    fields: ['id'],
  });
  const { selectionId, claims } = await session.call('reviews:freeze', {
    workspaceId,
    from: { kind: 'list', snapshotId },
  });
  expect(claims).toBeGreaterThan(rows.length);
  const open = rows.reduce((sum, row) => sum + (row['facts.open'] as number), 0);
  expect(await session.call('reviews:estimateProposals', { workspaceId, selectionId })).toEqual({
    claims: rows.length,
    byRule: [{ ruleId: rule.id, name: 'Small claims', claims: rows.length, open }],
  });
});

test('long conditions are explained, but not stored with every claim', async () => {
  const long = { field: 'network', operator: 'isOneOf' as const, values: [] as string[] };
  long.values = ['IN', ...Array.from({ length: 200 }, (_none, at) => `Network ${at}`)];
  const draftOfLong = { ...draft, name: 'Long', conditions: [...draft.conditions, long] };
  const saved = await session.call('rules:save', { workspaceId, draft: draftOfLong });
  await session.call('rules:setState', { workspaceId, id: saved.id, state: 'propose' });
  const namesOf = async () => new Set((await readProposed()).map((one) => one['facts.proposal_rule']));
  // A new rule is the last; of those that fit, the first is used.
  expect(await namesOf()).toEqual(new Set(['Small claims']));
  const move = (to: 'up' | 'down') => session.call('rules:move', { workspaceId, id: saved.id, to });
  for (const to of ['down', 'up', 'up'] as const) await move(to);
  expect(await namesOf()).toEqual(new Set(['Long', 'Small claims']));
  const { rules } = await session.call('rules:list', { workspaceId });
  expect(rules.map(({ rule: { name, version, state } }) => [name, version, state])).toEqual([
    ['Long', 1, 'propose'],
    ['Small claims', 1, 'propose'],
  ]);
  const row = (await readProposed()).find((one) => one['facts.proposal_rule'] === 'Long') as Row;
  const claimId = row.id as number;
  const done = await takeProposal([claimId]);
  const { decided } = await session.call('rules:explain', { workspaceId, claimId });
  expect(decided?.conditions.map(({ condition }) => condition)).toEqual(draftOfLong.conditions);
  await session.call('reviews:undo', { workspaceId, eventId: done.eventId as string });
  await session.call('rules:remove', { workspaceId, id: saved.id });
});

test('a claim with an owner, a decision or a payment has no proposal', async () => {
  const [owned, waiting, paid] = (await readProposed()).map((row) => row.id as number) as [
    number,
    number,
    number,
  ];
  const act = (claimId: number, given: Parameters<typeof session.call<'reviews:act'>>[1]['act']) =>
    session.call('reviews:act', { workspaceId, target: { claimIds: [claimId] }, act: given });
  await act(owned, { kind: 'owner', owner: 'Ada' });
  await act(waiting, { kind: 'decision', state: 'inReview' });
  await act(paid, { kind: 'payment', payment: 'reimbursed', amount: 100, day: '2026-11-01', account: '' });
  const left = (await readProposed()).map((row) => row.id);
  for (const id of [owned, waiting, paid]) expect(left).not.toContain(id);
});

test('a rule decides only after a sufficient trial, and a changed rule begins at watch', async () => {
  await expect(
    session.call('rules:setState', { workspaceId, id: rule.id, state: 'do' }),
  ).rejects.toMatchObject({ code: 'rule.notTried' });
  const changed = await session.call('rules:save', {
    workspaceId,
    id: rule.id,
    draft: { ...draft, most: 10_0000 },
  });
  expect(changed).toMatchObject({ version: 2, state: 'watch' });
  const ofOlder = { workspaceId, id: rule.id, version: 1 };
  for (const late of [
    session.call('rules:setState', { ...ofOlder, state: 'propose' }),
    session.call('rules:save', { ...ofOlder, draft }),
  ])
    await expect(late).rejects.toMatchObject({ code: 'rule.changed' });
  expect(await readProposed()).toEqual([]);
  await expect(
    session.call('rules:setState', { workspaceId, id: '00000000-0000-4000-8000-000000000000', state: 'off' }),
  ).rejects.toMatchObject({ code: 'rule.unknown' });
  const odd = {
    ...draft,
    conditions: [{ field: 'review.outcome', operator: 'isEmpty' as const, values: [] }],
  };
  await expect(session.call('rules:save', { workspaceId, draft: odd })).rejects.toMatchObject({
    code: 'query.invalid',
  });
  await session.call('rules:remove', { workspaceId, id: rule.id });
  expect((await session.call('rules:list', { workspaceId })).rules).toEqual([]);
});

test('rules that are saved at the same time are all stored', async () => {
  const names = ['First', 'Second', 'Third'];
  const saved = await Promise.all(
    names.map((name) => session.call('rules:save', { workspaceId, draft: { ...draft, name } })),
  );
  const { rules } = await session.call('rules:list', { workspaceId });
  expect(rules.map((one) => one.rule.name).sort()).toEqual(names);
  for (const { id } of saved) await session.call('rules:remove', { workspaceId, id });
});
