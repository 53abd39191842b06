import { MantineProvider } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Output } from '../../../../../src/contract/procedures.ts';
import {
  BulkPayment,
  firstPayment,
  sayPaidTwice,
} from '../../../../../src/renderer/domain/review/bulk-payment.tsx';
import { UnmatchedRows } from '../../../../../src/renderer/domain/review/import-payments.tsx';

const rule = { above: 5_000_000, over: 1_200_000, decidedBy: 'ana@example.com' };
const textOf = (element: React.ReactElement): string =>
  renderToStaticMarkup(<MantineProvider>{element}</MantineProvider>).replace(/<[^>]*>/g, '|');

it('shows before payments are recorded which need a second person and why, and how many would be paid twice', () => {
  const data: Output<'reviews:estimateOpen'> = {
    open: 5_000_000,
    payments: 7,
    amount: 4_000_000,
    notKnown: 0,
    nothingOpen: 0,
    inRun: 1,
    needsSecond: 2,
    broken: [{ claimId: 4711, ...rule }],
  };
  const estimate = { data, error: null } as UseQueryResult<typeof data>;
  const text = textOf(<BulkPayment estimate={estimate} draft={firstPayment()} onDraft={() => undefined} />);
  expect(text).toContain(
    '2 claims are left out, because the team’s two-person rule leaves the payment to a colleague.',
  );
  expect(text).toMatch(
    /4711\|+ana@example\.com decided it, and this is \$120\.00 above the team’s \$500\.00/,
  );
  expect(text).toContain('Showing the first 1.');
  expect(text).toContain(
    '1 claim is in a run that isn’t recorded yet: leave it out of the run, or it is paid twice.',
  );
});

it('warns of claims in a run by one sentence, with or without a list of them', () => {
  const before =
    '2 claims are in a run that isn’t recorded yet: leave them out of the run, or they are paid twice';
  expect(sayPaidTwice(2)).toBe(`${before}.`);
  expect(sayPaidTwice(2, '5 (March payroll), 7 (March payroll)')).toBe(
    `${before}: 5 (March payroll), 7 (March payroll).`,
  );
});

it('shows why a row of a payments file needs a second person', () => {
  const text = textOf(<UnmatchedRows rows={[{ line: 3, of: '7', reason: 'needsSecond', rule }]} />);
  expect(text).toContain('Needs a second person: ana@example.com decided it, and this is $120.00 above');
});
