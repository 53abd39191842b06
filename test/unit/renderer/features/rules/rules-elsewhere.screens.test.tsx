import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { decidedByRules } from '../../../../../src/renderer/domain/figure/own-work.ts';
import { localDayOf } from '../../../../../src/rules/days.ts';
import { isSameJson } from '../../../../../src/rules/review/same-value.ts';
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

test.each([
  [40, 'In the last 30 days, rules decided 40 claims (20% of what is done).'],
  [1, 'In the last 30 days, rules decided 1 claim (1% of what is done).'],
])(
  'Reports has what rules decided of all that is done by people and rules: %i claims',
  async (count, sentence) => {
    renderScreen('/reports', {
      ...noRecords,
      'worklists:report': {
        done: [{ day: localDayOf(new Date()), outcome: 'eligible', claims: 160, reopened: 0 }],
      },
      'rules:list': { rules: [standingOf({ rule, acts: 'do', checked: 20, checkAgreed: 19 })] },
      'records:getTotals': ({ query }) => ({
        totals: { count: isSameJson(query.conditions, decidedByRules(localDayOf(new Date()))) ? count : 0 },
      }),
    });
    await screen.findByText(sentence);
    const table = screen.getByRole('table', { name: 'Decided by rules' });
    expect(within(table).getAllByRole('row')[1]?.textContent).toBe('Copays in network401 (3%)2095%');
  },
);
