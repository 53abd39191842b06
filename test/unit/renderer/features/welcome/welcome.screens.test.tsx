import { fireEvent, screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import {
  type Answers,
  failed,
  pending,
  press,
  renderScreen,
  workspace,
} from '../../../../support/render-screen.tsx';

test('the sample that could not be opened says why', async () => {
  renderScreen('/welcome', { 'workspaces:list': {}, 'sample:open': failed('disk.full') });
  await press('Explore sample data');
  await screen.findByText('Couldn’t open the sample');
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

test('an address without an email is not sent, and what was typed stays when it is refused', async () => {
  const sent: unknown[] = [];
  renderScreen('/welcome/connect', {
    'workspaces:list': {},
    'unlock:getState': {},
    'workspaces:add': (input) => {
      sent.push(input);
      return failed('workspace.duplicate');
    },
  });
  const type = async (label: string, value: string) =>
    fireEvent.change(await screen.findByLabelText(new RegExp(label)), { target: { value } });
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
