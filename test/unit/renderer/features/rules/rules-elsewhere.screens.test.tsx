import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { localDayOf } from '../../../../../src/rules/days.ts';
import { copayRule, standingOf } from '../../../../support/decision-rules.ts';
import { noRecords, renderScreen } from '../../../../support/render-screen.tsx';

const rule = { ...copayRule, state: 'do' } as const;
const why = '4 of its 200 decisions of 30 days were overturned.';

test('Start says which rule stepped back and why, with a way to it', async () => {
  renderScreen('/start', {
    ...{ ...noRecords, 'reviews:listEvents': {} },
    'rules:list': { rules: [standingOf({ rule, acts: 'propose', why }), standingOf()] },
  });
  const notice = (await screen.findByText('Rule Copays in network: Propose only')).closest('[role="alert"]');
  expect(notice?.textContent).toContain(why);
  const link = within(notice as HTMLElement).getByRole('link', { name: 'Open rule' });
  expect(link.getAttribute('href')).toContain(`/settings/rules/${rule.id}`);
  expect(screen.getAllByText(/only$/)).toHaveLength(1);
});

test('Reports has what rules decided of all that is done, and how often it was overturned', async () => {
  renderScreen('/reports', {
    ...noRecords,
    'worklists:report': {
      done: [{ day: localDayOf(new Date()), outcome: 'eligible', claims: 160, reopened: 0 }],
    },
    'rules:list': { rules: [standingOf({ rule, acts: 'do', checked: 20, checkAgreed: 19 })] },
  });
  await screen.findByText('In the last 30 days, rules decided 40 claims (25% of what is done).');
  const table = screen.getByRole('table', { name: 'Decided by rules' });
  expect(within(table).getAllByRole('row')[1]?.textContent).toBe('Copays in network401 (3%)2095%');
});
