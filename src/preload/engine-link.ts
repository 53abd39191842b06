import type { EngineReply, EngineRequest } from '../contract/bridge.ts';
import { channels } from '../contract/channels.ts';
import type { AnyEvent } from '../contract/events.ts';
import type { ErrorReport, Result } from '../contract/result.ts';

/** What the link needs of Electron's `ipcRenderer`. */
export interface EngineIpc {
  send(channel: string): void;
  on(channel: string, listener: (event: { ports: MessagePort[] }, problem: unknown) => void): unknown;
}

const engineStopped: ErrorReport = {
  code: 'engine.stopped',
  message: 'The part that keeps the records has ended.',
  nextStep: 'Unlock or restart Claimdesk; what was synced is kept.',
};

/**
 * The window's line to the engine: asks main for a port when one is needed, numbers the requests, and
 * answers what waits with `engine.stopped` when the port closes. The next request asks for a new port.
 */
export function createEngineLink(ipc: EngineIpc, onEvent: (event: AnyEvent) => void) {
  let port: MessagePort | null = null;
  let isAsked = false;
  let nextId = 1;
  const waiting = new Map<number, { request: EngineRequest; answer: (result: Result<unknown>) => void }>();

  const failAll = (error: ErrorReport): void => {
    const all = [...waiting.values()];
    waiting.clear();
    for (const { answer } of all) answer({ ok: false, error });
  };
  const connect = (): void => {
    if (isAsked || port !== null) return;
    isAsked = true;
    ipc.send(channels.wantEngine);
  };

  ipc.on(channels.engine, ({ ports: [given] }, problem) => {
    isAsked = false;
    if (given === undefined) {
      failAll((problem as ErrorReport | null) ?? engineStopped);
      return;
    }
    port = given;
    given.onmessage = ({ data }: MessageEvent<EngineReply>) => {
      if ('event' in data) {
        onEvent(data.event);
        return;
      }
      waiting.get(data.id)?.answer(data.result);
      waiting.delete(data.id);
    };
    given.addEventListener('close', () => {
      if (port === given) port = null;
      failAll(engineStopped);
    });
    for (const { request } of waiting.values()) given.postMessage(request);
  });
  connect();

  return {
    call(procedure: string, input: unknown): Promise<Result<unknown>> {
      const request: EngineRequest = { id: nextId, procedure, input };
      nextId += 1;
      return new Promise((answer) => {
        waiting.set(request.id, { request, answer });
        if (port === null) connect();
        else port.postMessage(request);
      });
    },
  };
}
