import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { errorTable } from '../../../../../src/contract/error-codes.ts';
import type { Input } from '../../../../../src/contract/procedures.ts';
import { type Answers, failed, press, renderScreen, workspace } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

const server = 'https://team.example';
const longEmail = `${longName.replaceAll(' ', '.')}@example.com`;
const live = { server, state: 'live', role: 'admin' } as const;
const you = {
  ...{ email: 'desk@example.com', role: 'admin' as const, isYou: true },
  computers: [{ computer: 'AAAAAAAA', fingerprint: 'SHA256:own', isThis: true }],
};
const ana = {
  ...{ email: 'ana@example.com', role: 'reviewer' as const },
  computers: [
    { computer: 'BBBBBBBB', fingerprint: 'SHA256:ana' },
    { computer: 'CCCCCCCC', fingerprint: null },
  ],
};
const ofTeam = (status: Answers['team:getStatus'] = live, others: Answers = {}): Answers => ({
  'team:getStatus': status,
  'team:listMembers': { members: [you, ana] },
  'team:listJoins': {},
  'team:listRemovals': {},
  ...others,
});
const show = (status: Answers['team:getStatus'] = live, others: Answers = {}) =>
  renderScreen('/settings/team', ofTeam(status, others));

const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByRole('textbox', { name: label }), { target: { value } });
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));

testStates('/settings/team', 'team:getStatus', ['the team', 'Couldn’t load the team'], {
  filled: { ...live, server: `https://${longName.replaceAll(' ', '-')}.example` },
  shows: longName.replaceAll(' ', '-'),
  empty: [null, /With a team, several people share the decisions/],
  others: { 'team:listMembers': {}, 'team:listJoins': {}, 'team:listRemovals': {} },
});

testStates('/settings/team', 'team:listMembers', ['the members', 'Couldn’t load the members'], {
  filled: { members: [you, { ...ana, email: longEmail }] },
  shows: longEmail,
  others: { 'team:getStatus': live, 'team:listJoins': {}, 'team:listRemovals': {} },
});

testStates('/settings/team', 'team:listJoins', ['who asked to join', 'Couldn’t load who asked to join'], {
  filled: { joins: [{ computer: 'D', email: longEmail, code: 'ABCD-EFGH' }] },
  shows: longEmail,
  empty: [{}, /No one you invited from this computer is waiting/],
  others: { 'team:getStatus': live, 'team:listMembers': {}, 'team:listRemovals': {} },
});

test('a member admitted by the recovery key is shown to everyone, can be refused by admins, and a new key finishes a removal', async () => {
  const recovered = [{ computer: 'EVEEVE', email: 'eve@example.com', from: '2036-11-27T09:00:00.000Z' }];
  const { calls } = show({ ...live, recovered, formerAdmins: ['eve@example.com'] }, { 'team:revoke': {} });
  await screen.findByText('Someone used the recovery key for a computer of eve@example.com');
  await screen.findByText('Replace the recovery key to finish the removal');
  fireEvent.click(await screen.findByRole('button', { name: 'Refuse computer EVEEVE of eve@example.com' }));
  await waitFor(() => expect(calls).toContain('team:revoke'));
});

test('an admin dismisses that a computer had read another log', async () => {
  const otherLog = { email: 'ben@example.com', number: 1_234 };
  const { calls } = show({ ...live, otherLog }, { 'team:dismissLogs': {} });
  await screen.findByText(/ben@example.com’s computer read a different entry 1,234/);
  await press('Dismiss');
  await waitFor(() => expect(calls).toContain('team:dismissLogs'));
});

test('what a reader did before and could not send is shown, and can be undone here', async () => {
  let held = 2;
  const { calls } = show(() => ({ server, state: 'live', role: 'reader', held }), {
    'team:undoHeld': () => {
      held = 0;
      return { undone: 2, left: 0 };
    },
  });
  await screen.findByText('2 acts on this computer can’t be sent');
  await press('Undo unsent acts…');
  fireEvent.click((await dialog('Undo unsent acts?')).getByRole('button', { name: 'Undo 2 acts' }));
  await screen.findByText('Undid 2 acts');
  expect(calls).toContain('team:undoHeld');
});

describe('the first person', () => {
  test('makes a team, keeps the recovery key, and invites', async () => {
    let status: Answers['team:getStatus'] = null;
    const expiresAt = '2036-11-27T09:00:00.000Z';
    show(null, {
      'team:getStatus': () => status as typeof live | null,
      'team:create': (wanted) => {
        expect(wanted).toEqual({ workspaceId: 'w', server, setupCode: 'K7' });
        status = live;
        return { recoveryKey: 'QWER-TYUI', team: 'T22' };
      },
      'team:listMembers': { members: [you] },
      'team:invite': (wanted) =>
        wanted.recoveryKey === 'QWER-TYUI'
          ? { invitation: 'claimdesk-team-1.abc', expiresAt }
          : failed('team.wrongRecoveryKey'),
    });
    await press('Make team…');
    const start = await dialog('Make team, step 1 of 3');
    const make = start.getByRole('button', { name: 'Make team' }) as HTMLButtonElement;
    expect(make.disabled).toBe(true);
    await type('Server address', ` ${server} `);
    await type('Set-up code', 'K7');
    fireEvent.click(make);
    // The page already shows the team; the key stays until it is confirmed.
    await screen.findByText(server);
    const key = await dialog('Make team, step 2 of 3');
    key.getByText('QWER-TYUI');
    key.getByText(`Server ${server}, team T22`);
    expect(key.queryByRole('button', { name: 'Close' })).toBeNull();
    fireEvent.keyDown(key.getByText('QWER-TYUI'), { key: 'Escape' });
    const proceed = key.getByRole('button', { name: 'Continue' }) as HTMLButtonElement;
    expect(proceed.disabled).toBe(true);
    fireEvent.click(key.getByRole('checkbox', { name: 'I’ve printed or saved this key' }));
    fireEvent.click(proceed);
    const invite = await dialog('Make team, step 3 of 3');
    expect(screen.queryByText('QWER-TYUI')).toBeNull();
    // The recovery key is tried before anyone else can join.
    await type('Email', 'ben@example.com');
    await type('Recovery key', 'QWER-TYUO');
    fireEvent.click(invite.getByRole('button', { name: 'Make invitation' }));
    await invite.findByText(errorTable['team.wrongRecoveryKey'].message);
    await type('Recovery key', ' QWER-TYUI ');
    fireEvent.click(invite.getByRole('button', { name: 'Make invitation' }));
    await invite.findByText('claimdesk-team-1.abc');
    invite.getByText(/^Valid once, until 11\/27\/2036/);
    fireEvent.click(invite.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('sees why a team was not made, and can try again', async () => {
    show(null, { 'team:create': failed('team.wrongSetupCode') });
    await press('Make team…');
    await type('Server address', server);
    await type('Set-up code', 'K7');
    await press('Make team');
    await screen.findByText('Couldn’t make the team');
    await screen.findByText(errorTable['team.wrongSetupCode'].nextStep);
    await screen.findByRole('dialog', { name: 'Make team, step 1 of 3' });
  });
});

test('a joining person pastes the invitation, and reads out the code while waiting', async () => {
  let status: Answers['team:getStatus'] = null;
  show(null, {
    'team:getStatus': () => status as typeof live | null,
    'team:join': ({ invitation }) => {
      if (invitation !== 'claimdesk-team-1.abc') return failed('team.wrongInvitation');
      status = { server, state: 'waiting', code: 'ABCD-EFGH' };
      return { isDone: true };
    },
  });
  await press('Join team…');
  await type('Invitation', 'something');
  await press('Ask to join');
  await screen.findByText('Couldn’t ask to join');
  await type('Invitation', ' claimdesk-team-1.abc\n');
  await press('Ask to join');
  await screen.findByText('ABCD-EFGH');
  await screen.findByText('Team: waiting for approval');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  for (const name of ['Invite…', 'Join team…']) expect(screen.queryByRole('button', { name })).toBeNull();
});

test('a joining person is asked to call the admin until both computers have answered', async () => {
  show({ server, state: 'waiting', code: null });
  await screen.findByText(/ask them to open Settings, Team/);
});

describe('an admin', () => {
  test('can approve no one without a code to compare', async () => {
    show(live, {
      'team:listJoins': {
        joins: [{ computer: 'D', email: 'ben@example.com', role: 'reviewer', code: null }],
      },
    });
    await screen.findByText(/^Getting the code from their computer/);
    const approve = screen.getByRole('button', { name: 'Approve ben@example.com' }) as HTMLButtonElement;
    expect(approve.disabled).toBe(true);
  });

  test('replaces the recovery key: prints a new one, and types it from paper', async () => {
    const replaced: Input<'team:replaceRecoveryKey'>[] = [];
    show(live, {
      'team:makeRecoveryKey': { recoveryKey: 'QWER-TYUI', server, team: 'T22' },
      'team:replaceRecoveryKey': (wanted) => {
        replaced.push(wanted);
        return wanted.recoveryKey === wanted.shown ? { isNew: true } : failed('team.wrongRecoveryKey');
      },
    });
    await press('Replace recovery key…');
    await press('Make new key');
    const asked = await dialog('Replace recovery key');
    await asked.findByText('QWER-TYUI');
    asked.getByText(`Server ${server}, team T22`);
    fireEvent.click(asked.getByRole('checkbox', { name: 'I’ve printed or saved this key' }));
    fireEvent.click(asked.getByRole('button', { name: 'Continue' }));
    await type('New recovery key', 'QWER-TYUO');
    expect(screen.queryByText('QWER-TYUI')).toBeNull();
    fireEvent.click(asked.getByRole('button', { name: 'Replace recovery key' }));
    await asked.findByText(errorTable['team.wrongRecoveryKey'].message);
    await type('New recovery key', ' QWER-TYUI ');
    fireEvent.click(asked.getByRole('button', { name: 'Replace recovery key' }));
    await asked.findByText('Recovery key replaced');
    expect(replaced.at(-1)).toEqual({ workspaceId: 'w', shown: 'QWER-TYUI', recoveryKey: 'QWER-TYUI' });
    fireEvent.click(asked.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('approves a person with the role of the invitation; another SSH key of a member is asked about first', async () => {
    const approved: Input<'team:approve'>[] = [];
    const join = { code: 'ABCD-EFGH', fingerprint: 'SHA256:new', at: '2026-11-20T09:00:00.000Z' };
    show(live, {
      'team:listJoins': {
        joins: [
          { ...join, computer: 'D', email: 'ben@example.com', role: 'reviewer' },
          { ...join, computer: 'E', email: ana.email, role: 'reader', otherKeys: ['SHA256:known'] },
        ],
      },
      'team:approve': (wanted) => {
        approved.push(wanted);
        return { isDone: true };
      },
    });
    const asked = within(await screen.findByRole('list', { name: 'Asked to join' }));
    expect(asked.getAllByText('ABCD-EFGH')).toHaveLength(2);
    expect(asked.getAllByText(/SHA256:new/)).toHaveLength(2);
    asked.getByText('Reader');
    await press('Approve ben@example.com');
    const known = (): HTMLButtonElement => asked.getByRole('button', { name: `Approve ${ana.email}` });
    expect(known().disabled).toBe(true);
    fireEvent.click(asked.getByRole('checkbox', { name: /this SSH key is theirs.*SHA256:known$/ }));
    await waitFor(() => expect(known().disabled).toBe(false));
    fireEvent.click(known());
    await waitFor(() => expect(approved.map((one) => one.acceptsOtherKey)).toEqual([false, true]));
  });

  test('removes a person, or one of their computers, after an explanation', async () => {
    const revoked: Input<'team:revoke'>[] = [];
    show(live, {
      'team:revoke': (wanted) => {
        revoked.push(wanted);
        return revoked.length === 1 ? failed('team.lastAdmin') : { isDone: true };
      },
    });
    await press('Remove ana@example.com…');
    const person = await dialog('Remove ana@example.com?');
    person.getByText(/^Each computer of this person keeps its data\..*key is renewed\.$/);
    fireEvent.click(person.getByRole('button', { name: 'Remove from team' }));
    await person.findByText('Couldn’t remove ana@example.com');
    fireEvent.click(person.getByRole('button', { name: 'Cancel' }));
    await press('Remove computer CCCCCC…');
    fireEvent.click(
      (await dialog('Remove computer CCCCCC?')).getByRole('button', { name: 'Remove from team' }),
    );
    await waitFor(() =>
      expect(revoked).toEqual([
        { workspaceId: 'w', email: 'ana@example.com' },
        { workspaceId: 'w', computer: 'CCCCCCCC' },
      ]),
    );
  });

  test('changes the role of others', async () => {
    const changed: Input<'team:setRole'>[] = [];
    // The menu finds nothing to focus without layout, and warns with 5,000 lines about its element.
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    show(live, {
      'team:setRole': (wanted) => {
        changed.push(wanted);
        return { isDone: true };
      },
    });
    expect(screen.queryByRole('combobox', { name: `Role of ${you.email}` })).toBeNull();
    fireEvent.click(await screen.findByRole('combobox', { name: `Role of ${ana.email}` }));
    fireEvent.click(await screen.findByRole('option', { name: 'Reader' }));
    await waitFor(() => expect(changed).toEqual([{ workspaceId: 'w', email: ana.email, role: 'reader' }]));
  });
});

test('a reviewer sees the members, their keys, and this computer, and changes nothing', async () => {
  show({ ...live, role: 'reviewer', refused: 3, refusedOf: ['ben@example.com'] });
  const members = within(await screen.findByRole('list', { name: 'Members' }));
  members.getByText('This computer, SSH key SHA256:own');
  members.getByText('Computer BBBBBB, SSH key SHA256:ana');
  members.getByText('Computer CCCCCC, not verified, so what it writes is refused');
  screen.getByText('3, by ben@example.com');
  for (const name of [/^Remove/, 'Invite…']) expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByText('Asked to join')).toBeNull();
  screen.getByRole('button', { name: 'Leave team…' });
});

test('offline, the page shows what happens with changes, and asks the server nothing', async () => {
  const problem = errorTable['team.unreachable'];
  const { calls } = show({ ...live, state: 'offline', unsent: 312, problem });
  await screen.findByText(problem.message);
  await screen.findByText('Offline, 312 to send');
  const line = await screen.findByRole('link', { name: 'Team: offline, 312 to send' });
  expect(line.getAttribute('href')).toBe('/#/settings/team');
  expect(calls).not.toContain('team:listJoins');
});

test('a problem is shown with its next step, on the page and in the top bar', async () => {
  const problem = errorTable['team.serverDiffers'];
  show({ ...live, state: 'stopped', problem });
  // Beside notices of acts before.
  await waitFor(() => {
    const said = screen.getAllByRole('alert').map(({ textContent }) => textContent);
    expect(said.join('\n')).toContain(problem.nextStep);
  });
  await screen.findByRole('link', { name: `Team: ${problem.message} ${problem.nextStep}` });
});

test('leaving shows what stays, and why it failed', async () => {
  show(live, { 'team:leave': failed('team.lastAdmin') });
  await press('Leave team…');
  const leave = await dialog('Leave the team?');
  leave.getByText(/^The reviews stay on this computer/);
  fireEvent.click(leave.getByRole('button', { name: 'Leave team' }));
  await leave.findByText(errorTable['team.lastAdmin'].nextStep);
});

test('without a team the top bar has no line for it', async () => {
  renderScreen('/settings/team');
  await screen.findByRole('button', { name: 'Make team…' });
  expect(screen.queryByText(/^Team:/)).toBeNull();
});

test('with sample data a team is tried in one step: a server, a colleague, and the approval', async () => {
  const asked: unknown[] = [];
  let status: Answers['team:getStatus'] = null;
  const note =
    <T,>(answer: T) =>
    (wanted: unknown): T => {
      asked.push(wanted);
      return answer;
    };
  show(null, {
    'workspaces:list': { workspaces: [{ ...workspace, isSample: true }], activeId: 'w' },
    'team:getStatus': () => status as typeof live | null,
    'sample:getState': { isOpen: true, isRunning: true, daysLeft: 3 },
    'sample:startTeam': { server: 'http://127.0.0.1:1', setupCode: 'K7' },
    'team:create': note({ recoveryKey: 'QWER-TYUI', team: 'T22' }),
    'team:invite': note({ invitation: 'claimdesk-team-1.abc', expiresAt: '2036-11-27T09:00:00.000Z' }),
    'records:readFirst': {
      rows: Array.from({ length: 42 }, (_none, index) => ({ id: index })),
    },
    'sample:addColleague': note({ computer: 'D' }),
    'team:listJoins': { joins: [{ computer: 'D', code: 'ABCD-EFGH' }] },
    'team:approve': (wanted) => {
      status = live;
      return note({ isDone: true as const })(wanted);
    },
    'reviews:act': note({}),
    'worklists:counts': {},
    'records:getTotals': { totals: { count: 3 } },
  });
  await press('Try it as a team');
  await screen.findByText(server);
  await screen.findByText('Next: work beside your colleague');
  await screen.findByText(/Your colleague has decided 3 of 20 claims/);
  expect(asked).toEqual([
    { workspaceId: 'w', server: 'http://127.0.0.1:1', setupCode: 'K7' },
    { workspaceId: 'w', email: 'colleague@example.com', role: 'reviewer', recoveryKey: 'QWER-TYUI' },
    {
      invitation: 'claimdesk-team-1.abc',
      claimIds: Array.from({ length: 20 }, (_none, index) => index + 20),
    },
    { workspaceId: 'w', computer: 'D' },
    expect.objectContaining({
      target: { claimIds: [40] },
      act: expect.objectContaining({ kind: 'payment', amount: 250_000 }),
    }),
    expect.objectContaining({
      target: { claimIds: [41] },
      act: expect.objectContaining({ kind: 'decision', outcome: 'notEligible' }),
    }),
  ]);
});

test.each([
  [20, { decidedTwice: 1, paidTwice: 0 }, 'Decided twice (1): choose which decision counts.'],
  [21, { decidedTwice: 0, paidTwice: 1 }, 'Paid twice (1): say which payment counts.'],
  [21, { decidedTwice: 0, paidTwice: 0 }, null],
])(
  'after the colleague has decided %i claims and stopped, its card says what is left of %o, or ends',
  async (count, left, said) => {
    const worklists = (['decidedTwice', 'paidTwice'] as const).map((id) => ({ id, claims: left[id] }));
    show(live, {
      'workspaces:list': { workspaces: [{ ...workspace, isSample: true }], activeId: 'w' },
      'sample:getState': { isOpen: true, isRunning: true, daysLeft: 3 },
      'worklists:counts': { worklists },
      'records:getTotals': { totals: { count } },
    });
    await screen.findByText(server);
    if (said !== null) await screen.findByText('Left: resolve what was done twice');
    else await new Promise((resolve) => setTimeout(resolve, 50));
    const items = screen
      .queryAllByRole('listitem')
      .flatMap(({ textContent }) => (/ twice \(/.test(textContent ?? '') ? [textContent] : []));
    expect(items).toEqual(said === null ? [] : [said]);
    expect(screen.queryByText(/Next: work beside/)).toBeNull();
  },
);

test('with the printed recovery key a computer joins a team that has lost its admins', async () => {
  const teamId = 'A'.repeat(22);
  let status: Answers['team:getStatus'] = null;
  show(null, {
    'team:getStatus': () => status as typeof live | null,
    'team:recover': (wanted) => {
      expect(wanted).toMatchObject({ workspaceId: 'w', server, team: teamId });
      if (wanted.recoveryKey !== 'QWER-TYUI') return failed('team.wrongRecoveryKey');
      status = live;
      return live;
    },
  });
  await press('Use recovery key…');
  await type('Server address', ` ${server} `);
  await type('Team ID', teamId);
  await type('Recovery key', 'QWER-TYUO');
  await press('Join team');
  await screen.findByText(errorTable['team.wrongRecoveryKey'].message);
  await type('Recovery key', 'QWER-TYUI');
  await press('Join team');
  await screen.findByText(server);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
