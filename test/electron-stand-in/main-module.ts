import { EventEmitter } from 'node:events';
import type {
  Clipboard,
  CustomScheme,
  Dialog,
  ForkOptions,
  IpcMain,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  PowerMonitor,
  Screen,
  Shell,
} from 'electron';
import { StandInApp } from './app.ts';
import type { Command, Told } from './control.ts';
import { type DevTools, startChromium } from './devtools.ts';
import { StandInMessageChannel } from './ports.ts';
import { createSessions } from './session.ts';
import { StandInUtilityProcess } from './utility-process.ts';
import { createWindowClass, type WindowHost } from './window.ts';

/*
 * What main may import of `electron`, as far as Claimdesk does. The test that started this process plays the person
 * over its channel: it is told what is shown, and says what is pressed.
 */
const tell = (told: Told): void => void process.send?.(told);

let chromium: Promise<DevTools> | null = null;
let running: DevTools | null = null;
const startOnce = (): Promise<DevTools> => {
  chromium ??= startChromium().then((started) => {
    running = started;
    tell({ kind: 'chromium', endpoint: started.endpoint });
    return started;
  });
  return chromium;
};

export const app = new StandInApp(() => running?.close());
export const session = createSessions(() => app.isReadyNow);
export const protocol = {
  registerSchemesAsPrivileged: (_schemes: CustomScheme[]): void =>
    app.beforeReady('registerSchemesAsPrivileged'),
};

type Invoked = (event: unknown, ...given: unknown[]) => unknown;
class StandInIpcMain extends EventEmitter implements Pick<IpcMain, 'handle'> {
  readonly handlers = new Map<string, Invoked>();
  handle(
    channel: string,
    listener: (event: Electron.IpcMainInvokeEvent, ...given: never[]) => unknown,
  ): void {
    this.handlers.set(channel, listener as Invoked);
  }
}
export const ipcMain = new StandInIpcMain();

const host: WindowHost = {
  devTools: startOnce,
  windows: new Set(),
  created: (contents) => void app.emit('web-contents-created', {}, contents),
  allClosed: () => void app.emit('window-all-closed'),
  async invoke(channel, event, given) {
    const handler = ipcMain.handlers.get(channel);
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    return handler(event, ...given);
  },
  send: (channel, event, given) => void ipcMain.emit(channel, event, ...given),
};
export const MessageChannelMain = StandInMessageChannel;
export const utilityProcess = {
  fork: (modulePath: string, args: string[] = [], options: ForkOptions = {}) =>
    new StandInUtilityProcess(modulePath, args, options),
};
export const BrowserWindow = createWindowClass(host);

let savePath = '';
let isAnswerYes = false;
export const dialog: Pick<Dialog, 'showErrorBox'> & Record<string, unknown> = {
  showErrorBox: (title, content) => tell({ kind: 'errorBox', text: `${title} ${content}` }),
  showSaveDialog: async () => ({ canceled: savePath === '', filePath: savePath }),
  showOpenDialog: async () => ({ canceled: true, filePaths: [] }),
  showMessageBox: async (...given: unknown[]) => {
    const { cancelId = 0, message } = given.at(-1) as MessageBoxOptions;
    tell({ kind: 'asked', message });
    return { response: isAnswerYes ? 1 : cancelId, checkboxChecked: false };
  },
};

let copied = '';
export const clipboard: Pick<Clipboard, 'readText' | 'writeText' | 'clear'> = {
  readText: async () => copied,
  async writeText(text) {
    copied = text;
  },
  clear() {
    copied = '';
  },
};

class StandInPower extends EventEmitter implements Pick<PowerMonitor, 'getSystemIdleState'> {
  getSystemIdleState(): ReturnType<PowerMonitor['getSystemIdleState']> {
    return 'active';
  }
}
export const powerMonitor = new StandInPower();
/** Nothing is packaged here, so nothing updates itself. */
export const autoUpdater = new EventEmitter();
export const nativeTheme = { shouldUseDarkColors: false };
export const screen: Pick<Screen, 'getAllDisplays'> = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } } as Electron.Display],
};
export const shell: Pick<Shell, 'openExternal'> = {
  openExternal: async (url) => tell({ kind: 'opened', url }),
};

let menu: MenuItemConstructorOptions[] = [];
export const Menu = {
  buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
  setApplicationMenu(template: MenuItemConstructorOptions[]): void {
    menu = template;
  },
};

function clickMenu(label: string, items: readonly MenuItemConstructorOptions[] = menu): void {
  for (const item of items) {
    if (item.label === label) item.click?.(item as never, undefined, {} as never);
    else if (Array.isArray(item.submenu)) clickMenu(label, item.submenu);
  }
}

process.on('message', (given) => {
  const command = given as Command;
  if (command.kind === 'saveTo') savePath = command.path;
  else if (command.kind === 'answer') isAnswerYes = command.isYes;
  else if (command.kind === 'menu') clickMenu(command.label);
  else if (command.kind === 'suspend') powerMonitor.emit('suspend');
  else app.quit();
});
// The app ends with the test that drove it.
process.on('disconnect', () => app.exit(1));
