import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '../../../src/contract/procedures.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

let bench: Bench;
let session: Session;
let profileDir: string;
let workspaceId: string;
/** Claims whose rules give $55.01: deductible 30, coinsurance 5.01, copay 20. */
let split: number[];
/** Claims of $40.00 without a split. */
let unsplit: number[];

const splitAmounts = {
  reduction: 30,
  coinsurance_patient: 5.01,
  copayment: 20,
  patient_responsibility: 55.01,
};
const usual = { status: 'Processed', is_incomplete: false, amount_not_covered: 0, amount_paid_other: 0 };
const noParts = ['reduction', 'coinsurance_patient', 'copayment'].flatMap((name) => [
  [name, null],
  [`computed_${name}`, null],
]);

const edit = (ids: readonly number[], set: object) =>
  bench.sandbox.control('POST', '/edits', {
    edits: ids.map((id) => ({ op: 'change', list: 'claims', id, set })),
  });

beforeAll(async () => {
  bench = await openBench('--members', '10', '--claims', '60', '--seed', '16');
  profileDir = await bench.newProfile();
  session = await bench.open(profileDir);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
  const ids = (await bench.readAll(session, 'claims')).map(({ id }) => id as number);
  split = ids.slice(0, 30);
  unsplit = ids.slice(30, 34);
  await edit(split, { ...usual, ...splitAmounts });
  await edit(unsplit, {
    ...{ ...usual, patient_responsibility: 40, ...Object.fromEntries(noParts) },
    claim_medical_lines: [{ procedure_code: '99213' }],
  });
  await bench.sync(session);
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

type Act = Input<'reviews:act'>['act'];
type Partly = Extract<Act, { kind: 'decision' }>['partly'];
const decide = (partly: Partly, cause?: string): Act => ({
  ...{
    kind: 'decision',
    state: 'done',
    outcome: 'partlyEligible',
    onWhom: null,
    reason: null,
    reminder: null,
  },
  ...(partly === undefined ? {} : { partly }),
  ...(cause === undefined ? {} : { cause }),
});
const act = (claimIds: number[], wanted: Act) =>
  session.call('reviews:act', { workspaceId, target: { claimIds }, act: wanted });
const get = (claimId: number) => session.call('reviews:get', { workspaceId, claimId });
const take = (): number => split.pop() as number;
const lineCount = async (claimId: number): Promise<number> => {
  const { claim } = await session.call('records:getClaim', { workspaceId, id: claimId });
  return claim.claim_medical_lines?.length ?? 0;
};

test('one claim by an amount, with a reason: the rest is declined, and a change restores what the rules give', async () => {
  const claimId = take();
  expect(await get(claimId)).toMatchObject({
    ...{ byRules: 550_100, eligible: 550_100, declined: 0, disputed: 0, open: 550_100 },
    ...{ basis: { rule: 'parts' }, partly: null, cause: null },
  });
  const partly = { by: 'amount', amount: 125_000 } as const;
  const { eventId } = await act([claimId], decide(partly, 'Over the limit'));
  const decided = {
    ...{ outcome: 'partlyEligible', byRules: 550_100, eligible: 125_000, declined: 425_100, open: 125_000 },
    ...{ partly, cause: 'Over the limit' },
  };
  expect(await get(claimId)).toMatchObject(decided);
  const { events } = await session.call('reviews:listEvents', { workspaceId, claimId, offset: 0, limit: 1 });
  expect(events[0]).toMatchObject({ fact: { partly }, amounts: { eligible: 125_000, byRules: 550_100 } });

  const rules = {
    parts: ['copay' as const],
    networks: null,
    runOutDays: 90,
    highCostFrom: null,
    decideDays: null,
    appealDays: 180,
  };
  await session.call('settings:set', { reimbursementRules: { [workspaceId]: rules } });
  expect(await get(claimId)).toMatchObject(decided);
  await session.call('settings:set', { reimbursementRules: {} });

  await session.call('reviews:undo', { workspaceId, eventId: eventId as string });
  expect(await get(claimId)).toMatchObject({ eligible: 550_100, declined: 0, partly: null, cause: null });
  await act([claimId], decide(partly, 'Over the limit'));
  await edit([claimId], { copayment: 25, patient_responsibility: 60.01 });
  await bench.sync(session);
  expect(await get(claimId)).toMatchObject({
    ...{ state: 'todo', outcome: null, byRules: 600_100, eligible: 600_100, declined: 0, cause: null },
  });
  const ifKept = { outcome: 'partlyEligible', eligible: 125_000, declined: 475_100 };
  expect(await get(claimId)).toMatchObject({
    ifKept: { ...ifKept, eligibleBefore: 125_000, declinedBefore: 425_100, refused: null },
  });
  await act([claimId], { kind: 'accept' });
  expect(await get(claimId)).toMatchObject({ ...decided, ...ifKept, byRules: 600_100, ifKept: null });

  // The decided amount is now too large: it can't be kept, and the window shows so before the engine does.
  await edit([claimId], { reduction: 0, coinsurance_patient: 0, copayment: 5, patient_responsibility: 5 });
  await bench.sync(session);
  expect(await get(claimId)).toMatchObject({ byRules: 50_000, ifKept: { refused: 'tooMuch' } });
  await expect(act([claimId], { kind: 'accept' })).rejects.toMatchObject({ code: 'review.amountTooLarge' });
});

test('one claim by its lines', async () => {
  const claimId = take();
  const lines = await lineCount(claimId);
  const partly = { by: 'lines', lines: [{ line: lines - 1, amount: 100_000 }] } as const;
  await expect(
    act([claimId], decide({ by: 'lines', lines: [{ line: lines, amount: 1 }] })),
  ).rejects.toMatchObject({ code: 'usage.invalid' });
  await expect(
    act([claimId], decide({ by: 'lines', lines: [...partly.lines, ...partly.lines] })),
  ).rejects.toMatchObject({ code: 'usage.invalid' });
  await act([claimId], decide({ ...partly, lines: [...partly.lines] }));
  expect(await get(claimId)).toMatchObject({ eligible: 100_000, declined: 450_100, partly });
});

test.each<[string, Act, string]>([
  ['partly eligible without how much', decide(undefined), 'review.incomplete'],
  ['more than the rules give', decide({ by: 'amount', amount: 550_101 }), 'review.amountTooLarge'],
  ['all that the rules give', decide({ by: 'amount', amount: 550_100 }), 'review.amountIsWhole'],
  [
    'all that the rules give, by lines',
    decide({ by: 'lines', lines: [{ line: 0, amount: 550_100 }] }),
    'review.amountIsWhole',
  ],
  ['less than nothing', decide({ by: 'amount', amount: -1 }), 'review.amountTooLarge'],
  [
    'an amount of another outcome',
    { ...decide({ by: 'amount', amount: 1 }), outcome: 'eligible' } as Act,
    'usage.invalid',
  ],
  [
    'a reason of another outcome',
    { ...decide(undefined, 'Hm'), outcome: 'eligible' } as Act,
    'usage.invalid',
  ],
])('%s is refused and leaves no event', async (_name, wanted, code) => {
  const claimId = take();
  await expect(act([claimId], wanted)).rejects.toMatchObject({ code });
  const { total } = await session.call('reviews:listEvents', { workspaceId, claimId, offset: 0, limit: 1 });
  expect(total).toBe(0);
});

test('many claims by a rule: each stores its own amount, and claims for which the rule gives nothing are left out', async () => {
  const [one, other, third, fourth] = [take(), take(), unsplit.pop() as number, unsplit.pop() as number];
  for (const partly of [
    { by: 'amount', amount: 1 },
    { by: 'lines', lines: [{ line: 0, amount: 1 }] },
  ] as const)
    await expect(act([one, other], decide(partly as Partly))).rejects.toMatchObject({
      code: 'review.amountForMany',
    });

  const allButCopay = await act([one, third, other], decide({ by: 'parts', without: ['copay'] }, 'Copay'));
  expect(allButCopay).toMatchObject({ claims: 2, leftOut: [], notKnown: [third] });
  for (const claimId of [one, other])
    expect(await get(claimId)).toMatchObject({ eligible: 350_100, declined: 200_000, cause: 'Copay' });
  expect(await get(third)).toMatchObject({ outcome: null, eligible: 400_000 });
  expect(await act([third], decide({ by: 'parts', without: ['copay'] }))).toEqual({
    ...{ eventId: null, claims: 0, leftOut: [], needsSecond: [], unchanged: 0, notKnown: [third] },
  });

  const query = {
    entity: 'claims' as const,
    conditions: [{ field: 'id', operator: 'isOneOf' as const, values: [one, third, fourth] }],
  };
  const freeze = async () => {
    const { snapshotId } = await session.call('records:open', { workspaceId, query });
    return session.call('reviews:freeze', { workspaceId, from: { kind: 'list', snapshotId } });
  };
  const { selectionId } = await freeze();
  const target = { selectionId };
  await expect(
    session.call('reviews:act', { workspaceId, target, act: decide({ by: 'amount', amount: 1 }) }),
  ).rejects.toMatchObject({ code: 'review.amountForMany' });
  const half = await session.call('reviews:act', {
    workspaceId,
    target,
    act: decide({ by: 'share', percent: 50 }),
  });
  expect(half).toMatchObject({ claims: 3, leftOut: [], notKnown: [] });
  expect(await get(one)).toMatchObject({ eligible: 275_000, declined: 275_100, cause: null });
  expect(await get(fourth)).toMatchObject({ eligible: 200_000, declined: 200_000 });
});

test('lists and the report have the amounts as decided, even after a restart', async () => {
  const [partly, refused, disputed] = [take(), take(), take()];
  await act([partly], decide({ by: 'share', percent: 10 }, 'Missing receipt'));
  const done = { ...decide(undefined), outcome: 'notEligible', cause: 'Missing receipt' } as Act;
  await act([refused], done);
  await act([disputed], { ...decide(undefined), outcome: 'disputed' } as Act);
  await session.close();
  session = await bench.open(profileDir);
  await session.call('worklists:update', { workspaceId });
  const fields = [
    ...['id', 'review.cause', 'facts.eligible_by_rules', 'facts.eligible'],
    ...['facts.declined', 'facts.disputed', 'facts.open'],
  ];
  const read = async (field: string, operator: 'is' | 'moreThan', value: string | number) => {
    const { snapshotId, total } = await session.call('records:open', {
      workspaceId,
      query: {
        entity: 'claims',
        conditions: [{ field, operator, values: [value] }],
        sort: [{ field: 'facts.declined', direction: 'asc' }],
      },
    });
    const { rows } = await session.call('records:getWindow', {
      workspaceId,
      snapshotId,
      offset: 0,
      limit: total,
      fields,
    });
    return rows.map((row) => fields.map((name) => row[name]));
  };
  expect(await read('review.cause', 'is', 'Missing receipt')).toEqual([
    [partly, 'Missing receipt', 550_100, 55_000, 495_100, 0, 55_000],
    [refused, 'Missing receipt', 550_100, 0, 550_100, 0, 0],
  ]);
  expect(await read('facts.disputed', 'moreThan', 0)).toEqual([[disputed, null, 550_100, 0, 0, 550_100, 0]]);
  const { reimbursed } = await session.call('worklists:report', { workspaceId });
  expect(reimbursed.reduce((sum, row) => sum + row.disputed.amount, 0) % 550_100).toBe(0);
  const { worklists } = await session.call('worklists:counts', { workspaceId });
  const toPay = worklists.find(({ id }) => id === 'toPay');
  expect(toPay).toMatchObject({ amountLabel: 'Open' });
  expect(toPay?.claims).toBeGreaterThan(0);
});

test('keeping a decision gives what the claim has after it, for each outcome', async () => {
  const outcomes = ['eligible', 'notEligible', 'noAction', 'duplicate', 'disputed'] as const;
  const decided = outcomes.map((outcome) => [take(), { ...decide(undefined), outcome } as Act] as const);
  for (const [claimId, one] of decided) await act([claimId], one);
  const share = take();
  await act([share], decide({ by: 'share', percent: 50 }));
  const claimIds = [...decided.map(([claimId]) => claimId), share];
  await edit(claimIds, { copayment: 25, patient_responsibility: 60.01 });
  await bench.sync(session);
  for (const claimId of claimIds) {
    const { ifKept } = await get(claimId);
    await act([claimId], { kind: 'accept' });
    const { outcome, eligible, declined } = await get(claimId);
    expect(ifKept).toMatchObject({ outcome, eligible, declined, refused: null });
  }
});
