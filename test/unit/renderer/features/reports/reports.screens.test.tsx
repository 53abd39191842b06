import { fireEvent, screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { somePapers } from '../../../../support/papers.ts';
import { noRecords, renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/reports', 'worklists:report', ['the reports', 'Couldn’t load the reports'], {
  filled: { reimbursed: [{ employerId: 3, planYear: '2026', claims: 1 }] },
  empty: [{}, /^Nothing/],
  others: { ...noRecords, 'records:listEmployers': { employers: [{ id: 3, name: longName }] } },
});

test('what members owe back is listed with its sum, and opens the member', async () => {
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

test('the log of letters has a row each, shows which are no longer true, and exports all of them', async () => {
  renderScreen('/reports#letters', {
    ...noRecords,
    'worklists:report': {},
    'reviews:listPapers': { papers: somePapers.filter(({ letter }) => letter !== null), isWhole: true },
  });
  const table = await screen.findByRole('table', { name: 'Letters' });
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    '11/03/2026Letter: not eligible · No longer true7Ana Ruizben@example.comabababababababab…',
    '11/01/2026Letter: documents needed7Ana Ruizben@example.comabababababababab…',
  ]);
  const link = screen.getByRole('link', { name: 'Letter no longer true (1)' });
  expect(link.getAttribute('href')).toContain('/worklists/lettersUntrue');
  fireEvent.click(screen.getByRole('button', { name: 'Export table… (letters)' }));
  await screen.findByRole('dialog', { name: 'Export table: Letters' });
});
