/*
 * What runs in the page: these functions are sent there as text, so they use nothing from outside of themselves.
 */

/**
 * One side of the context bridge. Both worlds of a page share its document, and what an event carries is copied
 * from one world to the other: functions go by number, promises are settled later, all else is a copy.
 */
export function joinWorlds(key: string, side: 'page' | 'preload') {
  type Coded =
    | { kind: 'value'; value: unknown }
    | { kind: 'function' | 'promise'; id: number }
    | { kind: 'error'; message: string }
    | { kind: 'object'; entries: [string, Coded][] };
  const other = side === 'page' ? 'preload' : 'page';
  const functions = new Map<number, (...given: unknown[]) => unknown>();
  const settles = new Map<number, (answer: Coded) => void>();
  let nextId = 1;
  let answer: Coded | null = null;
  const tell = (kind: string, detail: unknown): void =>
    void document.dispatchEvent(new CustomEvent(`${key}:${other}:${kind}`, { detail }));
  const hear = (kind: string, listener: (detail: never) => void): void =>
    document.addEventListener(`${key}:${side}:${kind}`, (event) =>
      listener((event as CustomEvent).detail as never),
    );

  const encode = (value: unknown): Coded => {
    const id = nextId;
    if (typeof value === 'function') {
      nextId += 1;
      functions.set(id, value as () => unknown);
      return { kind: 'function', id };
    }
    if (value instanceof Promise) {
      nextId += 1;
      value.then(
        (settled) => tell('settle', { id, answer: encode(settled) }),
        (thrown) => tell('settle', { id, answer: { kind: 'error', message: String(thrown) } }),
      );
      return { kind: 'promise', id };
    }
    const isObject =
      typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
    if (
      isObject &&
      Object.values(value as object).some((one) => typeof one === 'function' || typeof one === 'object')
    )
      return {
        kind: 'object',
        entries: Object.entries(value as object).map(([name, one]) => [name, encode(one)]),
      };
    return { kind: 'value', value };
  };
  const decode = (coded: Coded): unknown => {
    switch (coded.kind) {
      case 'value':
        return coded.value;
      case 'error':
        throw new Error(coded.message);
      case 'object':
        return Object.freeze(Object.fromEntries(coded.entries.map(([name, one]) => [name, decode(one)])));
      case 'promise':
        return new Promise((resolve, reject) => {
          settles.set(coded.id, (settled) => {
            if (settled.kind === 'error') reject(new Error(settled.message));
            else resolve(decode(settled));
          });
        });
      default:
        return (...given: unknown[]): unknown => {
          tell('call', { id: coded.id, given: given.map(encode) });
          const told = answer;
          answer = null;
          return told === null ? undefined : decode(told);
        };
    }
  };
  hear('call', ({ id, given }: { id: number; given: Coded[] }) => {
    let result: Coded;
    try {
      result = encode(functions.get(id)?.(...given.map(decode)));
    } catch (thrown) {
      result = { kind: 'error', message: String(thrown) };
    }
    tell('answer', result);
  });
  hear('answer', (told: Coded) => {
    answer = told;
  });
  hear('settle', ({ id, answer: settled }: { id: number; answer: Coded }) => {
    settles.get(id)?.(settled);
    settles.delete(id);
  });
  hear('expose', ({ name, api }: { name: string; api: Coded }) => {
    Object.defineProperty(globalThis, name, { value: decode(api), enumerable: true });
  });
  return { expose: (name: string, api: unknown): void => tell('expose', { name, api: encode(api) }) };
}

/** Runs the preload in its world, with the part of `electron` that a sandboxed one has. */
export function runPreload(
  bridge: { expose(name: string, api: unknown): void },
  preload: (require: (name: string) => unknown, module: object, exports: object) => void,
): void {
  type Listener = (event: { ports: MessagePort[] }, ...given: unknown[]) => void;
  const world = globalThis as unknown as { toMain(text: string): void; fromMain(message: never): void };
  const listeners = new Map<string, Listener[]>();
  const answers = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const ports = new Map<number, MessagePort>();
  let nextId = 1;
  const post = (message: object): void => world.toMain(JSON.stringify(message));
  const openPort = (id: number): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    ports.set(id, port2);
    port2.onmessage = ({ data }) => post({ kind: 'toPort', id, data });
    return port1;
  };
  type FromMain =
    | { kind: 'reply'; id: number; value?: unknown; error?: string }
    | { kind: 'message'; channel: string; given: unknown[]; ports: number[] }
    | { kind: 'toPort'; id: number; data: unknown }
    | { kind: 'closePort'; id: number };
  world.fromMain = (message: FromMain): void => {
    if (message.kind === 'reply') {
      const waiting = answers.get(message.id);
      answers.delete(message.id);
      if (message.error === undefined) waiting?.resolve(message.value);
      else waiting?.reject(new Error(message.error));
    } else if (message.kind === 'message') {
      const event = { ports: message.ports.map(openPort) };
      for (const listener of listeners.get(message.channel) ?? []) listener(event, ...message.given);
    } else if (message.kind === 'toPort') ports.get(message.id)?.postMessage(message.data);
    else ports.get(message.id)?.close();
  };
  const ipcRenderer = {
    invoke(channel: string, ...given: unknown[]): Promise<unknown> {
      const id = nextId;
      nextId += 1;
      post({ kind: 'invoke', id, channel, given });
      return new Promise((resolve, reject) => void answers.set(id, { resolve, reject }));
    },
    send: (channel: string, ...given: unknown[]): void => post({ kind: 'send', channel, given }),
    on(channel: string, listener: Listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
  };
  const electron = { contextBridge: { exposeInMainWorld: bridge.expose }, ipcRenderer };
  const module = { exports: {} };
  preload(
    (name) => {
      if (name === 'electron') return electron;
      throw new Error(`A sandboxed preload cannot load ${name}.`);
    },
    module,
    module.exports,
  );
}
