import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { RuleExplained } from '../../../../../src/contract/decision-rule-procedures.ts';
import type { Input } from '../../../../../src/contract/procedures.ts';
import { decidedByRules } from '../../../../../src/renderer/domain/figure/reviewer-filters.ts';
import { localDayOf } from '../../../../../src/rules/days.ts';
import { isSameJson } from '../../../../../src/rules/review/same-value.ts';
import { copayRule, standingOf } from '../../../../support/decision-rules.ts';
import { noRecords, pending, press, pressKey, renderScreen } from '../../../../support/render-screen.tsx';

const explained: RuleExplained = {
  ...{ ruleId: copayRule.id, version: 3, name: copayRule.name, words: 'Eligible $50.00', amount: 500_000 },
  ...{ since: copayRule.since, by: copayRule.by },
  conditions: copayRule.conditions.map((condition, at) => ({ condition, value: at === 0 ? 'IN' : '50.00' })),
};
const taken = { kind: 'byRule', how: 'taken' };
const acts: Input<'reviews:act'>[] = [];
const answers = {
  ...noRecords,
  'reviews:get': { claimId: 7, state: 'todo', byRules: 500_000, open: 500_000 },
  'reviews:act': (input: Input<'reviews:act'>) => {
    acts.push(input);
    return { leftOut: [] };
  },
} as const;
const sentActs = () => acts.splice(0).map(({ act, target }) => ({ act, target }));

test('a proposal is above the decisions with its reason, and its key or button accepts it', async () => {
  renderScreen('/claims/7', { ...answers, 'rules:explain': { proposal: explained, decided: null } });
  const button = await screen.findByRole('button', {
    name: /^Proposed: Eligible \$50\.00 · Copays in network/,
  });
  const primary = screen.getByRole('button', { name: /^Eligible \$50\.00/ });
  expect(button.compareDocumentPosition(primary) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  fireEvent.click(screen.getByText('Why'));
  const why = screen.getByText('Why').closest('details')?.textContent;
  expect(why).toBe('WhyNetwork is In-networkIn-networkCopay more than $0.00$50.00');
  await pressKey('.');
  const shown = { ...taken, rule: { id: copayRule.id, version: 3 } };
  await waitFor(() => expect(sentActs()).toEqual([{ act: shown, target: { claimIds: [7] } }]));
  await pressKey('1');
  await waitFor(() => expect(sentActs()[0]?.act).toMatchObject({ kind: 'decision', outcome: 'eligible' }));
});

test('a proposal that changed after it was shown is not accepted, and the window says so', async () => {
  renderScreen('/claims/7', {
    ...answers,
    'rules:explain': { proposal: explained, decided: null },
    'reviews:act': { eventId: null, claims: 0, leftOut: [7] },
  });
  await screen.findByRole('button', { name: /^Proposed: Eligible/ });
  await pressKey('.');
  await screen.findByText('Proposal of claim 7 not taken');
});

test('on a claim without a proposal the key does nothing', async () => {
  renderScreen('/claims/7', answers);
  await screen.findByRole('button', { name: /^Eligible/ });
  await pressKey('.');
  await pressKey('4');
  await waitFor(() => expect(sentActs().map(({ act }) => act.kind)).toEqual(['decision']));
});

test('while the proposal is unknown, the key says so', async () => {
  renderScreen('/claims/7', { ...answers, 'rules:explain': pending });
  await screen.findByRole('button', { name: /^Eligible/ });
  await pressKey('.');
  await screen.findByText('What rules propose for claim 7 isn’t loaded yet.');
  expect(sentActs()).toEqual([]);
});

test('a reader of the team sees the proposal, but can’t accept it', async () => {
  renderScreen('/claims/7', {
    ...answers,
    'rules:explain': { proposal: explained, decided: null },
    'team:getStatus': { server: 'https://team.example', state: 'live', role: 'reader' },
  });
  const button = await screen.findByRole('button', { name: /^Proposed/ });
  await waitFor(() => expect(button.closest('fieldset')?.disabled).toBe(true));
});

test('a claim that a rule decided shows rule, version, and who switched it on', async () => {
  const { id, version, name, by, since } = copayRule;
  const rule = { id, version, name, by, since, confirmedBy: 'lead@acme.example', how: 'done' } as const;
  renderScreen('/claims/7', {
    ...answers,
    'reviews:get': { ...answers['reviews:get'], state: 'done', outcome: 'eligible', rule },
    'rules:explain': { proposal: null, decided: explained },
  });
  await screen.findByText(
    'Decided by rule Copays in network (version 3, switched on 11/02/2026 by ann@acme.example, confirmed by lead@acme.example)',
  );
  screen.getByText('Why');
});

const inList = {
  ...answers,
  'records:begin': { snapshotId: 's', total: 2, rows: [{ id: 7 }, { id: 8 }] },
  'records:getWindow': { rows: [{ id: 7 }, { id: 8 }] },
  'reviews:freeze': {
    ...{ selectionId: 'frozen', claims: 2 },
    groups: [
      {
        group: 'open',
        totals: { count: 2, billed: null, allowed: null, paid: null, patientResponsibility: 200_000 },
      },
    ],
  },
  'reviews:estimateOpen': { open: 200_000, notKnown: 0 },
  'reviews:estimateProposals': {
    claims: 1,
    byRule: [{ ruleId: copayRule.id, name: copayRule.name, claims: 1, open: 500_000 }],
  },
  'rules:list': { rules: [standingOf()] },
} as const;

test('in a list the key accepts what its row shows, in order with the next keys', async () => {
  let explain: (explained: object) => void = () => undefined;
  const rows = [7, 8].map((id) => ({ id, patient_name: `Ana ${id}`, 'facts.proposal': 'Eligible $50.00' }));
  renderScreen('/worklists/toDecide', {
    ...inList,
    'records:begin': { snapshotId: 's', total: 2, rows },
    'records:getWindow': { rows },
    'rules:explain': ({ claimId }) =>
      claimId === 8
        ? { proposal: { ...explained, words: 'Eligible $60.00' }, decided: null }
        : new Promise<object>((resolve) => {
            explain = resolve;
          }),
  });
  await screen.findByText('Ana 7');
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search claims' }), { key: 'ArrowDown' });
  await pressKey('.');
  await pressKey('4');
  expect(sentActs()).toEqual([]);
  explain({ proposal: explained, decided: null });
  const shown = { ...taken, rule: { id: copayRule.id, version: 3 } };
  await waitFor(() => expect(acts).toHaveLength(2));
  expect(sentActs()).toMatchObject([
    { act: shown, target: { claimIds: [7] } },
    { act: { kind: 'decision', outcome: 'noAction' }, target: { claimIds: [8] } },
  ]);
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search claims' }), { key: 'ArrowDown' });
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' });
  await pressKey('.');
  await screen.findByText('Proposal of claim 8 not taken');
  expect(sentActs()).toEqual([]);
});

test('all proposals of a list are accepted as one act, and claims without one are listed', async () => {
  renderScreen('/worklists/toDecide', {
    ...inList,
    'reviews:act': (input) => {
      acts.push(input);
      return { eventId: 'e', claims: 1, leftOut: [8], notKnown: [], needsSecond: [], unchanged: 0 };
    },
  });
  await press('Review all…');
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Take proposal/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Take proposals' }));
  await dialog.findByText(
    /1 claim without a proposal is left out, as are any that change before you confirm\./,
  );
  expect(dialog.getByText(/Copays in network:/).textContent).toMatch(
    /^Copays in network: 1 claim, open \$50\.001 claim without a proposal/,
  );
  const action = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Take 1 proposal' });
  await waitFor(() => expect(action.disabled).toBe(false));
  fireEvent.click(action);
  await dialog.findByText('1 claim left out: they have no proposal, or changed since you selected them:');
  dialog.getByText('Claim 8');
  expect(sentActs()[0]?.act).toEqual(taken);
});

test('To decide has chips for what rules propose and decided, which open the claims that they count', async () => {
  const queries: Input<'records:begin'>[] = [];
  const byRules = decidedByRules(localDayOf(new Date()));
  renderScreen('/worklists/toDecide', {
    ...inList,
    'records:getTotals': ({ query }) => ({
      totals: { count: isSameJson(query.conditions, byRules) ? 38 : 0 },
    }),
    'records:begin': (input) => {
      queries.push(input);
      return inList['records:begin'];
    },
  });
  await press(/^Proposed ?12/);
  await screen.findByRole('button', { name: 'Proposed is not blank' });
  await waitFor(() =>
    expect(queries.at(-1)?.query.conditions).toEqual([
      { field: 'worklist', operator: 'is', values: ['toDecide'] },
      { field: 'facts.proposal', operator: 'isNotEmpty', values: [] },
    ]),
  );
  await press(/^Decided by rules ?38/);
  await screen.findByRole('heading', { name: 'Claims' });
  await screen.findByRole('button', { name: 'Decided by rule is not blank' });
  await waitFor(() => expect(queries.at(-1)?.query.conditions).toEqual(byRules));
});

test('the open amount of a filter is not shown next to the rows of another', async () => {
  const totals = { count: 2, billed: null, allowed: null, paid: null, patientResponsibility: 200_000 };
  renderScreen('/worklists/toDecide', {
    ...inList,
    'records:begin': ({ query }) => ({
      ...inList['records:begin'],
      snapshotId: `${query.conditions?.length}`,
      totals,
    }),
    'worklists:open': ({ query }) => (query.conditions?.length === 1 ? { open: 310_000 } : pending()),
  });
  await screen.findByText('$31.00');
  await press(/^Proposed ?12/);
  await screen.findByRole('button', { name: 'Proposed is not blank' });
  await waitFor(() => expect(screen.queryByText('$31.00')).toBeNull());
});
