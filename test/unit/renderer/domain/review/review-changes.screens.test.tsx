import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { noRecords, pressKey, renderScreen, whenReady } from '../../../../support/render-screen.tsx';

const status = {
  ...{ name: 'patient_responsibility', label: 'Patient responsibility' },
  ...{ effect: 'reopen' as const, before: 2418.92, after: 2505.55 },
};

function show(review: object, done: object = {}) {
  const sent: unknown[] = [];
  renderScreen('/claims/7', {
    ...noRecords,
    'reviews:get': {
      ...{
        claimId: 7,
        state: 'todo',
        outcome: null,
        changedAt: '2026-11-20T09:00:00.000Z',
        changes: [status],
      },
      ...{ byRules: 25_055_500, eligible: 25_055_500, open: 25_055_500, ...review },
    },
    'reviews:act': ({ act }) => {
      sent.push(act);
      return done;
    },
  });
  return sent;
}
const partly = {
  ...{ outcome: 'partlyEligible', eligible: 15_000_000, declined: 10_055_500 },
  ...{ eligibleBefore: 15_000_000, declinedBefore: 9_189_200, refused: null },
};

test('a changed claim shows what its decision becomes; one key keeps it, the first digit uses what the rules give', async () => {
  const sent = show({ ifKept: partly });
  const changes = await screen.findByRole('region', { name: 'Changed since reviewed' });
  expect(changes.textContent).toContain('Patient responsibility $2,418.92 → $2,505.55, +$86.63.');
  const keep = within(changes).getByRole('button', {
    name: 'Keep Partly eligible, $1,500.00 (declined $918.92 → $1,005.55)',
  });
  const use = within(changes).getByRole('button', { name: 'Use $2,505.55' });
  // There is one primary button, and the rules' amount is offered once.
  expect(keep.dataset.variant).toBe('filled');
  expect(use.dataset.variant).toBe('default');
  expect(screen.queryByRole('button', { name: /^Eligible/ })).toBeNull();
  await pressKey('a');
  await waitFor(() => expect(sent).toEqual([{ kind: 'accept' }]));
});

test('a decision that was left out because the claim changed once more is reported', async () => {
  show({ ifKept: partly }, { leftOut: [7] });
  await screen.findByRole('button', { name: /^Keep Partly eligible/ });
  await pressKey('a');
  await screen.findByText('Review of claim 7 not saved');
  await screen.findByText('The claim changed after it was shown. Look at the claim again.');
});

test('a decision that was left out because its amount can’t be computed is reported', async () => {
  show({ ifKept: partly }, { notKnown: [7] });
  await screen.findByRole('button', { name: /^Keep Partly eligible/ });
  await pressKey('a');
  await screen.findByText('The eligible amount can’t be computed. Look at the claim again.');
});

test('one press uses what the rules give now', async () => {
  const sent = show({ ifKept: partly });
  const use = await screen.findByRole('button', { name: 'Use $2,505.55' });
  await whenReady();
  fireEvent.click(use);
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ kind: 'decision', outcome: 'eligible' }));
});

test('a decision that can’t be kept shows why, and using what the rules give is the primary button', async () => {
  show({ byRules: 12_000_000, ifKept: { ...partly, refused: 'tooMuch' } });
  const changes = await screen.findByRole('region', { name: 'Changed since reviewed' });
  expect(changes.textContent).toContain('can’t be kept: the rules give $1,200.00 now.');
  expect(within(changes).queryByRole('button', { name: /^Keep/ })).toBeNull();
  expect(within(changes).getByRole('button', { name: 'Use $1,200.00' }).dataset.variant).toBe('filled');
});
