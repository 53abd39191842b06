import { describe, expect, it, vi } from 'vitest';
import type { DeskBridge } from '../../../../src/contract/bridge.ts';
import { procedures } from '../../../../src/contract/procedures.ts';
import { createLoopbackBridge } from '../../../../src/renderer/lib/loopback-bridge.ts';

const host = 'http://localhost:4800';
const never = new Promise<never>(() => undefined);

/** A host that answers calls by `answer` and keeps event streams open until they are fed. */
function makeHost(answer: (url: string) => Response | Promise<Response>) {
  const calls: { url: string; init: RequestInit | undefined }[] = [];
  const feeds = new Map<string, ReadableStreamDefaultController<Uint8Array>>();
  const fetchLike = (async (input: string, init?: RequestInit) => {
    calls.push({ url: input, init });
    if (!input.endsWith('/events')) return answer(input);
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void feeds.set(input, controller) });
    return new Response(body);
  }) as unknown as typeof fetch;
  const onEngineMoved = vi.fn();
  const prove = vi.fn(async (_origin: string) => true);
  const open = (engineUrl: string, wait: (ms: number) => Promise<void> = () => never) =>
    createLoopbackBridge({
      windowToken: 'token-1',
      hostUrl: host,
      engineUrl,
      fetch: fetchLike,
      prove,
      wait,
      onEngineMoved,
    });
  const feed = (url: string, text: string) => feeds.get(url)?.enqueue(new TextEncoder().encode(text));
  return { calls, feeds, feed, open, onEngineMoved, prove };
}

const engine = 'http://localhost:4900';
const good = (value: unknown) => Response.json({ ok: true, value });

describe('calls', () => {
  it('are sent to the process that answers them, with the window token', async () => {
    const server = makeHost(() => good({ isDone: true }));
    const bridge = server.open(engine);
    await bridge.call['settings:get']({});
    await bridge.call['sync:start']({ workspaceId: 'w' });
    const posts = server.calls.filter(({ url }) => url.includes('/call/'));
    expect(posts.map(({ url }) => url)).toEqual([`${host}/call/settings:get`, `${engine}/call/sync:start`]);
    for (const { init } of posts) {
      expect(init?.method).toBe('POST');
      expect(init?.headers).toMatchObject({ 'X-Claimdesk-Window': 'token-1' });
    }
    expect(posts[1]?.init?.body).toBe('{"workspaceId":"w"}');
  });

  it('leave immediately if the server has proven itself, before anything that is drawn for them', async () => {
    const server = makeHost(() => good({}));
    const bridge = server.open(engine);
    await bridge.call['settings:get']({});
    const before = server.calls.length;
    void bridge.call['settings:get']({});
    expect(server.calls).toHaveLength(before + 1);
    expect(server.prove.mock.calls.filter(([origin]) => origin === host)).toHaveLength(1);
  });

  it('have a function for every procedure of the contract', () => {
    const bridge = makeHost(() => good({})).open(engine);
    expect(Object.keys(bridge.call).sort()).toEqual(Object.keys(procedures).sort());
  });

  it('return a failed result whatever the status', async () => {
    const error = { code: 'app.locked', message: 'm', nextStep: 'n' };
    const server = makeHost(() => Response.json({ ok: false, error }, { status: 403 }));
    expect(await server.open(engine).call['settings:get']({})).toEqual({ ok: false, error });
  });

  it('answer engine.gone if the host is gone, or returns something that is not a result', async () => {
    const stopped = makeHost(() => Promise.reject(new TypeError('refused')));
    expect(await stopped.open(engine).call['settings:get']({})).toMatchObject({
      ok: false,
      error: { code: 'engine.stopped' },
    });
    const odd = makeHost(() => new Response('<html>', { status: 502 }));
    expect(await odd.open(engine).call['app:getInfo']({})).toMatchObject({
      error: { code: 'engine.stopped' },
    });
  });

  it('answer engine.gone while there is no engine, without requesting one', async () => {
    const server = makeHost(() => Response.json({ engineUrl: null }));
    const result = await server.open('').call['sync:getStatus']({ workspaceId: 'w' });
    expect(result).toMatchObject({ ok: false, error: { code: 'engine.stopped' } });
    expect(server.calls.some(({ url }) => url.includes('/call/'))).toBe(false);
    expect(server.onEngineMoved).not.toHaveBeenCalled();
  });

  it('notice that the engine has moved to another address', async () => {
    const server = makeHost((url) =>
      url === `${host}/session`
        ? Response.json({ engineUrl: 'http://localhost:5000' })
        : Promise.reject(new Error()),
    );
    await server.open(engine).call['sync:getStatus']({ workspaceId: 'w' });
    expect(server.onEngineMoved).toHaveBeenCalledTimes(1);
  });

  it('do not reload the page if the engine merely fails', async () => {
    const server = makeHost((url) =>
      url === `${host}/session` ? Response.json({ engineUrl: engine }) : Promise.reject(new Error()),
    );
    await server.open(engine).call['sync:getStatus']({ workspaceId: 'w' });
    expect(server.onEngineMoved).not.toHaveBeenCalled();
  });
});

describe('calls of one tick', () => {
  const ask = (bridge: DeskBridge, workspaceId: string) => bridge.call['sync:getStatus']({ workspaceId });
  const sentTo = (server: ReturnType<typeof makeHost>) =>
    server.calls.flatMap(({ url, init }) =>
      url.includes('/call') ? [[url.slice(engine.length), JSON.parse(String(init?.body))]] : [],
    );
  /** A reply to what was sent together, whose lines the test writes. */
  const makeReply = () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const lines = writable.getWriter();
    const write = (id: number, value: unknown) =>
      void lines.write(new TextEncoder().encode(`${JSON.stringify({ id, result: { ok: true, value } })}\n`));
    return { response: new Response(readable), write, end: () => void lines.close() };
  };

  it('after the first one leave as one message, and each is answered before slower ones', async () => {
    const reply = makeReply();
    const server = makeHost((url) => (url.endsWith('/calls') ? reply.response : good('first')));
    const bridge = server.open(engine);
    await ask(bridge, 'proof');
    server.calls.length = 0;
    const [first, second, third] = ['a', 'b', 'c'].map((id) => ask(bridge, id));
    expect(await first).toEqual({ ok: true, value: 'first' });
    expect(sentTo(server)).toEqual([
      ['/call/sync:getStatus', { workspaceId: 'a' }],
      [
        '/calls',
        [
          { id: 0, procedure: 'sync:getStatus', input: { workspaceId: 'b' } },
          { id: 1, procedure: 'sync:getStatus', input: { workspaceId: 'c' } },
        ],
      ],
    ]);
    reply.write(1, 'third');
    expect(await third).toEqual({ ok: true, value: 'third' });
    reply.write(0, 'second');
    expect(await second).toEqual({ ok: true, value: 'second' });
    void ask(bridge, 'd');
    await vi.waitFor(() => expect(sentTo(server)[2]).toEqual(['/call/sync:getStatus', { workspaceId: 'd' }]));
  });

  it('are sent by themselves where they are long', async () => {
    const server = makeHost(() => good({}));
    const bridge = server.open(engine);
    const long = 'x'.repeat(20_000);
    await Promise.all([ask(bridge, 'a'), ask(bridge, long)]);
    expect(sentTo(server).map(([path]) => path)).toEqual(['/call/sync:getStatus', '/call/sync:getStatus']);
  });

  it('answer engine.stopped where the reply ends without their line, and the code of a refusal', async () => {
    const reply = makeReply();
    const error = { code: 'app.forbidden', message: 'm', nextStep: 'n' };
    let refused: Response | null = null;
    const server = makeHost((url) => {
      if (url.endsWith('/calls')) return refused ?? reply.response;
      return url.endsWith('/session') ? Response.json({ engineUrl: engine }) : good({});
    });
    const bridge = server.open(engine);
    const cut = ['a', 'b', 'c'].map((id) => ask(bridge, id));
    reply.write(0, {});
    reply.end();
    expect(await Promise.all(cut)).toMatchObject([
      { ok: true },
      { ok: true },
      { error: { code: 'engine.stopped' } },
    ]);
    refused = Response.json({ ok: false, error }, { status: 403 });
    const denied = await Promise.all(['a', 'b', 'c'].map((id) => ask(bridge, id)));
    expect(denied).toMatchObject([{ ok: true }, { error }, { error }]);
  });
});

describe('events', () => {
  it('arrive from both streams, at their listeners', async () => {
    const server = makeHost(() => good({}));
    const bridge = server.open(engine);
    const lock = vi.fn();
    const changed = vi.fn();
    bridge.subscribe('lock:changed', lock);
    const end = bridge.subscribe('records:changed', changed);
    await vi.waitFor(() => expect(server.feeds.size).toBe(2));
    server.feed(`${host}/events`, '\n{"name":"lock:changed","payload":{"isLocked":true}}\n');
    server.feed(`${engine}/events`, '{"name":"records:changed","payload":{"workspaceId":"w"}}\n');
    await vi.waitFor(() => expect(changed).toHaveBeenCalledWith({ workspaceId: 'w' }));
    await vi.waitFor(() => expect(lock).toHaveBeenCalledWith({ isLocked: true }));
    end();
    server.feed(`${engine}/events`, '{"name":"records:changed","payload":{"workspaceId":"x"}}\n');
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('may be missed before their stream is open and while it is broken, which is reported then', async () => {
    const server = makeHost(() => good({ isDone: true }));
    const first = server.open(engine);
    const silent = vi.fn();
    first.onReconnected?.(silent);
    await vi.waitFor(() => expect(server.feeds.size).toBe(2));
    expect(silent, 'nothing was asked before').not.toHaveBeenCalled();

    let proven: (is: boolean) => void = () => undefined;
    server.prove.mockImplementation((base) =>
      base === engine ? new Promise((resolve) => (proven = resolve)) : Promise.resolve(true),
    );
    server.feeds.clear();
    const bridge = server.open(engine, async () => undefined);
    await bridge.call['settings:get']({});
    const told = vi.fn();
    bridge.onReconnected?.(told);
    await vi.waitFor(() => expect(server.feeds.size).toBe(1));
    const asked = bridge.call['worklists:counts']({ workspaceId: 'w' });
    proven(true);
    await asked;
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1));
    server.prove.mockImplementation(async () => true);
    server.feeds.get(`${engine}/events`)?.close();
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(2));
  });

  it('are listened for with the window token, again after the stream broke', async () => {
    const server = makeHost(() => good({}));
    const waits: number[] = [];
    server.open('', async (ms) => {
      waits.push(ms);
      if (waits.length > 1) await never;
    });
    await vi.waitFor(() => expect(server.feeds.size).toBe(1));
    server.feeds.get(`${host}/events`)?.close();
    await vi.waitFor(() => expect(server.calls).toHaveLength(2));
    expect(server.calls[1]?.init?.headers).toEqual({ 'X-Claimdesk-Window': 'token-1' });
    expect(waits).toEqual([200]);
  });
});

describe('a server that has not proven itself', () => {
  it('gets no token, no passphrase and no stream, and is asked again later', async () => {
    const server = makeHost(() => good({ isDone: true }));
    server.prove.mockResolvedValue(false);
    const bridge = server.open(engine);
    expect(await bridge.call['lock:unlock']({ passphrase: 'correct horse' })).toMatchObject({
      error: { code: 'engine.stopped' },
    });
    expect(await bridge.call['sync:start']({ workspaceId: 'w' })).toMatchObject({
      error: { code: 'engine.stopped' },
    });
    expect(server.calls).toEqual([]);
    server.prove.mockResolvedValue(true);
    expect(await bridge.call['lock:unlock']({ passphrase: 'correct horse' })).toMatchObject({ ok: true });
  });

  it('is one whose connection broke, until it proves itself again', async () => {
    const server = makeHost(() => good({ isDone: true }));
    const bridge = server.open('');
    await vi.waitFor(() => expect(server.feeds.size).toBe(1));
    await bridge.call['settings:get']({});
    expect(server.prove).toHaveBeenCalledExactlyOnceWith(host);
    const before = server.calls.length;
    server.prove.mockResolvedValue(false);
    server.feeds.get(`${host}/events`)?.error(new TypeError('broken'));
    await vi.waitFor(async () =>
      expect(await bridge.call['settings:get']({})).toMatchObject({ error: { code: 'engine.stopped' } }),
    );
    expect(server.calls.slice(before).filter(({ url }) => !url.includes('settings:get'))).toEqual([]);
    const after = server.calls.length;
    await bridge.call['lock:lock']({});
    expect(server.calls).toHaveLength(after);
  });

  it('proves itself again before each unlock', async () => {
    const server = makeHost(() => good({ isDone: true }));
    const bridge = server.open('');
    await vi.waitFor(() => expect(server.feeds.size).toBe(1));
    await bridge.call['lock:unlock']({});
    await bridge.call['unlock:recover']({ code: 'c', passphrase: 'correct horse' });
    expect(server.prove).toHaveBeenCalledTimes(3);
  });
});
