import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Input, Output } from '../../../../../src/contract/procedures.ts';
import { type Answers, press, renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

const live = { server: 'https://team.example', state: 'live', role: 'admin' } as const;
const computer = (email: string, employers: number, isThis = false) => ({
  ...{ computer: email, email, isThis, employers, hasSameEmployers: isThis, auditMissingFrom: null },
  version: isThis ? '0.3.0' : '0.2.9',
});
const history: Output<'team:getSettings'>['history'] = [
  {
    ...{ at: '2026-11-20T15:00:00.000Z', author: 'dana@example.com', before: null },
    change: { setting: 'runOutDays', employerId: 7, value: 60 },
  },
  {
    ...{ at: '2026-11-19T15:00:00.000Z', author: 'desk@example.com', before: null },
    change: { setting: 'view', name: longName, value: '{}' },
  },
];
const shared: Output<'team:getSettings'> = {
  settings: { planYearStarts: {}, rules: {}, twoPeopleAbove: 10_000_000 },
  current: history,
  history,
  computers: [computer('desk@example.com', 187, true), computer('dana@example.com', 212)],
};
const others: Answers = {
  'team:getStatus': live,
  'team:listJoins': {},
  'team:listRemovals': {},
  'records:listEmployers': { employers: [{ id: 7, name: 'Acme HRA' }] },
};

testStates(
  '/settings/team',
  'team:getSettings',
  ['the settings of the team', 'Couldn’t load the settings of the team'],
  {
    filled: shared,
    shows: longName,
    folded: 'Changes',
    empty: [{ settings: null }, /No changes yet/],
    others,
  },
);

test('who changed what, whose records differ, whose audit log was cut back, and the two-person rule', async () => {
  const changed: Input<'team:changeSettings'>[] = [];
  renderScreen('/settings/team', {
    ...others,
    'team:getSettings': {
      ...shared,
      computers: [...shared.computers, { ...computer('eve@example.com', 187), auditMissingFrom: 512 }],
    },
    'team:changeSettings': (input: Input<'team:changeSettings'>) => {
      changed.push(input);
      return { isDone: true };
    },
  });
  await screen.findByText('dana@example.com’s computer has 212 employers, this one 187: counts can differ.');
  await screen.findByText(/eve@example.com’s computer has 187 employers, and this one has others/);
  await screen.findByText('The audit log of eve@example.com’s computer was cut back');
  fireEvent.click(await screen.findByText('Changes'));
  await screen.findByText('dana@example.com changed run-out to 60 days for Acme HRA');
  await screen.findByText(`desk@example.com shared view “${longName}”`);
  fireEvent.change(await screen.findByRole('textbox', { name: /Two-person rule/ }), {
    target: { value: '$500' },
  });
  await press('Save two-person rule');
  await waitFor(() =>
    expect(changed).toMatchObject([{ changes: [{ setting: 'twoPeopleAbove', value: 5_000_000 }] }]),
  );
});

test('each setting is listed with its value, who changed it last, and a link to where it can be changed', async () => {
  renderScreen('/settings/team', { ...others, 'team:getSettings': shared });
  const table = await screen.findByRole('table', { name: 'Team settings' });
  const link = await within(table).findByRole('link', { name: 'Run-out for Acme HRA' });
  expect(link.getAttribute('href')).toContain('/settings/reviews');
  const rows = within(table).getAllByRole('row').slice(1);
  const cells = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  );
  expect(cells[0]?.slice(0, 2)).toEqual(['Run-out for Acme HRA', '60 days']);
  expect(cells[0]?.[2]).toMatch(/^dana@example\.com · /);
  expect(cells[1]?.slice(0, 2)).toEqual([`View “${longName}”`, 'Shared']);
  expect(cells.slice(2)).toEqual(
    [
      'Plan year start',
      'Eligible parts',
      'Networks that count',
      'Run-out',
      'High-cost threshold',
      'Days to decide',
      'Days to appeal',
      'Days to answer an appeal',
      'First day of service to review',
      'Reasons for declining',
      'Note templates',
    ].map((name) => [name, 'Default', '–']),
  );
});

test('a reviewer sees the rule, and changes nothing', async () => {
  renderScreen('/settings/team', {
    ...others,
    'team:getStatus': { ...live, role: 'reviewer' },
    'team:getSettings': shared,
  });
  const rule = await screen.findByRole('textbox', { name: /Two-person rule/ });
  expect((rule as HTMLInputElement).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Save two-person rule' })).toBeNull();
});

test('an admin sees whom a newer minimum version excludes, then requires it', async () => {
  const changed: Input<'team:changeSettings'>[] = [];
  renderScreen('/settings/team', {
    ...others,
    'team:getSettings': shared,
    'team:changeSettings': (input: Input<'team:changeSettings'>) => {
      changed.push(input);
      return { isDone: true };
    },
  });
  await press('Require version 0.3.0…');
  const list = await screen.findByRole('list', { name: 'Computers left out' });
  expect(list.textContent).toBe('dana@example.com, computer dana@e: 0.2.9');
  expect(changed).toEqual([]);
  await press('Require version 0.3.0');
  await waitFor(() =>
    expect(changed).toMatchObject([{ changes: [{ setting: 'minVersion', value: '0.3.0' }] }]),
  );
});

test('a computer below the minimum version shows to which version to update', async () => {
  const settings = { planYearStarts: {}, rules: {}, minVersion: '0.4.0' };
  renderScreen('/settings/team', { ...others, 'team:getSettings': { ...shared, settings } });
  await screen.findByText('Update to 0.4.0');
  await screen.findByText(/^Computers need version 0\.4\.0/);
  expect(screen.queryByText(/^Require version/)).toBeNull();
});
