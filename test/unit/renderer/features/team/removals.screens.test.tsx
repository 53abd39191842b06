import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Input } from '../../../../../src/contract/procedures.ts';
import { type Answers, failed, noRecords, press, renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

const at = '2026-11-20T15:04:00.000Z';
const ofTeam = (role: 'admin' | 'reviewer'): Answers => ({
  'team:getStatus': { server: 'https://team.example', state: 'offline', role },
});
const computerOf = (name: string, isDone: boolean, seenAt: string | null = null) => ({
  ...{ computer: `${name}AAAAAAA`, email: `${name}@example.com`, isThis: name === 'desk', isDone, seenAt },
});
const ofCarol = {
  ...{ removal: 'r', reason: 'The contract ended.', at, by: 'desk@example.com', entries: 3 },
  rule: { kind: 'claimsBefore' as const, date: '2020-01-01' },
  computers: [
    computerOf('desk', true, at),
    computerOf('ben', true, at),
    computerOf('carol', false, '2026-10-12T15:00:00.000Z'),
  ],
};
const counts = { members: 1, claims: 3, sharedClaims: 1, reviews: 12 };

testStates('/settings/team', 'team:listRemovals', ['the removals', 'Couldn’t load the removals'], {
  filled: { removals: [{ ...ofCarol, reason: longName }] },
  shows: longName,
  empty: [{}, 'Nothing was removed for the team.'],
  others: ofTeam('reviewer'),
});

test('a removal shows who requested it, why, and on which computers it is carried out', async () => {
  renderScreen('/settings/team', { ...ofTeam('reviewer'), 'team:listRemovals': { removals: [ofCarol] } });
  const list = await screen.findByRole('list', { name: 'Removals for the team' });
  const shown = within(list);
  shown.getByText('Claims with service through 12/31/2019');
  shown.getByText('Removed on 2 of 3 computers');
  shown.getByText('carol@example.com’s computer carolA was last here on 10/12/2026.');
  shown.getByText('Reason: The contract ended.');
  shown.getByText(/^desk@example\.com · 11\/20\/2026/);
  // Who is no admin sees the list, not the button.
  expect(screen.queryByRole('button', { name: 'Remove for the team…' })).toBeNull();
});

test('other kinds of removals, and computers about which nothing else is known', async () => {
  const computers = [computerOf('desk', false), computerOf('ben', false)];
  const rules = [
    { kind: 'member', memberId: 7 },
    { kind: 'employer', employerId: 80 },
    { kind: 'everything' },
  ] as const;
  renderScreen('/settings/team', {
    ...ofTeam('reviewer'),
    'team:listRemovals': {
      removals: [
        ...rules.map((rule, index) => ({ ...ofCarol, removal: `r${index}`, rule, computers })),
        { ...ofCarol, removal: 'all', computers: computers.map((one) => ({ ...one, isDone: true })) },
        { ...ofCarol, removal: 'only', computers: [computerOf('desk', true)] },
      ],
    },
  });
  for (const text of [
    ...['Member with record no. 7', 'Employer 80', 'Everything'],
    ...['Removed on all 2 computers of the team', 'Removed on the only computer of the team'],
  ])
    await screen.findByText(text);
  expect(screen.getAllByText('Removed on 0 of 2 computers')).toHaveLength(3);
  expect(screen.getAllByText('This computer has not removed it yet.')).toHaveLength(3);
  expect(screen.getAllByText('ben@example.com’s computer benAAA has not removed it yet.')).toHaveLength(3);
});

const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input, select' }), { target: { value } });

const findMember = (value: string) => {
  // A value written into a field without the focus comes from the browser, not from the user.
  screen.getByRole('combobox', { name: 'Member' }).focus();
  type('Member', value);
};

test('a member is found by typing, counted, exported, and removed once the record number is typed', async () => {
  const asked: Input<'team:remove'>[] = [];
  let isRemoved = false;
  renderScreen('/settings/team', {
    ...noRecords,
    ...ofTeam('admin'),
    'team:listRemovals': () => ({ removals: isRemoved ? [ofCarol] : [] }),
    'records:readFirst': ({ query }) => ({
      rows: /ana/i.test(query.search ?? '') ? [{ id: 7351, first_name: 'Ana', last_name: longName }] : [],
    }),
    'team:planRemoval': ({ rule }) => {
      expect(rule).toEqual({ kind: 'member', memberId: 7351 });
      return counts;
    },
    'records:listUnknownFields': {},
    'team:remove': (wanted) => {
      asked.push(wanted);
      if (asked.length === 1) return failed('app.notConfirmed');
      isRemoved = true;
      return { isDone: true };
    },
  });
  await press('Remove for the team…');
  const preview = screen.getByRole('button', { name: 'Preview removal' }) as HTMLButtonElement;
  type('Reason', 'Left the plan.');
  findMember('ana');
  expect(preview.disabled).toBe(true);
  fireEvent.click(await screen.findByText(`Ana ${longName} · Record no. 7351`));
  await waitFor(() => expect(preview.disabled).toBe(false));
  fireEvent.click(preview);
  await screen.findByText('Member with record no. 7351: 1 member, 3 claims, 12 review entries');
  screen.getByText(/^1 claim of this member will be kept/);
  // The usual export of claims, but of exactly these.
  await press('Export 3 claims…');
  const dialog = within(await screen.findByRole('dialog', { name: 'Export 3 claims' }));
  expect(dialog.queryByRole('button', { name: 'Print…' })).toBeNull();
  fireEvent.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  const remove = screen.getByRole('button', { name: 'Remove for the team' }) as HTMLButtonElement;
  expect(remove.disabled).toBe(true);
  type('Type 7351 to confirm', ' 7351 ');
  fireEvent.click(remove);
  await screen.findByText('Couldn’t remove for the team');
  fireEvent.click(remove);
  await waitFor(() => expect(screen.queryByText('Preview removal')).toBeNull());
  const rule = { kind: 'member', memberId: 7351 };
  expect(asked[1]).toEqual({ workspaceId: 'w', rule, reason: 'Left the plan.', typed: ' 7351 ' });
});

test('a person whom the records no longer contain is removed by the record number', async () => {
  renderScreen('/settings/team', {
    ...ofTeam('admin'),
    'team:listRemovals': {},
    'records:readFirst': {},
    'team:planRemoval': ({ rule }) => {
      expect(rule).toEqual({ kind: 'member', memberId: 7352 });
      return { members: 0, claims: 0, sharedClaims: 0, reviews: 0 };
    },
  });
  await press('Remove for the team…');
  type('Reason', 'Left the plan.');
  findMember('7352');
  fireEvent.click(await screen.findByText('Record no. 7352'));
  await press('Preview removal');
  await screen.findByText('Member with record no. 7352: 0 members, 0 claims, 0 review entries');
  screen.getByText(/other computers may have more/);
  // There is nothing to export.
  expect(screen.queryByRole('button', { name: /^Export/ })).toBeNull();
});

test('claims before a day, an employer, and everything are chosen, and another choice ends the preview', async () => {
  const rules: Input<'team:planRemoval'>['rule'][] = [];
  renderScreen('/settings/team', {
    ...ofTeam('admin'),
    'team:listRemovals': {},
    'records:listEmployers': { employers: [{ id: 80, name: longName }, { id: 81 }] },
    'team:planRemoval': ({ rule }) => {
      rules.push(rule);
      return rules.length === 1 ? failed('store.damaged') : counts;
    },
  });
  await press('Remove for the team…');
  type('Reason', 'The contract ended.');
  type('What to remove', 'claimsBefore');
  type('Claims with service ending before', '2020-01-01');
  await press('Preview removal');
  await screen.findByText('Couldn’t count what would be removed');
  await press('Preview removal');
  await screen.findByText('Claims with service through 12/31/2019: 3 claims, 12 review entries');
  screen.getByLabelText('Type 2020-01-01 to confirm');
  type('What to remove', 'employer');
  expect(screen.queryByText(/^Claims with service through/)).toBeNull();
  await screen.findByText(`${longName} · ID 80`);
  await screen.findByText('Employer 81');
  type('Employer', '80');
  await press('Preview removal');
  await screen.findByText(/^Employer 80: /);
  screen.getByLabelText('Type 80 to confirm');
  type('What to remove', 'everything');
  await press('Preview removal');
  await screen.findByText(/^Everything: /);
  screen.getByLabelText('Type everything to confirm');
  const day = { kind: 'claimsBefore', date: '2020-01-01' };
  expect(rules).toEqual([day, day, { kind: 'employer', employerId: 80 }, { kind: 'everything' }]);
  await press('Cancel');
  expect(screen.queryByText('Preview removal')).toBeNull();
});
