import type { MessagePipe } from '../lib/engine-channel.ts';
import type { EngineChannelMessage } from '../lib/engine-protocol.ts';
import type { WindowPort } from './ipc/window-port.ts';

/** The process that started the engine: main, over a private channel. */
export interface EngineParent {
  readonly pipe: MessagePipe;
  /** Electron: main hands over a port to a window that it has checked. */
  onWindowPort(listener: (port: WindowPort) => void): void;
  onParentEnded(listener: () => void): void;
}

/** The half of `process` that a forked child needs. */
export type ForkedProcess = Pick<NodeJS.Process, 'on' | 'connected'> & { send?: NodeJS.Process['send'] };

/** Electron's `process.parentPort`, as far as it is used. */
export interface UtilityPort {
  postMessage(message: EngineChannelMessage): void;
  on(event: 'message', listener: (event: { data: unknown; ports: WindowPort[] }) => void): unknown;
}

/** A child of `child_process.fork` (browser shell). The end of its parent is the event `disconnect`. */
export function linkForkParent(child: ForkedProcess): EngineParent {
  return {
    pipe: {
      post(message) {
        // The end of the parent is the event `disconnect`; sends to it must not fail before that.
        if (child.connected) child.send?.(message, undefined, undefined, () => undefined);
      },
      onMessage: (listener) =>
        void child.on('message', (message) => listener(message as EngineChannelMessage)),
    },
    onWindowPort: () => undefined,
    onParentEnded: (listener) => void child.on('disconnect', listener),
  };
}

/** A utility process of Electron, which ends with its parent by itself. */
export function linkUtilityParent(port: UtilityPort): EngineParent {
  return {
    pipe: {
      post: (message) => port.postMessage(message),
      onMessage: (listener) =>
        void port.on('message', ({ data, ports }) => {
          if (ports.length === 0) listener(data as EngineChannelMessage);
        }),
    },
    onWindowPort: (listener) =>
      void port.on('message', ({ ports }) => {
        for (const windowPort of ports) listener(windowPort);
      }),
    onParentEnded: () => undefined,
  };
}
