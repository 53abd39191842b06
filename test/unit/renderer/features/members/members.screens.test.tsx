import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { noRecords, renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/members/7', 'records:getMember', ['the member', 'Couldn’t load this member'], {
  filled: { member: { id: 7, full_name_derived: longName } },
  empty: [{ member: { id: 7 } }, 'No carrier connections yet.'],
  others: noRecords,
});

test('the ledger of a member has each payment, what is eligible, and the balance', async () => {
  const paid = { author: 'ann@acme.example', at: '2026-11-01T10:00:00Z', account: '', alsoBy: [] };
  renderScreen('/members/7', {
    ...noRecords,
    'records:getMember': { member: { id: 7, full_name_derived: longName } },
    'worklists:ledger': {
      owed: 200_000,
      claims: [
        {
          ...{ claimId: 41, number: 'N41', isMissing: false, eligible: 300_000 },
          ...{ reimbursed: 600_000, writtenOff: 100_000, owed: 200_000 },
          payments: [
            { ...paid, id: 'a', payment: 'reimbursed', amount: 700_000, day: '2026-11-01' },
            { ...paid, id: 'b', payment: 'repaid', amount: 100_000, day: '2026-11-02' },
            { ...paid, id: 'c', payment: 'writtenOff', amount: 100_000, day: '2026-11-03', account: 'Left' },
          ],
        },
      ],
    },
  });
  const table = await screen.findByRole('table', { name: 'Ledger of what is owed back' });
  const cells = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(cells.slice(1)).toEqual([
    ['N41', '11/01/2026', 'Reimbursed', 'ann@acme.example', '$70.00', ''],
    ['', '11/02/2026', 'Repaid', 'ann@acme.example', '−$10.00', ''],
    ['', '11/03/2026', 'Written off: Left', 'ann@acme.example', '−$10.00', ''],
    ['', '', 'Eligible now', '', '−$30.00', '$20.00'],
    ['', '', 'Balance', '', '', '$20.00'],
  ]);
});
