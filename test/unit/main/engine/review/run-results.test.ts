import { expect, it } from 'vitest';
import { layoutAmounts } from '../../../../../src/contract/run-layout.ts';
import { writeLayoutAmount } from '../../../../../src/main/engine/review/run-file.ts';
import { matchResults } from '../../../../../src/main/engine/review/run-results.ts';
import type { RunRow } from '../../../../../src/main/engine/store/worklists/read-runs.ts';

const row = (claimId: number, amount: number, more: Partial<RunRow> = {}): RunRow => ({
  ...{ claimId, amount, state: 'sent', isHere: true, isMissing: false, memberId: 7, memberKey: null },
  ...{ claimNumber: null, patient: null, provider: null, serviceStart: '2026-01-05', serviceEnd: null },
  ...{ memberLast: 'Cole', memberFirst: null, employerId: null, employer: null },
  ...more,
});
const whyOf = (csv: string, rows: readonly RunRow[]) =>
  matchResults(csv, rows).unmatched.map(({ line, reason }) => [line, reason]);

it('matches what lowers a payment, and payments that it lowers to nothing', () => {
  const rows = [row(1, 500_000), row(2, -500_000), row(3, -123_400)];
  const byClaim = matchResults('claim,amount\n1,50.00\n2,(50.00)\n3,-$12.34', rows);
  expect(byClaim).toMatchObject({ unmatched: [], sums: { paid: { claims: 3, amount: -123_400 } } });
  const byMember = matchResults('member,amount\n7,$0.00', rows.slice(0, 2));
  expect(byMember).toMatchObject({ unmatched: [], sums: { paid: { claims: 2, amount: 0 } } });
  expect(whyOf('claim,amount\n1,fifty\n2,50.00', rows)).toEqual([
    [2, 'badAmount'],
    [3, 'amountDiffers'],
  ]);
});

it('compares amounts to the cent, as files have them', () => {
  expect(whyOf('claim,amount\n1,33.34', [row(1, 333_350)])).toEqual([]);
  expect(whyOf('claim,amount\n1,33.33', [row(1, 333_350)])).toEqual([[2, 'amountDiffers']]);
});

it('takes no two members for one where the key of one is the record number of the other', () => {
  const rows = [row(1, 500_000), row(2, 500_000, { memberId: 8, memberKey: '7' })];
  const found = matchResults('member,result\n7,paid\n8,paid', rows);
  expect([...found.paid]).toEqual([2]);
  expect(found.unmatched).toEqual([{ line: 2, of: '7', reason: 'severalMembers' }]);
});

it('reads amounts in every form in which the layout of the employer writes them', () => {
  const rows = [
    row(1, 12_345_600, { employerId: 3 }),
    row(2, -500_000, { employerId: 3 }),
    row(3, 10_000, { employerId: 4 }),
  ];
  for (const form of layoutAmounts) {
    const quoted = rows.map(({ claimId, amount }) => `${claimId},"${writeLayoutAmount(amount, form)}"`);
    const csv = ['claim,amount', ...quoted].join('\n');
    expect(
      matchResults(csv, rows, () => [form]),
      form,
    ).toMatchObject({ unmatched: [], sums: { paid: { claims: 3 } } });
  }
  // Cents only where the layout of the employer, or of all, has them.
  const csv = 'claim,amount\n1,123456\n2,-5000\n3,100';
  const amountsOf = (employerId: number | null) => [
    employerId === 3 ? ('123450' as const) : ('1234.50' as const),
  ];
  expect(matchResults(csv, rows, amountsOf).unmatched).toEqual([
    { line: 4, of: '3', reason: 'amountDiffers' },
  ]);
  expect(whyOf(csv, rows).map(([, reason]) => reason)).toEqual([
    'amountDiffers',
    'amountDiffers',
    'amountDiffers',
  ]);
});
