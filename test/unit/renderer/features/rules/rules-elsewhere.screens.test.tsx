import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { addDays, firstOf12Months, localDayOf } from '../../../../../src/rules/days.ts';
import { copayRule, standingOf } from '../../../../support/decision-rules.ts';
import { noRecords, renderScreen } from '../../../../support/render-screen.tsx';

const rule = { ...copayRule, state: 'do' } as const;
const why = '4 of its 200 decisions of 30 days were overturned.';

test('Start shows which rule stepped back and why, with a link to it', async () => {
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

test('Reports has what rules decided by month, and its rows add up to the share of all decisions', async () => {
  const today = localDayOf(new Date());
  const row = { ruleId: rule.id, name: rule.name, undone: 2, overturned: 1, checked: 20, checkAgreed: 19 };
  const byRules = [
    { ...row, month: today.slice(0, 7), decided: 30 },
    { ...row, month: firstOf12Months(today).slice(0, 7), decided: 10 },
  ];
  const ofPeople = { outcome: 'eligible', reopened: 0 } as const;
  renderScreen('/reports', {
    ...noRecords,
    'worklists:report': {
      byRules,
      done: [
        { ...ofPeople, day: today, claims: 160 },
        // It is before the months of the table.
        { ...ofPeople, day: addDays(firstOf12Months(today), -1) ?? '', claims: 1_000 },
      ],
    },
  });
  await screen.findByText('In the last 12 months, rules made 40 decisions (20% of all decisions).');
  const table = screen.getByRole('table', { name: 'Decided by rules' });
  const cells = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((one) =>
      within(one)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
  expect(cells.map(([, ...others]) => others)).toEqual([
    ['Copays in network', '30', '2', '1 (3%)', '20', '95%'],
    ['Copays in network', '10', '2', '1 (10%)', '20', '95%'],
  ]);
  expect(cells.reduce((sum, [, , decided]) => sum + Number(decided), 0)).toBe(40);
});
