import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { noneDecided } from '../../../../../src/contract/people-report.ts';
import { type Answers, noRecords, renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

const live = { server: 'https://team.example', state: 'live', role: 'reader' } as const;
const ofTeam: Answers = {
  ...noRecords,
  'team:getStatus': live,
  'worklists:report': {},
  'records:listEmployers': { employers: [] },
};
const day = '2026-11-20';
const decided = { ...noneDecided(), claims: 3, reopened: 1 };
decided.byOutcome.eligible = 3;
const row = { kind: 'member', isVerified: true, isYou: false, checked: 0, disagreed: 0, days: [] } as const;
const people = [
  { ...row, person: longName, open: [2, 0, 0, 0, 0], decided, days: [{ day, ...decided }], checked: 2 },
  {
    ...row,
    kind: 'outsider' as const,
    person: 'zed@x.org',
    isVerified: false,
    open: [0, 0, 0, 0, 0],
    decided,
  },
  { ...row, kind: 'unassigned' as const, person: '', open: [5, 1, 0, 0, 0], decided: noneDecided() },
];

testStates(
  '/reports',
  'worklists:reportPeople',
  ['the reports by person', 'Couldn’t load the reports by person'],
  {
    filled: { day, people },
    empty: [{ day, people: people.slice(2) }, 'No claims were decided in this period.'],
    others: ofTeam,
  },
);

test('a reader sees each person too; a period whose first day is after its last is not requested', async () => {
  const asked: { first: string; last: string }[] = [];
  renderScreen('/reports', {
    ...ofTeam,
    'worklists:reportPeople': ({ period }) => {
      asked.push(period);
      return { day, people };
    },
  });
  const open = await screen.findByRole('table', { name: 'Open by person and age' });
  expect(within(open).getByText('Unassigned').closest('tr')?.textContent).toBe('Unassigned510006');
  // Who only decided has no row of open claims.
  expect(within(open).queryByText(/^zed@x.org/)).toBeNull();
  const table = screen.getByRole('table', { name: 'Decided by person and outcome' });
  expect(within(table).getByText('zed@x.org (not verified)')).toBeTruthy();
  expect(within(table).getByText(longName).closest('tr')?.textContent).toContain('1 (33%)');
  const [{ first, last } = { first: '', last: '' }] = asked;
  expect(asked).toHaveLength(1);
  fireEvent.change(screen.getByLabelText('First day'), { target: { value: '2999-01-01' } });
  await screen.findByText('The first day is after the last one.');
  expect(asked).toHaveLength(1);
  fireEvent.change(screen.getByLabelText('First day'), { target: { value: last } });
  await waitFor(() => expect(asked.slice(1)).toEqual([{ first: last, last }]));
  expect(first < last).toBe(true);
});

test('without a team there is no report by person', async () => {
  renderScreen('/reports', { ...ofTeam, 'team:getStatus': null });
  await screen.findByText('Nothing is done yet.');
  expect(screen.queryByText('Open by person')).toBeNull();
});
