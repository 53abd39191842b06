import { EventEmitter } from 'node:events';
import { FakeApp, FakeClipboard, FakeDialog, FakePowerMonitor, FakeScreen, FakeShell } from './fake-app.ts';
import { FakeIpcMain, FakeMessageChannel, FakeUtilityProcesses } from './fake-processes.ts';
import { FakeProtocol, FakeSessions } from './fake-session.ts';
import { FakeBrowserWindow } from './fake-window.ts';

/*
 * Replaces the module `electron` in tests: vi.mock('electron', () => import('…/electron-module.ts')). Each fake
 * implements the part of Electron's own types that Claimdesk uses, so a call that Electron does not have does not
 * compile. One test file has one of these.
 */
export const app = new FakeApp();
/** Emits events only; electron-updater does the downloads. */
export const autoUpdater = new EventEmitter();
export const clipboard = new FakeClipboard();
export const dialog = new FakeDialog();
export const powerMonitor = new FakePowerMonitor();
export const screen = new FakeScreen();
export const shell = new FakeShell();
export const protocol = new FakeProtocol();
export const session = new FakeSessions();
export const utilityProcess = new FakeUtilityProcesses();
export const ipcMain = new FakeIpcMain();
export const nativeTheme = { shouldUseDarkColors: false };
export const Menu = {
  current: null as Electron.MenuItemConstructorOptions[] | null,
  buildFromTemplate: (template: Electron.MenuItemConstructorOptions[]) => template,
  setApplicationMenu(menu: Electron.MenuItemConstructorOptions[]): void {
    Menu.current = menu;
  },
};
export const net = {
  fetch: (_address: string, _init?: RequestInit): Promise<Response> =>
    Promise.reject(new Error('No test said what to answer.')),
};
export const ipcRenderer = {
  invoke: async (..._given: unknown[]): Promise<unknown> => null,
  send: (..._given: unknown[]): void => undefined,
  on: (..._given: unknown[]): unknown => ipcRenderer,
};
export const contextBridge = {
  exposed: new Map<string, unknown>(),
  exposeInMainWorld(name: string, api: unknown): void {
    contextBridge.exposed.set(name, api);
  },
};
export { FakeBrowserWindow as BrowserWindow, FakeMessageChannel as MessageChannelMain };
