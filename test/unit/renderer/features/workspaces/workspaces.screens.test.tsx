import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { failed, renderScreen, workspace } from '../../../../support/render-screen.tsx';
import { longName } from '../../../../support/screen-states.tsx';

const named = { 'workspaces:list': { workspaces: [{ ...workspace, name: longName }], activeId: 'w' } };

const sections = [
  ['/settings/workspaces', 'the workspaces'],
  ['/settings/workspaces/w', 'the workspace'],
  ['/settings/workspaces/w/rotate', 'the rotation'],
  ['/settings/data', 'the workspaces'],
  ['/settings/reviews', 'the workspaces'],
  ['/settings/sync', 'the workspaces'],
] as const;
test.each(sections)(
  '%s says why the workspaces could not be read, not that there are none',
  async (at, what) => {
    renderScreen(at, { 'workspaces:list': failed('disk.fault'), 'rotation:get': null });
    await screen.findByText(`Couldn’t load ${what}`);
    expect(screen.queryByText(/No workspaces yet|doesn’t exist/)).toBeNull();
  },
);

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
