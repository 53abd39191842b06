import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import {
  type Answers,
  failed,
  noRecords,
  press,
  pressKey,
  renderScreen,
} from '../../../../support/render-screen.tsx';

const decisionBy = (author: string, outcome: 'eligible' | 'notEligible') => ({
  ...{ id: `by ${author}`, author, at: '2026-11-20T09:00:00.000Z', eligible: null },
  decision: {
    ...{ kind: 'decision' as const, state: 'done' as const, outcome },
    ...{ onWhom: null, reason: outcome === 'eligible' ? null : 'No receipt', reminder: null },
  },
});
const paymentBy = (author: string, day: string) => ({
  ...{ id: `paid by ${author}`, payment: 'reimbursed' as const, amount: 1_200_000, day, account: 'ACH' },
  ...{ author, at: '2026-11-20T09:00:00.000Z', alsoBy: [] },
});
const ofTeam: Answers = {
  ...noRecords,
  'team:getStatus': { state: 'live', server: 'https://team.example', unsent: 0, refused: 0, role: 'admin' },
  'team:listMembers': {
    members: [
      { email: 'desk@example.com', role: 'admin', isYou: true, computers: [] },
      { email: 'ben@example.com', role: 'reviewer', isYou: false, computers: [] },
      { email: 'rae@example.com', role: 'reader', isYou: false, computers: [] },
    ],
  },
};

function show(review: object) {
  const sent: unknown[] = [];
  renderScreen('/claims/7', {
    ...ofTeam,
    'reviews:get': { claimId: 7, state: 'done', outcome: 'notEligible', ...review },
    'reviews:act': ({ act }) => {
      sent.push(act);
      return {};
    },
  });
  return sent;
}
const lastOf = async (sent: unknown[], count: number) => {
  await waitFor(() => expect(sent).toHaveLength(count));
  return sent.at(-1);
};

test('a claim that a colleague found changed is read again once for each reopening; after that the button remains', async () => {
  const foundBy = { author: 'ben@example.com', at: '2026-11-20T10:00:00.000Z' };
  const refreshed: unknown[] = [];
  renderScreen('/claims/7', {
    ...ofTeam,
    'reviews:get': { claimId: 7, state: 'done', outcome: 'eligible', foundBy },
    'sync:refreshRecord': (wanted) => {
      refreshed.push(wanted);
      return failed('service.unreachable');
    },
  });
  await screen.findByText('ben@example.com found that this claim changed. Your record is older.');
  await waitFor(() => expect(refreshed).toEqual([{ workspaceId: 'w', what: { kind: 'claim', claimId: 7 } }]));
  await waitFor(() =>
    expect((screen.getByRole('button', { name: 'Refresh claim' }) as HTMLButtonElement).disabled).toBe(false),
  );
  expect(screen.queryByText('Couldn’t refresh the claim')).toBeNull();
  await press('Refresh claim');
  await screen.findByText('Couldn’t refresh the claim');
  expect(refreshed).toHaveLength(2);
});

test('decisions of two people are side by side, and a key confirms one', async () => {
  const [own, others] = [
    decisionBy('desk@example.com', 'eligible'),
    decisionBy('ben@example.com', 'notEligible'),
  ];
  const sent = show({ decidedTwice: [own, others] });
  const twice = within(await screen.findByRole('region', { name: 'Decided twice' }));
  twice.getByRole('button', { name: 'Confirm Eligible by you' });
  twice.getByRole('button', { name: 'Confirm Not eligible by ben@example.com' });
  twice.getByText('No receipt');
  await pressKey('7');
  expect(await lastOf(sent, 1)).toEqual(own.decision);
  await pressKey('8');
  expect(await lastOf(sent, 2)).toEqual(others.decision);
});

test('payments of two people are side by side; a key says that both are right, or leaves the later one out', async () => {
  const payments = [paymentBy('ben@example.com', '2026-11-02'), paymentBy('desk@example.com', '2026-11-03')];
  const sent = show({
    payments,
    paidTwice: { stake: 1_200_000, paymentIds: payments.map(({ id }) => id) },
  });
  const twice = within(await screen.findByRole('region', { name: 'Paid twice' }));
  twice.getByText('Paid twice: $120.00 at stake');
  await pressKey('b');
  expect(await lastOf(sent, 1)).toEqual({ kind: 'settlePayments', leaveOut: null });
  await pressKey('z');
  expect(await lastOf(sent, 2)).toEqual({
    kind: 'settlePayments',
    leaveOut: { id: 'paid by desk@example.com', amount: 1_200_000, day: '2026-11-03' },
  });
});

test('one key takes a claim, and one assigns it to an owner, for which the members who review are offered', async () => {
  const sent = show({ owner: null });
  await screen.findByRole('button', { name: /Take claim/ });
  await pressKey('s');
  expect(await lastOf(sent, 1)).toEqual({ kind: 'owner', owner: 'desk@example.com' });
  await pressKey('o');
  const field = document.activeElement as HTMLInputElement;
  expect(field.getAttribute('data-question')).toBe('owner');
  fireEvent.change(field, { target: { value: 'b' } });
  const offered = await screen.findAllByRole('option', { hidden: true });
  expect(offered.map(({ textContent }) => textContent)).toEqual(['ben@example.com']);
  fireEvent.click(offered[0] as HTMLElement);
  expect(await lastOf(sent, 2)).toEqual({ kind: 'owner', owner: 'ben@example.com' });
});

test('an owner who is not in the team is marked, a reader of the team is not', async () => {
  show({ owner: 'Carrier hotline' });
  await screen.findByText('Not in the team');
  show({ owner: 'rae@example.com' });
  await screen.findByDisplayValue('rae@example.com');
  expect(screen.queryByText('Not in the team')).toBeNull();
});

test('without a team none of that is shown', async () => {
  renderScreen('/claims/7', {
    ...noRecords,
    'reviews:get': { claimId: 7, state: 'todo' },
  });
  const owner = await screen.findByLabelText(/Owner/);
  expect(owner.getAttribute('role')).toBeNull();
  expect(screen.queryByRole('button', { name: /Take claim/ })).toBeNull();
});

test('a worklist has its parts by owner with their counts, and each shows its own claims', async () => {
  const begun: unknown[] = [];
  const rows = (conditions: readonly { field: string; operator: string }[] = []) => {
    const of = conditions.find(({ field }) => field === 'review.owner');
    return of === undefined ? 30 : of.operator === 'is' ? 12 : 5;
  };
  renderScreen('/worklists/toDecide', {
    ...ofTeam,
    'worklists:counts': {
      isCurrent: true,
      hasReadAll: true,
      worklists: [{ id: 'toDecide', claims: 30, amount: 0, amountLabel: 'Open' }],
    },
    'records:getTotals': ({ query }) => ({
      total: rows(query.conditions),
      totals: { count: rows(query.conditions) },
    }),
    'records:begin': ({ query }) => {
      begun.push(query.conditions);
      return { snapshotId: 's', total: rows(query.conditions) };
    },
  });
  for (const name of ['Mine 12', 'Unassigned 5', 'All 30']) await screen.findByRole('radio', { name });
  fireEvent.click(screen.getByRole('radio', { name: 'Mine 12' }));
  const mine = { field: 'review.owner', operator: 'is', values: ['desk@example.com'] };
  await waitFor(() => expect(begun.at(-1)).toContainEqual(mine));
  fireEvent.click(screen.getByRole('radio', { name: 'All 30' }));
  await waitFor(() => expect(begun.at(-1)).not.toContainEqual(mine));
});
