import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { RuleTrial } from '../../../../../src/contract/decision-rule-procedures.ts';
import type { Input } from '../../../../../src/contract/procedures.ts';
import { startSettings } from '../../../../../src/renderer/domain/list/list-settings.ts';
import { copayRule, standingOf } from '../../../../support/decision-rules.ts';
import { failed, noRecords, press, renderScreen, workspace } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

const trial: RuleTrial = {
  ...{ decisions: 4102, agrees: 4101, notStored: 3, notReplayed: 0, months: 12 },
  blank: [{ field: 'network', label: 'Network', claims: 312 }],
  differing: [
    {
      ...{ claimId: 7, at: '2026-10-05T12:00:00.000Z', author: 'ben@acme.example', amount: 450_000 },
      ...{ decided: 'Not eligible: cosmetic', byRule: 'Eligible $45.00' },
    },
  ],
  open: { claims: 1240, amount: 612_204_000 },
  missing: [],
};
const at = `/settings/rules/${copayRule.id}`;
const answers = {
  ...noRecords,
  'rules:list': { rules: [standingOf()] },
  'rules:try': trial,
} as const;

testStates(at, 'rules:list', ['the rule', 'Couldn’t load the rule'], {
  filled: { rules: [standingOf({ rule: { ...copayRule, name: longName } })] },
  empty: [{ rules: [] }, 'This rule doesn’t exist'],
  others: { ...noRecords, 'rules:try': trial },
});

test('the trial of a rule is described in sentences, and a decision that differs opens its claim', async () => {
  renderScreen(at, answers);
  await screen.findByText(
    'Agrees in 4,101 of 4,102 decisions of the last year; below is the 1 that differs.',
  );
  for (const sentence of [
    'Would decide 1,240 open claims, $61,220.40.',
    '3 decisions can’t be compared: not every column of the rule was stored with them.',
    '312 claims have no network.',
  ])
    screen.getByText(sentence);
  const table = screen.getByRole('table', { name: 'Decisions that differ' });
  expect(within(table).getByRole('link', { name: '7' }).getAttribute('href')).toBe('/#/claims/7');
  expect(table.textContent).toContain(
    'Not eligible: cosmeticEligible $45.00$45.0010/05/2026ben@acme.example',
  );
});

test('one press changes the state; Decide is disabled with what is missing as the reason', async () => {
  const set: Input<'rules:setState'>[] = [];
  renderScreen(at, {
    ...answers,
    'rules:try': { ...trial, missing: ['At least 200 decisions are needed; there are 150.'] },
    'rules:setState': (input) => {
      set.push(input);
      return copayRule;
    },
  });
  await screen.findByText(/^Decide is off: At least 200 decisions are needed; there are 150\./);
  const states = screen.getByRole('group', { name: 'State' });
  const button = (name: string) => within(states).getByRole<HTMLButtonElement>('button', { name });
  expect(button('Propose').getAttribute('aria-pressed')).toBe('true');
  expect(button('Decide').disabled).toBe(true);
  fireEvent.click(button('Watch'));
  await waitFor(() =>
    expect(set).toEqual([{ workspaceId: 'w', id: copayRule.id, version: 3, state: 'watch' }]),
  );
});

test('a state that the engine refuses shows why, and a second admin can confirm', async () => {
  const rule = { ...copayRule, state: 'do', by: 'lead@acme.example' } as const;
  renderScreen(at, {
    ...answers,
    'rules:list': { rules: [standingOf({ rule, why: 'It waits for a second admin.' })] },
    'rules:setState': failed('team.notAdmin'),
  });
  await screen.findByText('It waits for a second admin.');
  await press('Confirm Decide');
  await screen.findByText('Couldn’t change the state');
});

test.each([
  ['a reviewer can confirm what the only admin asked for', { admins: 1, state: 'do', isOff: false }],
  ['a reviewer can’t confirm where there are two admins', { admins: 2, state: 'do', isOff: true }],
  ['a reviewer can’t let a rule decide first', { admins: 1, state: 'propose', isOff: true }],
] as const)('in a team, %s', async (_name, { admins, state, isOff }) => {
  const rule = { ...copayRule, state, by: 'lead@acme.example' };
  const you = { email: workspace.email, role: 'reviewer', isYou: true, computers: [] } as const;
  const leads = Array.from({ length: admins }, (_, at) => ({
    ...{ email: `lead${at}@acme.example`, role: 'admin' as const, isYou: false, computers: [] },
  }));
  renderScreen(at, {
    ...answers,
    'rules:list': { rules: [standingOf({ rule, why: state === 'do' ? 'It waits.' : null })] },
    'team:getStatus': { state: 'live', role: 'reviewer' },
    'team:listMembers': { members: [you, ...leads] },
  });
  await waitFor(() => {
    const name = state === 'do' ? 'Confirm Decide' : 'Decide';
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(isOff);
    expect(screen.queryByText(/^(Confirm )?Decide is off: An/i)).toEqual(isOff ? expect.anything() : null);
  });
});

test('a changed rule is tried while it is typed, and saved; until then its state stays', async () => {
  const sent: { tried: Input<'rules:try'>[]; saved: Input<'rules:save'>[] } = { tried: [], saved: [] };
  renderScreen(at, {
    ...answers,
    'rules:try': (input) => {
      sent.tried.push(input);
      return trial;
    },
    'rules:save': (input) => {
      sent.saved.push(input);
      return { ...copayRule, version: 4 };
    },
  });
  await screen.findByText(/^Would decide/);
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'Copays' } });
  await screen.findByText('A changed rule begins at Watch.');
  screen.getByText('Save the rule before you change its state.');
  screen.getByText('The rule was changed since this trial.');
  await press('Try rule');
  await waitFor(() => expect(sent.tried.at(-1)?.draft.name).toBe('Copays'));
  await waitFor(() => expect(screen.queryByText('The rule was changed since this trial.')).toBeNull());
  const { length } = sent.tried;
  const again = screen.getByRole<HTMLButtonElement>('button', { name: 'Try rule' });
  await waitFor(() => expect(again.disabled).toBe(false));
  await press('Try rule');
  await waitFor(() => expect(sent.tried).toHaveLength(length + 1));
  await press('Save rule');
  await waitFor(() => expect(sent.saved).toHaveLength(1));
  expect(sent.saved[0]).toMatchObject({
    id: copayRule.id,
    version: 3,
    draft: { name: 'Copays', most: 500_000 },
  });
});

test('what is typed stays if a colleague changes the rule, and is not saved over theirs', async () => {
  const versions = [3, 4];
  renderScreen(at, {
    ...answers,
    'rules:list': () => ({ rules: [standingOf({ rule: { ...copayRule, version: versions[0] ?? 4 } })] }),
    'rules:setState': () => {
      versions.shift();
      return copayRule;
    },
    'rules:save': ({ version }) => (version === 4 ? copayRule : failed('rule.changed')),
  });
  await screen.findByText(/^Would decide/);
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  await press('Watch');
  fireEvent.change(name, { target: { value: 'Copays' } });
  await screen.findByText(/^A colleague changed this rule while you were typing\./);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('Copays');
  await press('Save rule');
  await screen.findByText('Couldn’t save the rule');
});

test.each([
  ['notEligible', { Reason: 'Not covered' }, { kind: 'notEligible', cause: 'Not covered' }],
  ['tag', { Tag: 'copay' }, { kind: 'tag', tag: 'copay' }],
  ['owner', { Owner: 'ben@acme.example' }, { kind: 'owner', owner: 'ben@acme.example' }],
  ['partly', {}, { kind: 'partly', partly: { by: 'parts', without: ['copay'] } }],
  [
    'waiting',
    { 'Waiting on': 'Carrier', Reason: 'EOB requested' },
    { kind: 'waiting', onWhom: 'Carrier', reason: 'EOB requested', days: 30 },
  ],
])('the act %s has its own fields', async (kind, fields, act) => {
  Object.assign(document, { fonts: new EventTarget() });
  const saved: Input<'rules:save'>[] = [];
  renderScreen(at, {
    ...answers,
    'rules:save': (input) => {
      saved.push(input);
      return copayRule;
    },
  });
  fireEvent.change(await screen.findByRole('combobox', { name: 'What it does' }), {
    target: { value: kind },
  });
  for (const [label, value] of Object.entries(fields))
    fireEvent.change(await screen.findByLabelText(label, { selector: 'input, textarea' }), {
      target: { value },
    });
  await press('Save rule');
  await waitFor(() => expect(saved[0]?.draft.act).toEqual(act));
});

test('a day, and everything unconfirmed, is undone after a question', async () => {
  const undone: Input<'rules:undo'>[] = [];
  renderScreen(at, {
    ...answers,
    'rules:undo': (input) => {
      undone.push(input);
      return { claims: 4 };
    },
  });
  await press('Undo a day…');
  fireEvent.change(await screen.findByLabelText('Day'), { target: { value: '2026-11-03' } });
  fireEvent.click(await screen.findByRole('button', { name: 'Undo decisions' }));
  await screen.findByText('4 claims decided by the rule are open again.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await press('Undo all unconfirmed…');
  fireEvent.click(await screen.findByRole('button', { name: 'Undo decisions' }));
  const ofRule = { workspaceId: 'w', id: copayRule.id };
  await waitFor(() => expect(undone).toEqual([{ ...ofRule, day: '2026-11-03' }, ofRule]));
});

test('what a rule proposes and decided opens as a list of claims', async () => {
  renderScreen(at, { ...answers, 'records:begin': { snapshotId: 's', total: 0 } });
  await press('12 claims, $600.00');
  await screen.findByRole('button', { name: 'Remove filter: Proposed by rule is Copays in network' });
  window.history.back();
  await press('Show claims');
  await screen.findByRole('button', { name: 'Remove filter: Decided by rule is Copays in network' });
});

test('a removed rule leads back to the list', async () => {
  renderScreen(at, { ...answers, 'rules:remove': {} });
  await press('Remove…');
  fireEvent.click(await screen.findByRole('button', { name: 'Remove rule' }));
  await screen.findByRole('heading', { name: 'Settings' });
});

test('a reader of the team sees the rule with its controls disabled', async () => {
  renderScreen(at, {
    ...answers,
    'team:getStatus': { state: 'live', role: 'reader' },
  });
  await screen.findByText(/Your role in the team is reader/);
  const isOff = (name: string) => screen.getByRole('button', { name }).closest('fieldset')?.disabled === true;
  const names = [
    'Save rule',
    'Watch',
    'Remove…',
    'Undo a day…',
    'Try rule',
    'Show claims',
    '12 claims, $600.00',
  ];
  expect(names.filter(isOff)).toEqual(['Save rule', 'Watch', 'Remove…', 'Undo a day…']);
});

test('what a rule needs before it can be saved or tried is shown', async () => {
  renderScreen('/settings/rules/new', answers);
  await screen.findByText('To save or try the rule, set: Name, Conditions.');
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'Copays' } });
  await screen.findByText('To save or try the rule, set: Conditions.');
});

const view = {
  ...{ version: 2, kind: 'list', entity: 'claims', isPinned: true },
  view: {
    ...startSettings({ columns: ['id'] }),
    conditions: [
      { field: 'network', operator: 'is', values: ['IN'] },
      { field: 'members.employer.id', operator: 'isOneOf', values: ['3'] },
      { field: 'review.state', operator: 'is', values: ['todo'] },
    ],
  },
};

test('the filter of a list becomes a rule: what a rule can’t use is listed, and an employer becomes one of its employers', async () => {
  const saved: Input<'rules:save'>[] = [];
  renderScreen('/claims', {
    ...answers,
    'records:begin': { snapshotId: 's', total: 0 },
    'records:listEmployers': { employers: [{ id: 3, name: 'Acme HRA' }] },
    'rules:save': (input) => {
      saved.push(input);
      return copayRule;
    },
    'views:list': {
      views: [{ id: 'v', name: 'Copays', query: JSON.stringify(view), createdAt: '', updatedAt: '' }],
    },
  });
  fireEvent.click(await screen.findByText('Copays'));
  await press('Make rule…');
  await screen.findByRole('heading', { name: 'New rule' });
  await screen.findByText('Left out, because a rule can’t use it: Review is Undecided.');
  screen.getByRole('button', { name: /^Network is/ });
  await screen.findAllByText('Acme HRA');
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'In network' } });
  await press('Save rule');
  await waitFor(() =>
    expect(saved[0]?.draft).toMatchObject({
      ...{ name: 'In network', employers: [3] },
      conditions: [{ field: 'network', operator: 'is', values: ['IN'] }],
    }),
  );
});

test('a rule from a worklist says that the worklist and the search are left out', async () => {
  renderScreen('/worklists/toDecide', {
    ...answers,
    'records:begin': { snapshotId: 's', total: 0 },
    'views:list': {
      views: [
        {
          ...{ id: 'v', name: 'Copays', createdAt: '', updatedAt: '' },
          query: JSON.stringify({ ...view, worklist: 'toDecide', view: { ...view.view, search: 'smith' } }),
        },
      ],
    },
  });
  fireEvent.click(await screen.findByText('Copays'));
  await press('Make rule…');
  await screen.findByText(
    'Left out, because a rule can’t use it: Worklist is To decide; Review is Undecided; Search “smith”.',
  );
});
