import { expect, onTestFinished, test } from 'vitest';
import { toBytes } from '../../support/incoming-file.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

const claimOf = (id: number) => ({
  ...{ id, status: 'Processed', vendor_system_id: `N${id}`, patient_name: 'Ana Cole', amount_not_covered: 0 },
  ...{ reduction: 50, patient_responsibility: 50, coinsurance_patient: 0, copayment: 0 },
  date_of_service: { start: '2026-02-10', end: '2026-02-11', bounds: '[]' },
});

function open() {
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const clock = { now: () => (nowMs += 1000) };
  const { opened, reviews, file } = openComputer(makeTempFolder(), 'ada', clock);
  onTestFinished(() => file.close());
  opened.ingest('claims', [claimOf(1), claimOf(2)]);
  const pay = (day: string, amount = 100_000, acceptsEarly = false) =>
    reviews.act(
      workspaceId,
      { claimIds: [1] },
      { kind: 'payment', payment: 'reimbursed', amount, day, account: '' },
      acceptsEarly,
    );
  return { reviews, pay };
}

test('a typed payment has whole cents and a day at most 31 days ahead, and one before the service asks for confirmation', async () => {
  const { pay, reviews } = open();
  const bad = { code: 'review.badPayment' };
  await expect(pay('2026-03-01', 100_050)).rejects.toMatchObject(bad);
  await expect(pay('2026-04-02')).rejects.toMatchObject(bad);
  await expect(pay('2026-02-09')).rejects.toMatchObject({ code: 'review.beforeService' });
  await pay('2026-02-10');
  await pay('2026-04-01');
  await pay('2026-02-09', 20_000, true);
  expect((await reviews.get(workspaceId, 1)).payments).toHaveLength(3);
});

test('a file of payments is checked in the same way, and its rows are listed', async () => {
  const { reviews } = open();
  const csv = [
    'Claim,Amount,Date',
    'N1,10.00,2026-02-10',
    'N1,10.005,2026-02-11',
    'N1,10.00,2026-04-02',
    'N2,10.00,2026-02-09',
  ].join('\n');
  const read = () =>
    reviews.readPayments({ ...{ workspaceId, file: toBytes(csv) }, payment: 'reimbursed', account: '' });
  const plan = await read();
  expect(plan).toMatchObject({
    ...{ payments: 1, claims: 1, amount: 100_000 },
    withEarly: { payments: 2, claims: 2, amount: 200_000 },
    early: [{ line: 5, of: 'N2', reason: 'beforeService' }],
    unmatched: [
      { line: 3, of: 'N1', reason: 'badAmount' },
      { line: 4, of: 'N1', reason: 'tooFarAhead' },
    ],
  });
  expect(await reviews.recordPayments(workspaceId, plan.selectionId)).toMatchObject({ claims: 1 });
  const again = await read();
  expect(await reviews.recordPayments(workspaceId, again.selectionId, true)).toMatchObject({ claims: 1 });
  expect((await reviews.get(workspaceId, 2)).payments).toMatchObject([{ day: '2026-02-09' }]);
});
