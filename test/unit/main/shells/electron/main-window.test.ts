import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BrowserWindow, nativeTheme } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { createMainWindow } from '../../../../../src/main/shells/electron/main-window.ts';
import { readWindowState } from '../../../../../src/main/shells/electron/window-state.ts';
import { FakeSession } from '../../../../support/fake-electron/fake-session.ts';
import type { FakeBrowserWindow } from '../../../../support/fake-electron/fake-window.ts';
import { givenTempProfile } from '../../../../support/temp-profile.ts';

vi.mock('electron', () => import('../../../../support/fake-electron/electron-module.ts'));

const folder = givenTempProfile();
const windows = BrowserWindow as unknown as typeof FakeBrowserWindow;
const session = new FakeSession('test') as unknown as Electron.Session;

const make = (isReleased = true) =>
  createMainWindow({
    session,
    preloadFile: '/app/preload.cjs',
    stateFile: join(folder(), 'window.json'),
    isReleased,
  });
const made = (index: number): FakeBrowserWindow => {
  const window = windows.made.at(index);
  if (window === undefined) throw new Error('No such window.');
  return window;
};

beforeEach(() => {
  windows.made = [];
});

test('the page has no Node, its own world, a sandbox, and nothing that loosens the web’s rules', async () => {
  await make().show();
  expect(made(0).options).toMatchObject({ width: 1280, height: 800, show: false });
  expect(made(0).options.webPreferences).toEqual({
    session,
    preload: '/app/preload.cjs',
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: false,
  });
  expect(made(0).done).toEqual(['load app://claimdesk/', 'show']);
});

test('developer tools exist only before release; a dark desk is dark from the first frame', async () => {
  Object.assign(nativeTheme, { shouldUseDarkColors: true });
  await make(false).show();
  expect(made(0).options.webPreferences?.devTools).toBe(true);
  expect(made(0).options.backgroundColor).toBe('#16191d');
  Object.assign(nativeTheme, { shouldUseDarkColors: false });
});

test('its position is stored when it closes', async () => {
  const window = make();
  await window.show();
  made(0).bounds = { x: 30, y: 40, width: 1000, height: 700 };
  made(0).isBig = true;
  made(0).close();
  expect(window.current).toBeNull();
  await window.saveState();
  expect(readWindowState(join(folder(), 'window.json'))).toEqual({
    bounds: { x: 30, y: 40, width: 1000, height: 700 },
    isMaximized: true,
  });
  const next = make();
  await next.show();
  expect(made(1).options).toMatchObject({ x: 30, y: 40, width: 1000, height: 700 });
  expect(made(1).isBig).toBe(true);
  await next.saveState();
});

test('replacing it ends the process of the old page before the new one loads', async () => {
  const window = make();
  await window.replace();
  expect(windows.made).toEqual([]);
  await window.show();
  made(0).bounds = { x: 5, y: 6, width: 950, height: 650 };
  await window.replace();
  expect(made(0).webContents.hasCrashed).toBe(true);
  expect(made(0).done).toContain('destroy');
  expect(made(1).options).toMatchObject({ x: 5, y: 6, width: 950, height: 650 });
  expect(window.current).toBe(made(1));
});

test('a page whose process is known is killed, not crashed: the system may keep a dump of a crash', async () => {
  const renderer = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(renderer, 'spawn');
  const window = make();
  await window.show();
  made(0).webContents.pid = renderer.pid ?? 0;
  await window.replace();
  expect(await once(renderer, 'exit')).toEqual([null, 'SIGKILL']);
  expect(made(0).webContents.hasCrashed).toBe(false);
});

test('a page that closes while it loads is not a failure', async () => {
  const window = make();
  const shown = window.show();
  made(0).destroy();
  await shown;
  expect(window.current).toBeNull();
});

test('focus brings it to the front', async () => {
  const window = make();
  window.focus();
  await window.show();
  made(0).isSmall = true;
  window.focus();
  window.focus();
  expect(made(0).done.slice(2)).toEqual(['restore', 'focus', 'focus']);
});
