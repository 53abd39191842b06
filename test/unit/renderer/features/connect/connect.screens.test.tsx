import { screen } from '@testing-library/dom';
import { describe, test } from 'vitest';
import { type Answers, renderScreen } from '../../../../support/render-screen.tsx';
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

testStates({
  at: '/connections',
  asks: 'connect:listConnections',
  loading: 'the connections',
  failure: 'Couldn’t load the connections',
  filled: { connections: [connection] },
  empty: [{}, 'No connections yet'],
  others: setUp,
});
testStates({
  at: '/connections/5',
  asks: 'connect:listConnections',
  loading: 'the connection',
  failure: 'Couldn’t load this connection',
  filled: { connections: [connection] },
  empty: [{}, 'Connection not found'],
  others: setUp,
});
testStates({
  at: '/connections/5/correct',
  asks: 'connect:listConnections',
  loading: 'the connection',
  failure: 'Couldn’t load this connection',
  filled: { connections: [connection] },
  empty: [{}, 'This connection’s member isn’t known here'],
  others: { ...setUp, 'connect:beginCorrection': { username: null } },
  canRetry: false,
});
testStates({
  at: '/connections/new',
  asks: 'connect:listMembers',
  loading: 'the members',
  failure: 'Couldn’t load the members',
  filled: { members: [member] },
  others: { ...setUp, 'connect:listEmployers': {} },
});
const atStep = `/connections/new?broughtIn=${member.bootstrappedAt}`;
testStates({
  at: atStep,
  asks: 'connect:listPayers',
  loading: 'the carriers',
  failure: 'Couldn’t load the carriers',
  filled: { payers: [{ id: 2, name: longName }] },
  empty: [{}, 'No carriers match.'],
  others: setUp,
});
testStates({
  at: `${atStep}&payerId=2`,
  asks: 'connect:getPayer',
  loading: 'the carrier',
  failure: 'Couldn’t load the carrier',
  filled: { id: 2, name: longName },
  others: { ...setUp, 'connect:getTerms': {} },
});
testStates({
  at: '/settings/integration',
  asks: 'connect:getSettings',
  loading: 'the integration settings',
  failure: 'Couldn’t load the integration settings',
  filled: { publicToken: 'token' },
  shows: 'Public token',
  others: setUp,
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
