import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  powerMonitor,
  session,
  shell,
  utilityProcess,
} from 'electron';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { channels } from '../../../../../src/contract/channels.ts';
import type { ChannelMessage } from '../../../../../src/main/lib/channel.ts';
import { acquireWriteLock } from '../../../../../src/main/lib/write-lock.ts';
import type * as appPaths from '../../../../../src/main/shells/app-paths.ts';
import { startElectronShell } from '../../../../../src/main/shells/electron/start-electron-shell.ts';
import type {
  FakeApp,
  FakeClipboard,
  FakeDialog,
  FakePowerMonitor,
  FakeShell,
} from '../../../../support/fake-electron/fake-app.ts';
import type { FakeIpcMain, FakeUtilityProcesses } from '../../../../support/fake-electron/fake-processes.ts';
import type { FakeSessions } from '../../../../support/fake-electron/fake-session.ts';
import type { FakeBrowserWindow } from '../../../../support/fake-electron/fake-window.ts';
import { givenTempProfile } from '../../../../support/temp-profile.ts';

vi.mock('electron', () => import('../../../../support/fake-electron/electron-module.ts'));
const updater = vi.hoisted(() => ({ checkForUpdates: vi.fn(), once: vi.fn(), quitAndInstall: vi.fn() }));
vi.mock('electron-updater', () => ({ default: { autoUpdater: updater } }));
// The window need not be built to test its shell.
vi.mock('../../../../../src/main/shells/app-paths.ts', async (load) => ({
  ...(await load<typeof appPaths>()),
  findAppPaths: () => ({ rendererDir: rendererDir(), preloadFile: '/app/preload.cjs', packageFile: '' }),
}));

const electron = app as unknown as FakeApp;
const board = clipboard as unknown as FakeClipboard;
const dialogs = dialog as unknown as FakeDialog;
const ipc = ipcMain as unknown as FakeIpcMain;
const power = powerMonitor as unknown as FakePowerMonitor;
const sessions = session as unknown as FakeSessions;
const opener = shell as unknown as FakeShell;
const processes = utilityProcess as unknown as FakeUtilityProcesses;
const windows = BrowserWindow as unknown as typeof FakeBrowserWindow;

const folder = givenTempProfile();
const rendererDir = (): string => join(folder(), 'renderer');
const profileDir = (): string => join(folder(), 'profile');

const window = (): FakeBrowserWindow => {
  const made = windows.made.at(-1);
  if (made === undefined) throw new Error('There is no window.');
  return made;
};
const page = () => ({ sender: window().webContents, senderFrame: window().webContents.mainFrame });
const ask = (procedure: string, input: unknown) => ipc.invoke(channels.call, page(), procedure, input);
/** Adds a workspace of a new service, which the user confirms in a dialog of the system. */
async function addWorkspace(baseUrl: string): Promise<unknown> {
  const { press } = dialogs;
  dialogs.press = () => 1;
  const added = await ask('workspaces:add', { baseUrl, email: 'a@b.example' });
  dialogs.press = press;
  expect(dialogs.questions.pop()).toMatchObject({ buttons: ['Cancel', 'Connect'] });
  return added;
}
const exited = (): Promise<void> =>
  new Promise((resolve) => void electron.once('test-exit', () => resolve()));

/** Plays an engine that is ready at once and closes when asked. */
const initialised: ChannelMessage[] = [];
function playEngines(): void {
  processes.onMade = (made) => {
    made.onPosted = ({ message }) => {
      const told = message as ChannelMessage | null;
      if (told?.kind !== 'call') return;
      if (told.name === 'init') initialised.push(told);
      queueMicrotask(() => made.emit('message', { kind: 'reply', id: told.id, ok: true, value: null }));
    };
  };
}

beforeEach(async () => {
  await mkdir(rendererDir(), { recursive: true });
  await writeFile(join(rendererDir(), 'index.html'), '__CLAIMDESK_THEME__');
  for (const emitter of [electron, ipc, power, sessions.defaultSession]) emitter.removeAllListeners();
  Object.assign(electron, { done: [], exitCode: undefined, isFirstInstance: true });
  Object.assign(processes, { made: [] });
  Object.assign(sessions, { made: [] });
  windows.made = [];
  initialised.length = 0;
  playEngines();
  vi.stubEnv('CLAIMDESK_VAULT_PASSPHRASE', 'correct horse battery');
  return async () => {
    vi.unstubAllEnvs();
    if (windows.made.length === 0 || electron.exitCode !== undefined) return;
    const ended = exited();
    electron.quit();
    await ended;
  };
});

const start = (...more: string[]) =>
  startElectronShell(['electron', '.', '--profile', profileDir(), ...more]);

describe('starting', () => {
  test('a second instance passes over to the first and ends', async () => {
    electron.isFirstInstance = false;
    await start();
    expect(electron.exitCode).toBe(0);
    expect(windows.made).toEqual([]);
  });

  test.each([
    'remote-debugging-port',
    'remote-debugging-pipe',
    'ignore-certificate-errors',
    'no-sandbox',
    'disable-web-security',
    'host-rules',
    'host-resolver-rules',
    'remote-debugging-address',
    'ignore-certificate-errors-spki-list',
    'disable-seccomp-filter-sandbox',
    'disable-site-isolation-trials',
    'single-process',
    'renderer-cmd-prefix',
    'load-extension',
    'js-flags',
    'log-net-log',
    'ssl-key-log-file',
    'enable-crash-reporter',
  ])('a released build ends if it is started with --%s', async (name) => {
    electron.switches.add(name);
    onTestFinished(() => electron.switches.clear());
    await start();
    expect(electron.exitCode).toBe(1);
    expect(electron.done).not.toContain('whenReady');
    expect(windows.made).toEqual([]);
  });

  test('a build from source accepts such a switch: as root, Linux needs one', async () => {
    electron.switches.add('no-sandbox');
    electron.isPackaged = false;
    onTestFinished(() => {
      electron.switches.clear();
      electron.isPackaged = true;
    });
    await start();
    expect(windows.made).toHaveLength(1);
  });

  test('a busy profile is reported, and the app ends', async () => {
    const writeLock = await acquireWriteLock(profileDir());
    await start();
    expect(dialogs.errors.at(-1)).toContain('Claimdesk is already open in another window.');
    expect(electron.exitCode).toBe(1);
    expect(windows.made).toEqual([]);
    await writeLock.release();
  });

  test('a damaged policy of the organization is reported, and the app ends without the profile', async () => {
    const policyFile = join(folder(), 'policy.json');
    await writeFile(policyFile, '{"maxLockMinute": 5}');
    await startElectronShell(['electron', '.', '--profile', profileDir()], policyFile);
    expect(dialogs.errors.at(-1)).toContain('Claimdesk doesn’t open');
    expect(dialogs.errors.at(-1)).toContain(`${policyFile}\nThere is no rule named “maxLockMinute”.\n`);
    expect(electron.exitCode).toBe(1);
    expect(windows.made).toEqual([]);
    await (await acquireWriteLock(profileDir())).release();
  });

  test.each([
    ['quits', 0],
    ['takes it over', 1],
  ])(
    'a profile that another computer left open is asked about, and who presses %s is obeyed',
    async (_what, button) => {
      const entry = {
        pid: 1,
        startMark: null,
        isReleased: false,
        host: { id: 'another', name: 'front-desk' },
      };
      await mkdir(join(profileDir(), 'lease'), { recursive: true });
      await writeFile(join(profileDir(), 'lease', '1'), JSON.stringify(entry));
      dialogs.press = () => button;
      onTestFinished(() => void Object.assign(dialogs, { questions: [], press: () => 0 }));
      await start();
      expect(dialogs.questions.at(-1)).toMatchObject({
        message: 'Another computer has this profile open.',
        detail: expect.stringContaining('front-desk'),
        buttons: ['Quit', 'Take over'],
        defaultId: 0,
        cancelId: 0,
      });
      expect(windows.made).toHaveLength(button);
      expect(electron.exitCode).toBe(button === 0 ? 1 : undefined);
    },
  );

  test('sandbox and profile are first; then one guarded window on a session in memory', async () => {
    await start();
    expect(electron.done.indexOf('enableSandbox')).toBeLessThan(electron.done.indexOf('whenReady'));
    expect(electron.getPath('userData')).toBe(profileDir());
    expect(sessions.made.map(({ partition, options }) => [partition, options])).toEqual([
      ['claimdesk-window', { cache: false }],
      ['claimdesk-engine', { cache: false }],
    ]);
    for (const one of [...sessions.made, sessions.defaultSession]) {
      expect(one.checkHandler).not.toBeNull();
      expect(one.isSpellChecked).toBe(false);
    }
    // The engine's own session asks the service; every other one may send no request.
    expect([...sessions.made, sessions.defaultSession].map((one) => one.beforeRequest !== null)).toEqual([
      true,
      false,
      true,
    ]);
    const ready = electron.done.indexOf('whenReady');
    for (const name of ['dns-prefetch-disable', 'disable-background-networking', 'no-pings'])
      expect(electron.done.slice(0, ready)).toContain(`appendSwitch ${name}`);
    expect(windows.made).toHaveLength(1);
    expect(window().options.webPreferences?.session).toBe(sessions.made[0]);
    expect((Menu as unknown as { current: unknown }).current).not.toBeNull();
    const served = await sessions.made[0]?.protocol.ask('app://claimdesk/');
    expect(await served?.text()).toBe('system');
  });

  test('with sample data it says so if the sample can’t start, and shows its window', async () => {
    processes.onMade = (made) => queueMicrotask(() => made.emit('exit', 1));
    await start('--sample');
    expect(processes.made[0]?.modulePath).toContain('sandbox');
    expect(windows.made).toHaveLength(1);
    playEngines();
  });
});

describe('running', () => {
  test('the page is answered by the desk', async () => {
    await start();
    expect(await ask('app:getInfo', {})).toMatchObject({
      ok: true,
      value: { shell: 'electron', version: '9.9.9', isLocked: false },
    });
  });

  test('events of the desk reach the page', async () => {
    await start();
    await ask('settings:set', { theme: 'dark' });
    expect(window().webContents.sent).toContainEqual({
      channel: channels.event,
      value: { name: 'settings:changed', payload: {} },
    });
  });

  test('the engine runs on its own session, gets no origin, and reaches the page over a port', async () => {
    await start();
    ipc.emit(channels.wantEngine, page());
    await vi.waitFor(() => expect(window().webContents.mainFrame.posted).toHaveLength(1));
    expect(processes.made).toHaveLength(1);
    expect(processes.made[0]?.options).toMatchObject({ session: sessions.made[1] });
    expect(initialised).toMatchObject([{ input: { profileDir: profileDir(), windowOrigin: null } }]);
    expect(processes.made[0]?.posted.at(-1)?.ports).toHaveLength(1);
  });

  test('a public key is copied, and removed again at the lock', async () => {
    await start();
    const made = (await ask('keys:generate', { type: 'ed25519' })) as { value: { id: string } };
    expect(await ask('keys:copyPublic', { keyId: made.value.id })).toMatchObject({
      value: { isCopied: true },
    });
    expect(board.text).toMatch(/^ssh-ed25519 /);
    await ask('lock:lock', {});
    expect(board.text).toBe('');
  });

  test.each([
    ['https://service.example', true],
    ['http://127.0.0.1:81', true],
    ['https://unopenable.example', false],
  ])('the key page of %s opens in the system’s browser: %s', async (baseUrl, isOpened) => {
    await start();
    const added = await addWorkspace(baseUrl);
    const { value } = added as { value: { id: string } };
    const url = `${baseUrl}/settings/ssh`;
    expect(await ask('keys:openRegistration', { workspaceId: value.id })).toEqual({
      ok: true,
      value: { url, isOpened },
    });
    expect(opener.opened.includes(url)).toBe(isOpened);
  });

  test('the key page of an address without encryption, left by a file, is not opened', async () => {
    await start();
    const added = await addWorkspace('https://example.com');
    const { value } = added as { value: { id: string } };
    const book = join(profileDir(), 'workspaces.json');
    await writeFile(
      book,
      (await readFile(book, 'utf8')).replace('https://example.com', 'http://example.com'),
    );
    opener.opened.length = 0;
    expect(await ask('keys:openRegistration', { workspaceId: value.id })).toMatchObject({
      value: { url: 'http://example.com/settings/ssh', isOpened: false },
    });
    expect(opener.opened).toEqual([]);
  });

  test.each([
    ['http://example.com', []],
    ['file:///etc/passwd', []],
    ['https://example.com/', ['https://example.com/']],
  ])('of what the engine asks to open, %s opens %j', async (url, opened) => {
    await start();
    ipc.emit(channels.wantEngine, page());
    await vi.waitFor(() => expect(window().webContents.mainFrame.posted).toHaveLength(1));
    opener.opened.length = 0;
    processes.made[0]?.emit('message', { kind: 'call', id: 1, name: 'openUrl', input: url });
    await vi.waitFor(() =>
      expect(processes.made[0]?.posted.map(({ message }) => message)).toContainEqual(
        expect.objectContaining({ kind: 'reply', id: 1 }),
      ),
    );
    expect(opener.opened).toEqual(opened);
  });

  test('a file to save to is asked for', async () => {
    await start();
    dialogs.answer = { canceled: false, filePath: '/home/a/claims.csv' };
    expect(
      await ask('files:chooseSaveTarget', { purpose: 'records', suggestedName: 'claims.csv' }),
    ).toMatchObject({
      value: { displayPath: '/home/a/claims.csv' },
    });
  });

  test('a key file is asked for, and a key is read off the clipboard', async () => {
    await start();
    expect(await ask('keys:import', { source: { kind: 'file' } })).toEqual({ ok: true, value: null });
    expect(dialogs.askedToOpen[0]?.properties).toContain('showHiddenFiles');
    const path = join(folder(), 'id_ed25519.pub');
    await writeFile(path, 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 ada\n');
    dialogs.openAnswer = { canceled: false, filePaths: [path] };
    expect(await ask('keys:import', { source: { kind: 'file' } })).toMatchObject({
      error: { code: 'key.publicGiven' },
    });
    board.text = ' ';
    expect(await ask('keys:import', { source: { kind: 'clipboard' } })).toMatchObject({
      error: { code: 'key.clipboardEmpty' },
    });
    board.text = 'no key';
    expect(await ask('keys:import', { source: { kind: 'clipboard' } })).toMatchObject({
      error: { code: 'key.notAKey' },
    });
  });

  test('a folder for backups is asked for', async () => {
    await start();
    dialogs.openAnswer = { canceled: false, filePaths: ['/media/stick'] };
    expect(await ask('files:chooseFolder', {})).toEqual({ ok: true, value: { path: '/media/stick' } });
    expect(dialogs.askedToOpen.at(-1)?.properties).toContain('openDirectory');
  });

  test('a key gets another service only by a dialog of the system, one at a time', async () => {
    await start();
    const add = async (baseUrl: string): Promise<string> => {
      const added = await addWorkspace(baseUrl);
      return (added as { value: { id: string } }).value.id;
    };
    const first = await add('https://claims.example.com');
    const made = await ask('keys:generate', { type: 'ed25519', workspaceId: first });
    const keyId = (made as { value: { id: string } }).value.id;
    const workspaceId = await add('https://elsewhere.example');
    const use = () => ask('keys:use', { workspaceId, keyId });
    const pressed = Promise.withResolvers<number>();
    dialogs.press = () => pressed.promise;
    const answers = [use(), use()];
    await vi.waitFor(() => expect(dialogs.questions).toHaveLength(1));
    expect(dialogs.questions[0]).toMatchObject({ defaultId: 0, cancelId: 0, buttons: ['Cancel', 'Use key'] });
    // Either may be the one that asks; the other is told no at once.
    expect(await Promise.race(answers)).toMatchObject({ error: { code: 'app.notConfirmed' } });
    pressed.resolve(0);
    for (const answer of await Promise.all(answers))
      expect(answer).toMatchObject({ error: { code: 'app.notConfirmed' } });
    dialogs.press = () => 1;
    expect(await use()).toMatchObject({ value: { keyId } });
  });

  test('a second start shows the window of the first', async () => {
    await start();
    electron.emit('second-instance');
    expect(window().done).toContain('focus');
  });
});

describe('updating', () => {
  /** Starts a macOS package whose distributor named a place for updates; its first look is after a minute. */
  async function givenUpdatingBuild(policy: object): Promise<void> {
    await writeFile(join(folder(), 'app-update.yml'), 'provider: generic\nurl: https://updates.example\n');
    const policyFile = join(folder(), 'policy.json');
    await writeFile(policyFile, JSON.stringify(policy));
    const { platform } = process;
    Object.assign(process, { resourcesPath: folder() });
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
      Object.defineProperty(process, 'platform', { value: platform });
      Reflect.deleteProperty(process, 'resourcesPath');
      updater.checkForUpdates.mockReset();
    });
    await startElectronShell(['electron', '.', '--profile', profileDir()], policyFile);
    vi.advanceTimersByTime(60_000);
  }
  const logged = (): Promise<string> => readFile(join(profileDir(), 'logs', 'claimdesk.log'), 'utf8');
  const looked = () => vi.waitFor(() => expect(updater.checkForUpdates).toHaveBeenCalled());

  test('a copy that can’t update itself says so', async () => {
    await start();
    expect(await ask('app:getInfo', {})).toMatchObject({ value: { canUpdate: false } });
  });

  test('a failed download is in the log by its code, and nothing else happens', async () => {
    const downloadPromise = Promise.reject(new Error('sha512 checksum mismatch of /Users/a'));
    downloadPromise.catch(() => undefined);
    updater.checkForUpdates.mockResolvedValue({ downloadPromise, cancellationToken: { cancelled: false } });
    dialogs.errors.length = 0;
    await givenUpdatingBuild({});
    expect(await ask('app:getInfo', {})).toMatchObject({ value: { canUpdate: true } });
    await looked();
    vi.useRealTimers();
    await vi.waitFor(async () => expect(await logged()).toContain('internal.fault'));
    expect(await logged()).not.toContain('checksum');
    expect(dialogs.errors).toEqual([]);
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
  });

  test.each([
    ['allows', true],
    ['forbids', false],
  ])('an organization that %s updates is obeyed: %s', async (_what, allowUpdates) => {
    updater.checkForUpdates.mockResolvedValue(null);
    await givenUpdatingBuild({ allowUpdates });
    if (allowUpdates) await looked();
    // Work that began before these calls is done after them.
    await ask('settings:get', {});
    await vi.dynamicImportSettled();
    expect(updater.checkForUpdates).toHaveBeenCalledTimes(allowUpdates ? 1 : 0);
  });
});

describe('locking', () => {
  test.each(['suspend', 'lock-screen'])(
    'on %s the engine ends and the page’s process with it',
    async (signal) => {
      await start();
      const added = await addWorkspace('http://127.0.0.1:81');
      expect(added).toMatchObject({ ok: true });
      ipc.emit(channels.wantEngine, page());
      await vi.waitFor(() => expect(processes.made).toHaveLength(1));
      await vi.waitFor(() => expect(window().webContents.mainFrame.posted).toHaveLength(1));
      const old = window();
      power.emit(signal);
      await vi.waitFor(() => expect(processes.made[0]?.isKilled).toBe(true));
      expect(old.webContents.hasCrashed).toBe(true);
      expect(old.webContents.isClosed).toBe(true);
      expect(windows.made).toHaveLength(2);
      expect(window().done).toContain('load app://claimdesk/');
      expect(await ask('lock:getState', {})).toMatchObject({ value: { isLocked: true } });
      expect(await ask('workspaces:list', {})).toMatchObject({ error: { code: 'app.locked' } });
    },
  );

  test('a child looks for rows that the page copied, and knows only their digest', async () => {
    await start();
    ipc.emit(channels.wantEngine, page());
    await vi.waitFor(() => expect(window().webContents.mainFrame.posted).toHaveLength(1));
    processes.made[0]?.emit('message', {
      kind: 'call',
      id: 1,
      name: 'keepCopied',
      input: { digest: 'of the rows' },
    });
    const program = join(folder(), 'program');
    await writeFile(program, '#!/bin/sh\ncat > "$(dirname "$0")/seen"\n', { mode: 0o755 });
    const { execPath } = process;
    process.execPath = program;
    await ask('lock:lock', {}).finally(() => {
      process.execPath = execPath;
    });
    expect(await readFile(join(folder(), 'seen'), 'utf8')).toBe('of the rows');
  });

  test('the menu locks as well', async () => {
    await start();
    const menu = (Menu as unknown as { current: Electron.MenuItemConstructorOptions[] }).current;
    const [first] = menu as { submenu: { click: () => void }[] }[];
    first?.submenu[0]?.click();
    await vi.waitFor(() => expect(windows.made).toHaveLength(2));
  });
});

describe('ending', () => {
  test('with the last window: desk and write lock are released before the app exits', async () => {
    await start();
    ipc.emit(channels.wantEngine, page());
    await vi.waitFor(() => expect(window().webContents.mainFrame.posted).toHaveLength(1));
    const ended = exited();
    window().close();
    electron.emit('window-all-closed');
    electron.quit();
    await ended;
    expect(electron.exitCode).toBe(0);
    expect(electron.done.filter((what) => what === 'held')).toHaveLength(2);
    expect(processes.made[0]?.isKilled).toBe(true);
    const writeLock = await acquireWriteLock(profileDir());
    await writeLock.release();
  });
});
