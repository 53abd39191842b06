import { EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { linkForkParent, linkUtilityParent } from '../../../../src/main/engine/parent-link.ts';
import { runEngine } from '../../../../src/main/engine/run-engine.ts';
import type { ChannelMessage } from '../../../../src/main/lib/channel.ts';
import type { EngineInit } from '../../../../src/main/lib/engine-protocol.ts';
import { DeskError, toWireError } from '../../../../src/main/lib/errors.ts';
import { profilePaths } from '../../../../src/main/lib/paths.ts';
import { FakeMessagePort } from '../../../support/fake-electron/fake-processes.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const folder = givenTempProfile();

/** Main's side of a line to an engine that runs in this process, with Electron's or Node's way of messages. */
function createParent() {
  const emitter = new EventEmitter();
  const heard: ChannelMessage[] = [];
  return {
    heard,
    connected: true,
    on: (name: string, listener: (...given: never[]) => void) => emitter.on(name, listener as () => void),
    postMessage: (message: ChannelMessage) => void heard.push(message),
    send: (message: ChannelMessage) => heard.push(message) > 0,
    emit: (name: string, ...given: unknown[]) => emitter.emit(name, ...given),
  };
}

let parent: ReturnType<typeof createParent>;
const exit = vi.fn();
let crash: (thrown: unknown) => Promise<void>;
const runtime = {
  openTransport: async () => async () => Promise.reject(new Error('no network')),
  preferredPort: 0,
  exit,
  onUncaught: (listener: typeof crash) => {
    crash = listener;
  },
};
const readLog = () => readFile(join(profilePaths(folder()).logsDir, 'engine.log'), 'utf8');
const initOf = (change: Partial<EngineInit>): EngineInit => ({
  profileDir: folder(),
  anchorsBeginInKeychain: false,
  isReadOnly: false,
  policy: {},
  windowOrigin: null,
  opensFirst: null,
  ...change,
});
const init = (change: Partial<EngineInit> = {}): ChannelMessage => ({
  ...{ kind: 'call', id: 0, name: 'init', input: initOf(change) },
});
const ready: ChannelMessage = { kind: 'reply', id: 0, ok: true, value: null };
const tell = (data: unknown, ports: FakeMessagePort[] = []) => parent.emit('message', { data, ports });
const heardOf = async (kind: ChannelMessage['kind']): Promise<ChannelMessage> =>
  vi.waitFor(() => {
    const found = parent.heard.find((message) => message.kind === kind);
    if (found === undefined) throw new Error(`Nothing of ${kind} yet.`);
    return found;
  });
const runInUtilityProcess = () => runEngine(linkUtilityParent(parent as never), runtime);

beforeEach(() => {
  parent = createParent();
  exit.mockReset();
});

describe('in a utility process', () => {
  test('it is ready after its first message, has no port of its own, and on request closes and ends by itself', async () => {
    runInUtilityProcess();
    tell({ kind: 'windows', tokens: [] });
    tell(init());
    expect(await heardOf('reply')).toEqual(ready);
    parent.heard.length = 0;
    tell({ kind: 'call', id: 7, name: 'setWindows', input: ['x'] });
    expect(await heardOf('reply')).toMatchObject({ id: 7, ok: true });
    parent.heard.length = 0;
    tell({ kind: 'call', id: 8, name: 'close', input: null });
    expect(await heardOf('reply')).toMatchObject({ id: 8, ok: true });
    await vi.waitFor(() => expect(exit).toHaveBeenCalledExactlyOnceWith(0));
    expect(await readFile(join(profilePaths(folder()).logsDir, 'engine.log'), 'utf8')).toContain(
      'engine.started',
    );
  });

  test('a window that was passed on is answered and gets events until its port closes', async () => {
    runInUtilityProcess();
    const port = new FakeMessagePort();
    tell(null, [port]);
    expect(port.isStarted).toBe(false);
    tell(init());
    await vi.waitFor(() => expect(port.isStarted).toBe(true));
    port.emit('message', { data: 'nonsense' });
    port.emit('message', { data: { id: 'x', procedure: 'sync:start' } });
    port.emit('message', { data: { id: 3, procedure: 'settings:get', input: {} } });
    await vi.waitFor(() =>
      expect(port.posted).toEqual([{ id: 3, result: expect.objectContaining({ ok: false }) }]),
    );
    port.close();
  });

  test('the store of a real workspace asks main for the profile key, and says what main answers', async () => {
    runInUtilityProcess();
    const port = new FakeMessagePort();
    tell(null, [port]);
    tell(init());
    await vi.waitFor(() => expect(port.isStarted).toBe(true));
    port.emit('message', { data: { id: 1, procedure: 'records:getSummary', input: { workspaceId: 'w' } } });
    const call = await heardOf('call');
    expect(call).toMatchObject({ name: 'findWorkspace', input: 'w' });
    const place = { workspace: { isSample: false }, folder: folder(), databaseKeyAccount: 'account' };
    tell({ kind: 'reply', id: 0, ok: true, value: place });
    await vi.waitFor(() =>
      expect(parent.heard.at(-1)).toMatchObject({ name: 'getProfileKey', input: { mayMake: false } }),
    );
    tell({ kind: 'reply', id: 1, ok: false, error: toWireError(new DeskError('vault.passphraseNeeded')) });
    await vi.waitFor(() =>
      expect(port.posted).toMatchObject([{ id: 1, result: { error: { code: 'vault.passphraseNeeded' } } }]),
    );
  });

  test('a failing start is logged and reported without its message, and ends the process with a code', async () => {
    const broken = { ...runtime, openTransport: () => Promise.reject(new TypeError('María López')) };
    runEngine(linkUtilityParent(parent as never), broken);
    tell(init());
    await vi.waitFor(() => expect(exit).toHaveBeenCalledExactlyOnceWith(71));
    expect(parent.heard).toMatchObject([
      {
        ...{ kind: 'reply', id: 0, ok: false },
        error: { report: { code: 'internal.fault' }, fault: { errorClass: 'TypeError' } },
      },
    ]);
    const log = await readLog();
    expect(log).toContain('"event":"engine.cannotStart","code":"internal.fault","errorClass":"TypeError"');
    expect(log + JSON.stringify(parent.heard)).not.toContain('María');
  });

  test('an uncaught error is logged without its message before the process ends', async () => {
    runInUtilityProcess();
    tell(init());
    await heardOf('reply');
    await crash(new RangeError('María López'));
    expect(exit).toHaveBeenCalledExactlyOnceWith(70);
    const log = await readLog();
    expect(log).toContain('"event":"engine.crashed","code":"internal.fault","errorClass":"RangeError"');
    expect(log).not.toContain('María');
  });
});

describe('in a forked child', () => {
  test('it listens at its own port and ends when its parent ends', async () => {
    runEngine(linkForkParent(parent as never), runtime);
    parent.emit('message', init({ windowOrigin: 'http://localhost:1' }));
    expect(await heardOf('reply')).toMatchObject({ id: 0, value: expect.any(Number) });
    parent.connected = false;
    parent.heard.length = 0;
    parent.emit('message', { kind: 'call', id: 1, name: 'unheard', input: null });
    parent.emit('disconnect');
    await vi.waitFor(() => expect(exit).toHaveBeenCalled());
    expect(parent.heard).toEqual([]);
  });

  test('the profile key is not requested before it is needed', async () => {
    runEngine(linkForkParent(parent as never), runtime);
    parent.emit('message', init());
    expect(await heardOf('reply')).toEqual(ready);
    expect(parent.heard).toEqual([ready]);
  });
});
