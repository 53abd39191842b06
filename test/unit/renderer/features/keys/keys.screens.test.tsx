import { screen } from '@testing-library/dom';
import { test } from 'vitest';
import { renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/settings/keys/k', 'keys:list', ['the key', 'Couldn’t load the key'], {
  filled: { keys: [{ id: 'k', name: longName }] },
  empty: [{}, 'This key doesn’t exist'],
  canRetry: false,
});

test.each([
  ['no key', {}, 'No keys yet.'],
  ['a long name', { keys: [{ id: 'k', name: longName }] }, longName],
  ['an error', { failedWith: 'disk.fault' }, 'Couldn’t load keys'],
] as const)('the list of keys with %s', async (_state, keys, said) => {
  renderScreen('/settings/keys', { 'keys:list': keys, 'keys:listDamaged': {} });
  await screen.findByText(said);
});
