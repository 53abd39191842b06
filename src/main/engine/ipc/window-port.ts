import type { EngineReply } from '../../../contract/bridge.ts';
import { DeskError, toErrorReport } from '../../lib/errors.ts';
import type { Engine } from '../engine-ports.ts';

/** A port to one window, as Electron hands it over (`MessagePortMain`). */
export interface WindowPort {
  postMessage(message: EngineReply): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  start(): void;
}

function readRequest(data: unknown): { id: number; procedure: string; input: unknown } | null {
  if (typeof data !== 'object' || data === null) return null;
  const { id, procedure, input } = data as { id?: unknown; procedure?: unknown; input?: unknown };
  return Number.isSafeInteger(id) && typeof procedure === 'string'
    ? { id: id as number, procedure, input }
    : null;
}

/**
 * Answers one window over its port and sends it every event, until the port closes. Main created the port after it had
 * checked the window; messages do not pass through main.
 */
export function serveWindowPort(port: WindowPort, engine: Pick<Engine, 'call' | 'subscribe'>): void {
  port.on('message', ({ data }) => {
    const request = readRequest(data);
    if (request === null) return;
    const { id, procedure, input } = request;
    engine.call(procedure, input).then(
      (result) => port.postMessage({ id, result }),
      (thrown: unknown) =>
        port.postMessage({
          id,
          result: { ok: false, error: toErrorReport(new DeskError('internal.fault', { cause: thrown })) },
        }),
    );
  });
  port.on(
    'close',
    engine.subscribe((event) => port.postMessage({ event })),
  );
  port.start();
}
