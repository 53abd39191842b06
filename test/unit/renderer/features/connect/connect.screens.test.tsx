import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { type Answers, failed, press, renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

const member = { email: 'a@example.com', lastName: longName, bootstrappedAt: '2026-11-20T12:00:00.000Z' };
const connection = { policyHolderId: 5, memberName: longName, email: member.email };
const setUp: Answers = {
  'connect:getSettings': { publicToken: 'token' },
  'connect:watchRunning': {},
  'connect:listValidations': {},
  'connect:listMembers': { members: [member] },
  'connect:listConnections': {},
  'connect:getValidation': null,
  'connect:getPatientAccess': null,
  'connect:listPayers': {},
  'records:getEmployer': {},
};

testStates('/connections', 'connect:listConnections', ['the connections', 'Couldn’t load the connections'], {
  filled: { connections: [connection] },
  empty: [{}, 'No connections yet'],
  others: setUp,
});
testStates('/connections/5', 'connect:listConnections', ['the connection', 'Couldn’t load this connection'], {
  filled: { connections: [connection] },
  empty: [{}, 'Connection not found'],
  others: setUp,
});
testStates(
  '/connections/5/correct',
  'connect:listConnections',
  ['the connection', 'Couldn’t load this connection'],
  {
    filled: { connections: [connection] },
    empty: [{}, 'This connection’s member isn’t known here'],
    others: { ...setUp, 'connect:beginCorrection': { username: null } },
  },
);
testStates('/connections/new', 'connect:listMembers', ['the members', 'Couldn’t load the members'], {
  filled: { members: [member] },
  others: { ...setUp, 'connect:listEmployers': {} },
});
const atStep = `/connections/new?addedAt=${member.bootstrappedAt}`;
testStates(atStep, 'connect:listPayers', ['the carriers', 'Couldn’t load the carriers'], {
  filled: { payers: [{ id: 2, name: longName }] },
  empty: [{}, 'No carriers match.'],
  others: setUp,
});
testStates(`${atStep}&payerId=2`, 'connect:getPayer', ['the carrier', 'Couldn’t load the carrier'], {
  filled: { id: 2, name: longName },
  others: { ...setUp, 'connect:getTerms': {} },
});
testStates(
  '/settings/integration',
  'connect:getSettings',
  ['the integration settings', 'Couldn’t load the integration settings'],
  {
    filled: { publicToken: 'token' },
    shows: 'Public token',
    others: setUp,
  },
);

test('a member is removed after a confirmation, which shows why that failed', async () => {
  let isBusy = true;
  renderScreen('/connections/new', {
    ...setUp,
    'connect:listEmployers': {},
    'connect:forgetMember': () => (isBusy ? failed('profile.busy') : {}),
  });
  const remove = new RegExp(`^Remove .*${longName.slice(0, 20)}`);
  await press(remove);
  const dialog = await screen.findByRole('dialog', { name: 'Remove this member from this computer?' });
  await press('Remove member');
  await within(dialog).findByRole('alert');
  await press('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  isBusy = false;
  await press(remove);
  expect(within(await screen.findByRole('dialog')).queryByRole('alert')).toBeNull();
  await press('Remove member');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

describe('before Connect is set up', () => {
  test.each(['/connections', '/connections/5', '/connections/5/correct', '/connections/new'])(
    '%s leads to its settings',
    async (at) => {
      renderScreen(at);
      await screen.findByText('Connect isn’t set up in this workspace');
      await screen.findByRole('link', { name: 'Open the integration settings' });
    },
  );
});
