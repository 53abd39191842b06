import type { EngineReply } from '../../../contract/bridge.ts';
import type { Engine } from '../engine-ports.ts';
import { answerRequest, readRequest } from './engine-request.ts';

/** A port to one window, as Electron hands it over (`MessagePortMain`). */
export interface WindowPort {
  postMessage(message: EngineReply): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
}

/**
 * Answers one window over its port and sends it every event, until the port closes. Main created the port after it had
 * checked the window; messages do not pass through main.
 */
export function serveWindowPort(port: WindowPort, engine: Pick<Engine, 'call' | 'subscribe'>): void {
  port.on('message', ({ data }) => {
    const request = readRequest(data);
    if (request === null) return;
    void answerRequest(engine, request).then((reply) => port.postMessage(reply));
  });
  port.on(
    'close',
    engine.subscribe((event) => port.postMessage({ event })),
  );
  port.start();
}
