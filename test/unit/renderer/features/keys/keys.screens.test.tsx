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
