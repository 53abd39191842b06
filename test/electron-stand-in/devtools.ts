import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';

export type Params = Record<string, unknown>;
type Reply = {
  id?: number;
  method?: string;
  params?: Params;
  sessionId?: string;
  result?: Params;
  error?: Params;
};

/** The system's Chromium, spoken with over its debugging protocol. */
export interface DevTools {
  readonly endpoint: string;
  send(method: string, params?: Params, sessionId?: string): Promise<Params>;
  /** Calls the listener for one event of one page, or of the browser itself (`sessionId` left out). */
  on(method: string, listener: (params: Params) => void, sessionId?: string): void;
  close(): void;
}

export async function startChromium(): Promise<DevTools> {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-stand-in-'));
  const child = spawn(
    chromiumPath,
    [...chromiumArgs, '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const endpoint = await readEndpoint(child);
  const socket = new WebSocket(endpoint);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  const listeners = new Map<string, ((params: Params) => void)[]>();
  let nextId = 1;
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id !== undefined) {
      waiting.get(reply.id)?.(reply);
      waiting.delete(reply.id);
    } else {
      const key = `${reply.sessionId ?? ''} ${reply.method}`;
      for (const listener of listeners.get(key) ?? []) listener(reply.params ?? {});
    }
  });
  return {
    endpoint,
    send(method, params = {}, sessionId) {
      const id = nextId;
      nextId += 1;
      socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
      return new Promise((resolve, reject) => {
        waiting.set(id, ({ result, error }) => {
          if (error === undefined) resolve(result ?? {});
          else reject(new Error(`${method}: ${JSON.stringify(error)}`));
        });
      });
    },
    on(method, listener, sessionId = '') {
      const key = `${sessionId} ${method}`;
      listeners.set(key, [...(listeners.get(key) ?? []), listener]);
    },
    close() {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function readEndpoint(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stderr ?? []) {
    text += String(chunk);
    const endpoint = /ws:\/\/\S+/.exec(text)?.[0];
    if (endpoint !== undefined) {
      child.stderr?.resume();
      return endpoint;
    }
  }
  throw new Error(`Chromium did not start: ${text}`);
}
