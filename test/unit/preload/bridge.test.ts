import { contextBridge } from 'electron';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeskBridge } from '../../../src/contract/bridge.ts';
import { channels } from '../../../src/contract/channels.ts';
import { procedures } from '../../../src/contract/procedures.ts';
import { buildBridge } from '../../../src/preload/build-bridge.ts';

vi.mock('electron', () => import('../../support/fake-electron/electron-module.ts'));

type Listener = (event: { ports: MessagePort[] }, value: unknown) => void;

function createIpc() {
  const listeners = new Map<string, Listener>();
  return {
    invoke: vi.fn(async (..._given: unknown[]): Promise<unknown> => ({ ok: true, value: 'main' })),
    send: vi.fn(),
    on: (channel: string, listener: Listener) => void listeners.set(channel, listener),
    tell: (channel: string, value: unknown, ports: MessagePort[] = []) =>
      listeners.get(channel)?.({ ports }, value),
  };
}

let ipc: ReturnType<typeof createIpc>;
let bridge: DeskBridge;
beforeEach(() => {
  ipc = createIpc();
  bridge = buildBridge(ipc);
});

const summary = () => bridge.call['records:getSummary']({ workspaceId: 'a' });

/** The engine's end of a line that the page was given. */
function giveLine() {
  const { port1, port2 } = new MessageChannel();
  const asked: { id: number; procedure: string }[] = [];
  port2.onmessage = ({ data }) => void asked.push(data);
  ipc.tell(channels.engine, null, [port1]);
  return { port: port2, asked };
}

describe('what the page sees', () => {
  test('is this and nothing else', () => {
    expect(Object.keys(bridge)).toEqual(['shell', 'call', 'subscribe']);
    expect(Object.keys(bridge.call).sort()).toEqual(Object.keys(procedures).sort());
    expect(Object.keys(bridge.call).sort()).toMatchSnapshot();
    expect(Object.isFrozen(bridge)).toBe(true);
    expect(Object.isFrozen(bridge.call)).toBe(true);
  });

  test('is exposed by the preload under one name', async () => {
    await import('../../../src/preload/index.ts');
    const { exposed } = contextBridge as unknown as { exposed: Map<string, DeskBridge> };
    expect([...exposed.keys()]).toEqual(['claimdesk']);
    expect(exposed.get('claimdesk')?.shell).toBe('electron');
  });
});

describe('main', () => {
  test('answers its own procedures', async () => {
    expect(await bridge.call['settings:set']({ theme: 'dark' })).toEqual({ ok: true, value: 'main' });
    expect(ipc.invoke).toHaveBeenCalledExactlyOnceWith(channels.call, 'settings:set', { theme: 'dark' });
  });

  test('sends events, of which the page gets only the payload, until it unsubscribes', () => {
    const listener = vi.fn();
    const stop = bridge.subscribe('lock:changed', listener);
    bridge.subscribe('keys:changed', () => expect.unreachable());
    ipc.tell(channels.event, { name: 'lock:changed', payload: { isLocked: true } });
    expect(listener).toHaveBeenCalledExactlyOnceWith({ isLocked: true });
    stop();
    ipc.tell(channels.event, { name: 'lock:changed', payload: { isLocked: false } });
    expect(listener).toHaveBeenCalledOnce();
  });
});

describe('the line to the engine', () => {
  test('is requested at the start, and carries what waited for it', async () => {
    expect(ipc.send).toHaveBeenCalledExactlyOnceWith(channels.wantEngine);
    const answer = summary();
    const { port, asked } = giveLine();
    await vi.waitFor(() => expect(asked).toMatchObject([{ procedure: 'records:getSummary' }]));
    port.postMessage({ id: asked[0]?.id, result: { ok: true, value: 'rows' } });
    expect(await answer).toEqual({ ok: true, value: 'rows' });
    expect(ipc.invoke).not.toHaveBeenCalled();
    port.close();
  });

  test('answers each request with its own result, and sends events', async () => {
    const { port, asked } = giveLine();
    const changed = vi.fn();
    bridge.subscribe('records:changed', changed);
    const answers = [summary(), summary()];
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    for (const { id } of asked.toReversed()) port.postMessage({ id, result: { ok: true, value: id } });
    port.postMessage({ id: 99, result: { ok: true, value: 'to nobody' } });
    port.postMessage({ event: { name: 'records:changed', payload: { workspaceId: 'a' } } });
    expect(await Promise.all(answers)).toEqual(asked.map(({ id }) => ({ ok: true, value: id })));
    await vi.waitFor(() => expect(changed).toHaveBeenCalledExactlyOnceWith({ workspaceId: 'a' }));
    port.close();
  });

  test('that is not available fails what waits with the reason, and is requested at the next need', async () => {
    const answer = summary();
    ipc.tell(channels.engine, { code: 'app.locked', message: 'm', nextStep: 'n' });
    expect(await answer).toMatchObject({ ok: false, error: { code: 'app.locked' } });
    const next = summary();
    expect(ipc.send).toHaveBeenCalledTimes(2);
    ipc.tell(channels.engine, null);
    expect(await next).toMatchObject({ ok: false, error: { code: 'engine.stopped' } });
  });

  test('that closes fails what waits, and a new one is requested at the next need', async () => {
    const { port, asked } = giveLine();
    const lost = summary();
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    port.close();
    expect(await lost).toMatchObject({ ok: false, error: { code: 'engine.stopped' } });
    const next = summary();
    expect(ipc.send).toHaveBeenCalledTimes(2);
    const again = giveLine();
    await vi.waitFor(() => expect(again.asked).toHaveLength(1));
    again.port.postMessage({ id: again.asked[0]?.id, result: { ok: true, value: 'back' } });
    expect(await next).toEqual({ ok: true, value: 'back' });
    again.port.close();
  });
});
