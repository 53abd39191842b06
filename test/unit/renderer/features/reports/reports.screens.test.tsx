import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { noRecords, renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/reports', 'worklists:report', ['the reports', 'Couldn’t load the reports'], {
  filled: { reimbursed: [{ employerId: 3, planYear: '2026', claims: 1 }] },
  empty: [{}, /^Nothing/],
  others: { ...noRecords, 'records:listEmployers': { employers: [{ id: 3, name: longName }] } },
});

test('what members owe back is listed with its sum, and a member opens', async () => {
  renderScreen('/reports', {
    ...noRecords,
    'worklists:report': {},
    'worklists:owed': {
      members: [{ memberId: 7, name: longName, employer: 'Acme HRA', claims: 2, owed: 1_234_500 }],
      all: { members: 3, claims: 5, owed: 2_000_000 },
    },
  });
  const table = await screen.findByRole('table', { name: 'Owed back by member' });
  expect(within(table).getByRole('link', { name: longName }).getAttribute('href')).toContain('/members/7');
  expect(table.textContent).toContain('$123.45');
  await screen.findByText(
    (_text, one) =>
      one?.tagName === 'P' &&
      /3 members with 5 claims, in all \$200\.00; the 1 largest are shown/.test(one.textContent),
  );
});
