import { Menu } from 'electron';
import { expect, test, vi } from 'vitest';
import { planMenu, setAppMenu } from '../../../../../src/main/shells/electron/app-menu.ts';

vi.mock('electron', () => import('../../../../support/fake-electron/electron-module.ts'));

type Item = Electron.MenuItemConstructorOptions;
const allItems = (items: Item[]): Item[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? allItems(item.submenu) : [])]);
const rolesOf = (platform: NodeJS.Platform, isReleased: boolean): unknown[] =>
  allItems(planMenu({ platform, isReleased, lockNow: () => undefined })).map(({ role }) => role);

const platforms = ['linux', 'win32', 'darwin'] as const;

test.each(platforms)(
  'a released menu on %s keeps zoom and has neither developer tools nor reloading',
  (platform) => {
    const roles = rolesOf(platform, true);
    expect(roles).toEqual(
      expect.arrayContaining(['zoomIn', 'zoomOut', 'resetZoom', 'copy', 'paste', 'quit']),
    );
    for (const role of ['reload', 'forceReload', 'toggleDevTools', 'recentDocuments'])
      expect(roles).not.toContain(role);
  },
);

test('before release they are there', () => {
  expect(rolesOf('linux', false)).toEqual(expect.arrayContaining(['reload', 'toggleDevTools']));
});

test.each(platforms)('locking is in the menu on %s; its shortcut is left to the window', (platform) => {
  const lockNow = vi.fn();
  const lock = allItems(planMenu({ platform, isReleased: true, lockNow })).find(
    ({ label }) => label === 'Lock Now',
  );
  expect(lock).toMatchObject({ accelerator: 'CmdOrCtrl+Shift+L', registerAccelerator: false });
  (lock as { click: () => void }).click();
  expect(lockNow).toHaveBeenCalledOnce();
});

test('it becomes the menu of the app', () => {
  const options = { platform: 'linux', isReleased: true, lockNow: () => undefined } as const;
  setAppMenu(options);
  expect(JSON.stringify((Menu as unknown as { current: Item[] }).current)).toBe(
    JSON.stringify(planMenu(options)),
  );
});
