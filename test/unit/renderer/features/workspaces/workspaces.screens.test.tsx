import { screen } from '@testing-library/dom';
import { test } from 'vitest';
import { renderScreen, workspace } from '../../../../support/render-screen.tsx';
import { longName } from '../../../../support/screen-states.tsx';

const named = { 'workspaces:list': { workspaces: [{ ...workspace, name: longName }], activeId: 'w' } };

test.each([
  ['/settings/workspaces', 'link'],
  ['/settings/workspaces/w', 'heading'],
])('%s shows the name in full', async (at, role) => {
  renderScreen(at, named);
  await screen.findByRole(role, { name: longName });
});

test.each(['/settings/workspaces/gone', '/settings/workspaces/gone/rotate'])('%s was removed', async (at) => {
  renderScreen(at, { 'rotation:get': null });
  await screen.findByText('This workspace doesn’t exist');
});
