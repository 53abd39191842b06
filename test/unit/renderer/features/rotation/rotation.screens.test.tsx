import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/settings/workspaces/w/rotate', 'rotation:get', ['the rotation', 'Couldn’t load the rotation'], {
  filled: { workspaceId: 'w', oldKey: { name: longName } },
});
