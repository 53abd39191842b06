import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/settings/keys/k', 'keys:list', ['the key', 'Couldn’t load the key'], {
  filled: { keys: [{ id: 'k', name: longName }] },
  empty: [{}, 'This key doesn’t exist'],
});

testStates('/settings/keys', 'keys:list', ['the keys', 'Couldn’t load the keys'], {
  filled: { keys: [{ id: 'k', name: longName }] },
  empty: [{}, 'No keys yet.'],
  others: { 'keys:listDamaged': {} },
});

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

test.each([
  ['the list of keys', false, '#/settings/keys'],
  ['the page that was opened meanwhile', true, '#/settings/appearance'],
])('a key that is retired leads to %s', async (_where, isLeft, leadsTo) => {
  let end: () => void = () => undefined;
  renderScreen('/settings/keys/k', {
    'keys:list': { keys: [{ id: 'k', name: 'Spare' }] },
    'keys:listDamaged': {},
    'keys:retire': () => new Promise((resolve) => (end = () => resolve({}))),
  });
  await press('Retire key…');
  await press('Retire key');
  if (isLeft) {
    window.history.pushState(null, '', '#/settings/appearance');
    window.dispatchEvent(new PopStateEvent('popstate'));
    await waitFor(() => expect(document.title).toMatch(/^Settings/));
  }
  end();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // The steps after the reply take some turns.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(window.location.hash).toBe(leadsTo);
});
