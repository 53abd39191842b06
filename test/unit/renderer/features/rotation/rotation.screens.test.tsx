import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates({
  at: '/settings/workspaces/w/rotate',
  asks: 'rotation:get',
  loading: 'the rotation',
  failure: 'Couldn’t load the rotation',
  filled: { workspaceId: 'w', oldKey: { name: longName } },
  canRetry: false,
});
