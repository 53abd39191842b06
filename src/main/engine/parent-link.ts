import type { ChannelMessage, MessagePipe } from '../lib/channel.ts';
import type { WindowPort } from './ipc/window-port.ts';

/** The process that started the engine: main, over a private channel. */
export interface EngineParent {
  readonly pipe: MessagePipe;
  /** Electron: called when main passes on a message port to a window that it has checked. */
  onWindowPort(listener: (port: WindowPort) => void): void;
  onParentEnded(listener: () => void): void;
}

/** The part of `process` that a forked child uses. */
type ForkedProcess = Pick<NodeJS.Process, 'on' | 'connected'> & { send?: NodeJS.Process['send'] };

/** The part of Electron's `process.parentPort` that is used. */
export interface UtilityPort {
  postMessage(message: ChannelMessage): void;
  on(event: 'message', listener: (event: { data: unknown; ports: WindowPort[] }) => void): unknown;
}

/**
 * Connects to the parent of a child of `child_process.fork` (browser shell). When the parent ends, `disconnect` is
 * emitted.
 */
export const linkForkParent = (child: ForkedProcess): EngineParent => ({
  pipe: {
    post(message) {
      // When the parent has ended, `disconnect` reports it; a send that fails before that is ignored.
      if (child.connected) child.send?.(message, undefined, undefined, () => undefined);
    },
    onMessage: (listener) => void child.on('message', (message) => listener(message as ChannelMessage)),
  },
  onWindowPort: () => undefined,
  onParentEnded: (listener) => void child.on('disconnect', listener),
});

/** Connects to the parent of a utility process of Electron, which Electron ends together with its parent. */
export const linkUtilityParent = (port: UtilityPort): EngineParent => ({
  pipe: {
    post: (message) => port.postMessage(message),
    onMessage: (listener) =>
      void port.on('message', ({ data, ports }) => {
        if (ports.length === 0) listener(data as ChannelMessage);
      }),
  },
  onWindowPort: (listener) =>
    void port.on('message', ({ ports }) => {
      for (const windowPort of ports) listener(windowPort);
    }),
  onParentEnded: () => undefined,
});
