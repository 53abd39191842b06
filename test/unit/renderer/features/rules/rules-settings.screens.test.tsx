import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Input } from '../../../../../src/contract/procedures.ts';
import { copayRule, standingOf } from '../../../../support/decision-rules.ts';
import { renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/settings/rules', 'rules:list', ['the rules', 'Couldn’t load the rules'], {
  filled: { rules: [standingOf({ rule: { ...copayRule, name: longName } })] },
  empty: [{ rules: [] }, 'No rules yet.'],
});

test('a rule shows what it does, what it proposes, and why it stepped back', async () => {
  const why = '4 of its 200 decisions of 30 days were overturned.';
  renderScreen('/settings/rules', {
    'rules:list': { rules: [standingOf({ rule: { ...copayRule, state: 'do' }, acts: 'propose', why })] },
  });
  const table = await screen.findByRole('table', { name: 'Rules' });
  const [, row] = within(table).getAllByRole('row');
  const shown = row?.textContent ?? '';
  for (const words of ['Copays in network', 'Eligible by the rules', 'Propose', why, '12 · $600.00', '40'])
    expect(shown).toContain(words);
  expect(within(table).getByRole('link', { name: 'Copays in network' }).getAttribute('href')).toContain(
    `/settings/rules/${copayRule.id}`,
  );
  // There is nothing to move it past.
  expect(within(table).queryByRole('button')).toBeNull();
});

test('a reader of the team sees why a rule can’t be added', async () => {
  renderScreen('/settings/rules', { 'team:getStatus': { state: 'live', role: 'reader' } });
  await screen.findByText(/Your role in the team is reader/);
});

test('buttons move a rule, the first one only down', async () => {
  const second = { ...copayRule, id: '018f3a4e-0000-4000-8000-000000000002', name: 'Visits' };
  const moved: Input<'rules:move'>[] = [];
  renderScreen('/settings/rules', {
    'rules:list': { rules: [copayRule, second].map((rule) => standingOf({ rule })) },
    'rules:move': (input) => {
      moved.push(input);
      return { isDone: true };
    },
  });
  const button = (name: string) => screen.findByRole('button', { name });
  expect((await button('Move Copays in network up')).matches(':disabled')).toBe(true);
  expect((await button('Move Visits down')).matches(':disabled')).toBe(true);
  fireEvent.click(await button('Move Copays in network down'));
  await waitFor(() => expect(moved).toMatchObject([{ id: copayRule.id, to: 'down' }]));
});
