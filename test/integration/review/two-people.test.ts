import { expect, it } from 'vitest';
import { defaultSettings } from '../../../src/contract/settings.ts';
import { toBytes } from '../../support/incoming-file.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const payment = (amount: number) =>
  ({ kind: 'payment', payment: 'reimbursed', amount, day: '2026-11-20', account: '' }) as const;

/** A claim whose deductible is its patient responsibility, in dollars. */
const ownPart = (dollars: number) => ({
  ...{ reduction: dollars, patient_responsibility: dollars, coinsurance_patient: 0, copayment: 0 },
  ...{ is_incomplete: false, amount_not_covered: 0, amount_paid_other: 0 },
});

function open(twoPeopleAbove?: number) {
  const clock = { now: () => Date.parse('2026-11-20T12:00:00.000Z') };
  const settings = () => ({
    ...defaultSettings,
    service: 'https://claims.example.com',
    team: { planYearStarts: {}, rules: {}, ...(twoPeopleAbove === undefined ? {} : { twoPeopleAbove }) },
    reviewsFrom: { [workspaceId]: '2000-01-01' },
  });
  const one = openComputer(makeTempFolder(), 'ana', clock, clock.now, undefined, undefined, settings);
  one.opened.ingest(
    'claims',
    [1, 2, 3, 4].map((id) => ({ id, status: 'Processed', amount_paid: 10, ...ownPart(id * 50) })),
  );
  const act = (claimId: number, wanted: Parameters<typeof one.reviews.act>[2]) =>
    one.reviews.act(workspaceId, { claimIds: [claimId] }, wanted);
  return {
    ...one,
    act,
    count: async () => (await one.reviews.listEvents({ workspaceId, offset: 0, limit: 9 })).events.length,
  };
}

it('refuses that one person decides a claim and records more than the team’s amount, in either order', async () => {
  const { act, count } = open(1_000_000);
  await act(1, decisionOf('eligible'));
  await act(1, payment(600_000));
  // The rule holds for payments in parts too.
  await expect(act(1, payment(400_100))).rejects.toMatchObject({ code: 'review.needsSecond' });
  await act(1, payment(400_000));
  await act(2, payment(1_000_100));
  await expect(act(2, decisionOf('eligible'))).rejects.toMatchObject({ code: 'review.needsSecond' });
  expect(await count()).toBe(4);
});

it('refuses none of that in a team without the rule', async () => {
  const { act } = open();
  await act(1, decisionOf('eligible'));
  await act(1, payment(9_000_000));
});

it('leaves out claims that a second person has to pay, and lists them beforehand', async () => {
  const { act, count, reviews } = open(1_000_000);
  // $50, $100, $150 and $200 are open; one and three were decided by the same person, who recorded $60 of the first.
  for (const claimId of [1, 3]) await act(claimId, decisionOf('eligible'));
  await act(2, payment(600_000));
  const pay = {
    kind: 'payment',
    payment: 'reimbursed',
    amount: null,
    day: '2026-11-21',
    account: '',
  } as const;
  const { selectionId } = await reviews.freezeList(workspaceId, 'all', null);
  expect(await reviews.estimateOpen({ workspaceId, selectionId })).toEqual({
    open: 500_000 + 400_000 + 2_000_000 + 1_500_000,
    payments: 3,
    amount: 500_000 + 400_000 + 2_000_000,
    notKnown: 0,
    nothingOpen: 0,
    inRun: 0,
    needsSecond: 1,
    broken: [{ claimId: 3, above: 1_000_000, over: 500_000, decidedBy: 'ana@example.com' }],
  });
  const done = await reviews.act(workspaceId, { selectionId }, pay);
  expect(done).toMatchObject({ claims: 3, needsSecond: [3], leftOut: [], notKnown: [] });
  const events = await count();
  await expect(reviews.act(workspaceId, { claimIds: [3] }, pay)).rejects.toMatchObject({
    code: 'review.needsSecond',
  });
  // The rule holds in the other order as well: the fourth was paid above the amount.
  const decided = await reviews.act(workspaceId, { claimIds: [2, 4] }, decisionOf('eligible'));
  expect(decided).toMatchObject({ claims: 1, needsSecond: [4] });
  await expect(
    reviews.act(workspaceId, { claimIds: [3, 4] }, { ...payment(3_000_000), day: '2026-11-22' }),
  ).resolves.toMatchObject({ claims: 1, needsSecond: [3] });
  expect(await count()).toBe(events + 2);
});

it('refuses an act on several claims if none is left', async () => {
  const { act, count, reviews } = open(0);
  for (const claimId of [1, 2]) await act(claimId, decisionOf('eligible'));
  await expect(reviews.act(workspaceId, { claimIds: [1, 2] }, payment(100))).rejects.toMatchObject({
    code: 'review.needsSecond',
  });
  expect(await count()).toBe(2);
});

it('leaves out individual rows of a payments file, with the amount and who decided', async () => {
  const { act, reviews } = open(1_000_000);
  await act(1, decisionOf('eligible'));
  const rows = ['1,60.00', '1,50.00', '1,40.00', '2,500.00'].map((row, at) => `${row},2026-02-0${at + 1}`);
  const csv = ['claim,amount,date', ...rows].join('\n');
  const wanted = { workspaceId, file: toBytes(csv), payment: 'reimbursed', account: '' } as const;
  const plan = await reviews.readPayments(wanted);
  expect(plan).toMatchObject({ payments: 3, claims: 2, amount: 6_000_000 });
  expect(plan.unmatched).toEqual([
    {
      ...{ line: 3, of: '1', reason: 'needsSecond' },
      rule: { above: 1_000_000, over: 100_000, decidedBy: 'ana@example.com' },
    },
  ]);
  // The second claim is decided by the same person before the file is recorded.
  await act(2, decisionOf('eligible'));
  const done = await reviews.recordPayments(workspaceId, plan.selectionId);
  expect(done).toMatchObject({ claims: 1, leftOut: [], needsSecond: [2] });
  expect((await reviews.get(workspaceId, 1)).payments.map(({ amount }) => amount)).toEqual([
    600_000, 400_000,
  ]);
  // Repaid money needs no second person.
  const repaid = {
    file: toBytes([...csv.split('\n').slice(0, 2), '1,40.00,2026-02-05'].join('\n')),
    payment: 'repaid',
  } as const;
  expect(await reviews.readPayments({ ...wanted, ...repaid })).toMatchObject({ payments: 2, unmatched: [] });
});
