import { ipcMain } from 'electron';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { channels } from '../../../../../src/contract/channels.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import { answerWindows } from '../../../../../src/main/shells/electron/answer-windows.ts';
import type { FakeIpcMain } from '../../../../support/fake-electron/fake-processes.ts';
import { FakeFrame, FakeWebContents } from '../../../../support/fake-electron/fake-window.ts';

vi.mock('electron', () => import('../../../../support/fake-electron/electron-module.ts'));

const ipc = ipcMain as unknown as FakeIpcMain;
const call = vi.fn(async (_name: string, _input: unknown) => ({ ok: true as const, value: 'answered' }));
const getEngine = vi.fn();
const handWindow = vi.fn();
let contents: FakeWebContents;
let sender: { sender: FakeWebContents; senderFrame: FakeFrame | null };

beforeEach(() => {
  ipc.removeAllListeners();
  vi.clearAllMocks();
  getEngine.mockResolvedValue({});
  contents = new FakeWebContents();
  sender = { sender: contents, senderFrame: contents.mainFrame };
  answerWindows({
    desk: { call, getEngine },
    window: { current: { webContents: contents } as unknown as Electron.BrowserWindow },
    engineProcess: () => ({ handWindow }) as never,
  });
});

const strangers: readonly [string, () => { sender: FakeWebContents; senderFrame: FakeFrame | null }][] = [
  ['a frame that has gone', () => ({ sender: contents, senderFrame: null })],
  [
    'a frame within the page',
    () => {
      const frame = new FakeFrame();
      frame.parent = {} as Electron.WebFrameMain;
      return { sender: contents, senderFrame: frame };
    },
  ],
  [
    'another address',
    () => {
      const frame = new FakeFrame();
      frame.url = 'https://example.com/';
      return { sender: contents, senderFrame: frame };
    },
  ],
  [
    'another page of our scheme',
    () => {
      const frame = new FakeFrame();
      frame.url = 'app://claimdesk/assets/x.html';
      return { sender: contents, senderFrame: frame };
    },
  ],
  [
    'another window',
    () => {
      const other = new FakeWebContents();
      return { sender: other, senderFrame: other.mainFrame };
    },
  ],
];

describe('a procedure', () => {
  test('of our page is passed to the desk', async () => {
    expect(await ipc.invoke(channels.call, sender, 'settings:get', {})).toEqual({
      ok: true,
      value: 'answered',
    });
    expect(call).toHaveBeenCalledExactlyOnceWith('settings:get', {});
  });

  test.each(strangers)('of %s is forbidden', async (_name, stranger) => {
    expect(await ipc.invoke(channels.call, stranger(), 'settings:get', {})).toMatchObject({
      ok: false,
      error: { code: 'app.forbidden' },
    });
    expect(call).not.toHaveBeenCalled();
  });

  test('without a name is forbidden', async () => {
    expect(await ipc.invoke(channels.call, sender, { toString: () => 'settings:get' })).toMatchObject({
      error: { code: 'app.forbidden' },
    });
  });

  test('there is no other channel', () => {
    expect([...ipc.handlers.keys(), ...ipc.eventNames()]).toEqual([channels.call, channels.wantEngine]);
  });
});

describe('a line to the engine', () => {
  test('has its ends given to the engine and to the page, and main keeps none', async () => {
    ipc.emit(channels.wantEngine, sender);
    await vi.waitFor(() => expect(contents.mainFrame.posted).toHaveLength(1));
    const [posted] = contents.mainFrame.posted;
    expect(posted).toMatchObject({ channel: channels.engine, message: null });
    expect(posted?.ports).toHaveLength(1);
    expect(handWindow).toHaveBeenCalledOnce();
    expect(handWindow.mock.calls[0]?.[0]).not.toBe(posted?.ports[0]);
  });

  test.each(strangers)('is not given to %s', async (_name, stranger) => {
    const asking = stranger();
    ipc.emit(channels.wantEngine, asking);
    await Promise.resolve();
    expect(getEngine).not.toHaveBeenCalled();
    expect(asking.senderFrame?.posted ?? []).toEqual([]);
  });

  test('is not given to a page that has navigated in the meantime', async () => {
    getEngine.mockImplementation(async () => {
      contents.mainFrame.url = 'https://example.com/';
    });
    ipc.emit(channels.wantEngine, sender);
    await new Promise((resolve) => setImmediate(resolve));
    expect(handWindow).not.toHaveBeenCalled();
  });

  test('is not given to a page that was closed in the meantime, failing or not', async () => {
    contents.isClosed = true;
    ipc.emit(channels.wantEngine, sender);
    getEngine.mockRejectedValue(new DeskError('app.locked'));
    ipc.emit(channels.wantEngine, sender);
    await new Promise((resolve) => setImmediate(resolve));
    expect(handWindow).not.toHaveBeenCalled();
    expect(contents.mainFrame.posted).toEqual([]);
  });

  test('that is not available is reported, with the reason', async () => {
    getEngine.mockRejectedValue(new DeskError('app.locked'));
    ipc.emit(channels.wantEngine, sender);
    await vi.waitFor(() => expect(contents.mainFrame.posted).toHaveLength(1));
    expect(contents.mainFrame.posted[0]).toMatchObject({
      channel: channels.engine,
      message: { code: 'app.locked' },
      ports: [],
    });
  });
});
