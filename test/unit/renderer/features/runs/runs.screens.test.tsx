import { fireEvent, screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Output } from '../../../../../src/contract/procedures.ts';
import { renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

const run: Output<'runs:list'>['runs'][number] = {
  ...{
    id: 'r1',
    name: longName,
    account: 'Payroll',
    at: '2026-03-01T12:00:00.000Z',
    author: 'lee@example.com',
  },
  ...{ state: 'sent', claims: 3, amount: 700_000, made: { claims: 5, amount: 900_000 } },
  byState: [
    { state: 'sent', claims: 3, amount: 700_000 },
    { state: 'left', claims: 1, amount: 100_000 },
  ],
};
const opened: Output<'runs:get'> = {
  ...run,
  totals: {
    ...{ claims: 3, amount: 700_000 },
    employers: [{ employerId: null, name: null, claims: 3, amount: 700_000 }],
    members: [{ memberId: 7, name: null, employer: null, claims: 3, amount: 700_000 }],
  },
  ...{ marked: 1, listed: [{ claimId: 4, amount: 200_000, mark: 'amount', open: null }] },
  steps: [
    {
      ...{ eventId: 'r1', kind: 'run', at: run.at, author: run.author, claims: 5 },
      ...{ file: null, reason: null },
    },
    {
      ...{ eventId: 'r2', kind: 'runSent', at: run.at, author: run.author, claims: 3 },
      ...{ file: { name: 'march.csv', sha256: 'ab12cd34ef56ab12' }, reason: null },
    },
  ],
};

testStates('/runs', 'runs:list', ['the runs', 'Couldn’t load the runs'], {
  filled: { runs: [run] },
  empty: [{ runs: [] }, 'No runs yet'],
});
testStates('/runs/r1', 'runs:get', ['the run', 'Couldn’t load the run'], { filled: opened });

test('a run says what left it, what changed, and what was removed, and a step back wants a reason', async () => {
  const steps: unknown[] = [];
  renderScreen('/runs/r1', {
    'runs:get': opened,
    'runs:step': (input) => {
      steps.push(input);
      return { eventId: 'e', claims: 3, leftOut: [], notKnown: [], needsSecond: [] };
    },
  });
  await screen.findByText(/Left out: 1 claim/);
  screen.getByText('1 claim of the run was removed from this computer.');
  within(screen.getByRole('table', { name: 'Changed claims' })).getByText('Another amount is open');
  within(screen.getByRole('table', { name: 'Steps' })).getByText(/march\.csv/);
  expect(screen.queryByRole('button', { name: 'Mark as checked' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Take back…' }));
  const dialog = await screen.findByRole('dialog');
  const action = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Take back' });
  expect(action.disabled).toBe(true);
  fireEvent.change(within(dialog).getByLabelText('Reason'), { target: { value: 'Wrong file' } });
  fireEvent.click(action);
  await expect.poll(() => steps).toMatchObject([{ step: { kind: 'back', reason: 'Wrong file' } }]);
});
