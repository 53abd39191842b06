import type { EngineReply, EngineRequest } from '../contract/bridge.ts';
import { channels } from '../contract/channels.ts';
import type { AnyEvent } from '../contract/events.ts';
import { createPendingCalls, engineStopped } from '../contract/pending-calls.ts';
import type { ErrorReport, Result } from '../contract/result.ts';

/** The parts of Electron's `ipcRenderer` that the link needs. */
export interface EngineIpc {
  send(channel: string): void;
  on(channel: string, listener: (event: { ports: MessagePort[] }, problem: unknown) => void): unknown;
}

/**
 * The window's connection to the engine. It asks main for a port when one is needed and numbers the requests. When the
 * port closes, it answers open requests with `engine.stopped`; the next one asks for a new port.
 */
export function createEngineLink(ipc: EngineIpc, onEvent: (event: AnyEvent) => void) {
  let port: MessagePort | null = null;
  let isAsked = false;
  const pending = createPendingCalls<Result<unknown>>();
  /** Requests that wait for a port. */
  let unsent: EngineRequest[] = [];

  const failAll = (error: ErrorReport): void => {
    unsent = [];
    for (const call of pending.takeAll()) call.resolve({ ok: false, error });
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
      pending.take(data.id)?.resolve(data.result);
    };
    given.addEventListener('close', () => {
      if (port === given) port = null;
      failAll(engineStopped);
    });
    for (const request of unsent) given.postMessage(request);
    unsent = [];
  });
  connect();

  return {
    call(procedure: string, input: unknown): Promise<Result<unknown>> {
      const { id, reply } = pending.add();
      const request: EngineRequest = { id, procedure, input };
      if (port === null) {
        unsent.push(request);
        connect();
      } else port.postMessage(request);
      return reply;
    },
  };
}
