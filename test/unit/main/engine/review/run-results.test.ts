import { expect, it } from 'vitest';
import { writeLayoutAmount } from '../../../../../src/main/engine/review/run-file.ts';
import { matchResults as matchFile } from '../../../../../src/main/engine/review/run-results.ts';
import type { RunRow } from '../../../../../src/main/engine/store/worklists/read-runs.ts';
import { layoutAmounts } from '../../../../../src/rules/review/run-layout.ts';
import { toBytes } from '../../../../support/incoming-file.ts';

const row = (claimId: number, amount: number, more: Partial<RunRow> = {}): RunRow => ({
  ...{
    claimId,
    amount,
    state: 'sent',
    reason: null,
    billed: null,
    allowed: null,
    isHere: true,
    isMissing: false,
    memberId: 7,
    memberKey: null,
  },
  ...{ claimNumber: null, patient: null, provider: null, serviceStart: '2026-01-05', serviceEnd: null },
  ...{ memberLast: 'Cole', memberFirst: null, employerId: null, employer: null },
  ...more,
});
const matchResults = (
  csv: string,
  ...more: Parameters<typeof matchFile> extends [unknown, ...infer Rest] ? Rest : never
) => matchFile(toBytes(csv), ...more);
const whyOf = (csv: string, rows: readonly RunRow[]) =>
  matchResults(csv, rows).unmatched.map(({ line, reason }) => [line, reason]);

it('matches rows that lower a payment, and payments that they lower to nothing', () => {
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

it('compares amounts to the cent, as in files', () => {
  expect(whyOf('claim,amount\n1,33.34', [row(1, 333_350)])).toEqual([]);
  expect(whyOf('claim,amount\n1,33.33', [row(1, 333_350)])).toEqual([[2, 'amountDiffers']]);
});

it('does not confuse two members when the key of one is the record number of the other', () => {
  const rows = [row(1, 500_000), row(2, 500_000, { memberId: 8, memberKey: '7' })];
  const found = matchResults('member,result\n7,paid\n8,paid', rows);
  expect([...found.paid]).toEqual([2]);
  expect(found.unmatched).toEqual([{ line: 2, of: '7', reason: 'severalMembers' }]);
});

it('reads amounts in every form in which the employer’s layout writes them', () => {
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

it('only a column of results decides, and it asks if there is none', () => {
  const rows = [row(1, 500_000), row(2, 500_000), row(3, 500_000)];
  const told = matchResults('claim,message,note\n1,Rejected: no account,error\n2,,\n3,ok,', rows);
  expect(told).toMatchObject({ asksAllPaid: true, rows: 3, unmatched: [], rejections: [] });
  expect([...told.paid]).toEqual([1, 2, 3]);
  const found = matchResults(
    'claim,result,message\n1,Paid,Was late\n2,REJECTED,No account\n3,,No account',
    rows,
  );
  expect([...found.paid]).toEqual([1]);
  expect(found).toMatchObject({
    asksAllPaid: false,
    rejections: [{ claimId: 2, member: 'Cole', amount: 500_000, reason: 'No account' }],
    unmatched: [{ line: 4, of: '3', reason: 'noResult' }],
  });
});

it('does not read a number as an ID or an employee as a record, even if a spreadsheet removed the zeros', () => {
  const rows = [
    row(7, 500_000, { claimNumber: '00012', memberId: 30, memberKey: '0031' }),
    row(12, 500_000, { claimNumber: 'N12', memberId: 31, memberKey: null }),
  ];
  const paidBy = (csv: string) => [...matchResults(csv, rows).paid];
  expect(paidBy('Claim number,Result\n12,paid')).toEqual([7]);
  expect(paidBy('Claim ID,Result\n12,paid')).toEqual([12]);
  expect(paidBy('Employee ID,Result\n31,paid')).toEqual([7]);
  expect(paidBy('Member record no.,Result\n31,paid')).toEqual([12]);
  expect(whyOf('Claim number,Result\n7,paid', rows)).toEqual([[2, 'notInRun']]);
  expect(whyOf('Employee number,Result\n30,paid', rows)).toEqual([[2, 'notInRun']]);
  expect(whyOf('Claim,Result\n12,paid', rows)).toEqual([[2, 'severalClaims']]);
  expect(whyOf('Member ID,Result\n31,paid', rows)).toEqual([[2, 'severalMembers']]);
});

it('requires all keys of a row to belong to the same claim', () => {
  const rows = [row(1, 500_000, { claimNumber: 'N1' }), row(2, 500_000, { claimNumber: 'N2', memberId: 8 })];
  const header = 'Claim ID,Claim number,Member record no.,Result';
  expect(matchResults(`${header}\n1,N1,7,paid\n2,,8,paid`, rows).unmatched).toEqual([]);
  expect(whyOf(`${header}\n1,N2,7,paid\n2,N2,7,paid\n1,N9,,paid\n,,,paid`, rows)).toEqual([
    [2, 'disagrees'],
    [3, 'disagrees'],
    [4, 'disagrees'],
    [5, 'noClaim'],
  ]);
});

it('matches only what was sent for a member and the employer of the row', () => {
  const acme = { employerId: 3, employer: 'Acme' };
  const bolt = { employerId: 4, employer: 'Bolt' };
  const rows = [row(1, 100_000, acme), row(2, 200_000, acme), row(3, 500_000, bolt)];
  const paidBy = (csv: string, all = rows) => [...matchResults(csv, all).paid];
  expect(paidBy('member,employer,result\n7,acme,paid')).toEqual([1, 2]);
  expect(paidBy('member,employer,amount,result\n7,Bolt,50.00,paid')).toEqual([3]);
  expect(paidBy('member,amount,result\n7,30.00,paid\n7,50.00,paid')).toEqual([1, 2, 3]);
  expect(whyOf('member,result\n7,paid', rows)).toEqual([[2, 'severalEmployers']]);
  expect(whyOf('member,employer,result\n7,Core,paid', rows)).toEqual([[2, 'disagrees']]);
  expect(whyOf('claim,employer,result\n1,Bolt,paid', rows)).toEqual([[2, 'disagrees']]);
  const partly = [row(1, 100_000, acme), row(3, 500_000, { ...bolt, state: 'made' })];
  expect(paidBy('member,result\n7,paid', partly)).toEqual([1]);
  expect(whyOf('claim,result\n3,paid', partly)).toEqual([[2, 'notSent']]);
  expect(matchResults('claim,result\n1,paid', partly).sums.without).toEqual({ claims: 0, amount: 0 });
  expect(whyOf('claim,result\n1,paid', [row(1, 100_000, { state: 'left' })])).toEqual([[2, 'leftRun']]);
});

it('reports an open quote, and rows whose amount is ambiguous', () => {
  const rows = [row(1, 12_500_000), row(2, 500_000)];
  expect(whyOf('claim;amount;reason;result\n1;1.250;;paid\n2;50,00;"open;paid', rows)).toEqual([
    [2, 'badAmount'],
    [3, 'openQuote'],
  ]);
});
