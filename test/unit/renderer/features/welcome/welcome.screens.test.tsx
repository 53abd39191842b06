import { fireEvent, screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Workspace } from '../../../../../src/contract/workspace.ts';
import {
  type Answers,
  failed,
  pending,
  press,
  renderScreen,
  workspace,
} from '../../../../support/render-screen.tsx';

const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(new RegExp(label)), { target: { value } });

test('a sample that could not be opened shows why', async () => {
  renderScreen('/welcome', { 'workspaces:list': {}, 'sample:open': failed('disk.full') });
  await press('Explore sample data');
  await screen.findByText('Couldn’t open the sample');
});

test('the sample is disabled if the organization does not allow it', async () => {
  renderScreen('/welcome', { 'workspaces:list': {}, 'app:getInfo': { policy: { allowSample: false } } });
  await screen.findByText('Off, set by your IT.');
  const open = await screen.findByRole('button', { name: 'Explore sample data' });
  expect((open as HTMLButtonElement).disabled).toBe(true);
});

const someone = { 'workspaces:list': { workspaces: [{ ...workspace, keyId: null }], activeId: 'w' } };
test.each([
  ['loading', { 'unlock:getState': pending }, 'Loading the setup'],
  ['an error', { 'unlock:getState': failed('disk.fault') }, /couldn’t read from or write to the disk/],
  ['no workspace', { 'workspaces:list': {} }, 'Service URL'],
  [
    'locked secrets',
    { 'workspaces:list': {}, 'app:getInfo': { secrets: { kind: 'keychain', state: 'locked' } } },
    'I’ve unlocked it',
  ],
  ['no key', { ...someone, 'unlock:getState': { hasPassphrase: true } }, 'Make key'],
] as [string, Answers, string | RegExp][])('setting up a workspace, %s', async (_state, answers, said) => {
  renderScreen('/welcome/connect', { 'unlock:getState': {}, ...answers });
  await screen.findByText(said);
});

test('an address without an email is not sent, and what was typed stays if it is refused', async () => {
  const sent: unknown[] = [];
  renderScreen('/welcome/connect', {
    'workspaces:list': {},
    'unlock:getState': {},
    'workspaces:add': (input) => {
      sent.push(input);
      return failed('workspace.duplicate');
    },
  });
  await type('Service URL', ' claims.example.com ');
  await press('Continue');
  await screen.findByText('Enter your account email.');
  await type('Account email', 'dana@example.com');
  await press('Continue');
  await screen.findByText('Couldn’t add the workspace');
  expect(sent).toEqual([{ baseUrl: 'claims.example.com', email: 'dana@example.com' }]);
  expect(screen.queryByText('Enter your account email.')).toBeNull();
  screen.getByDisplayValue('dana@example.com');
});

const invitation = 'claimdesk-team-1.abc';
const joining: Workspace = { ...workspace, awaitsTeam: true };

test('an invited person sees the addresses in the invitation before a workspace is added, then makes a key', async () => {
  const added: unknown[] = [];
  let workspaces: Workspace[] = [];
  const service = { address: 'https://claims.example', name: 'Acme', header: 'X-Token', scheme: 'JWT' };
  renderScreen('/welcome/connect?isNew=true&isInvited=true', {
    'workspaces:list': () => ({ workspaces, activeId: workspaces[0]?.id ?? null }),
    'unlock:getState': { hasPassphrase: true },
    'team:readInvitation': (wanted) =>
      wanted.invitation === invitation
        ? { server: 'https://team.example', service }
        : failed('team.wrongInvitation'),
    'workspaces:add': (input) => {
      added.push(input);
      workspaces = [{ ...joining, keyId: null }];
      return workspaces[0] as Workspace;
    },
    'workspaces:activate': joining,
    'keys:list': () => ({ keys: workspaces[0]?.keyId === 'k' ? [{ id: 'k' }] : [] }),
    'keys:generate': () => {
      workspaces = [joining];
      return { id: 'k' };
    },
    'team:join': (wanted) => {
      added.push(wanted);
      return failed('team.unreachable');
    },
  });
  await type('Invitation', 'something');
  await screen.findByText('Couldn’t read the invitation');
  await type('Invitation', ` ${invitation}\n`);
  await screen.findByText('https://claims.example');
  screen.getByText('https://team.example');
  await type('Account email', 'dana@example.com');
  await press('Continue');
  await screen.findByRole('button', { name: 'Make key' });
  expect(added).toEqual([
    {
      ...{ baseUrl: service.address, email: 'dana@example.com', name: 'Acme' },
      ...{ header: 'X-Token', scheme: 'JWT', awaitsTeam: true },
    },
  ]);
  // The invitation is still there, although the frame of the window came with the workspace.
  await press('Make key');
  await press('Ask to join');
  await screen.findByText('Couldn’t ask to join');
  expect(added.at(-1)).toEqual({ workspaceId: 'w', invitation });
});

test('a person who left before asking to join pastes the invitation again, reads out the code, and registers the key in the meantime', async () => {
  const joined: unknown[] = [];
  let workspaces: Workspace[] = [{ ...joining, keyId: 'k' }];
  renderScreen('/welcome/connect', {
    'workspaces:list': () => ({ workspaces, activeId: 'w' }),
    'unlock:getState': { hasPassphrase: true },
    'keys:list': { keys: [{ id: 'k', provenAt: null }] },
    'sync:getStatus': { lastComplete: null, lastReceipt: null },
    'team:join': (wanted) => {
      joined.push(wanted);
      const team = { server: 'https://team.example', id: 'T'.repeat(22) };
      workspaces = [{ ...workspace, keyId: 'k', team }];
      return { isDone: true };
    },
    'team:getStatus': { server: 'https://team.example', state: 'waiting', code: 'ABCD-EFGH' },
  });
  await type('Invitation', invitation);
  await press('Ask to join');
  await screen.findByText('ABCD-EFGH');
  expect(joined).toEqual([{ workspaceId: 'w', invitation }]);
  await screen.findByRole('button', { name: 'Verify key' });
});
