import { EventEmitter } from 'node:events';
import type { CallbackResponse, FromPartitionOptions, OnBeforeRequestListenerDetails } from 'electron';
import type { UsedSession } from '../support/used-electron.ts';

type Handler = (request: Request) => Response | Promise<Response>;
type RequestListener = (
  details: OnBeforeRequestListenerDetails,
  answer: (response: CallbackResponse) => void,
) => void;

/** A session: what was set on it is asked for every request of its pages. */
export class StandInSession extends EventEmitter implements UsedSession {
  readonly #handlers = new Map<string, Handler>();
  #beforeRequest: RequestListener | null = null;

  readonly protocol = {
    handle: (scheme: string, handler: Handler): void => void this.#handlers.set(scheme, handler),
  };
  readonly webRequest = {
    onBeforeRequest: (listener: RequestListener): void => {
      this.#beforeRequest = listener;
    },
  };
  setPermissionRequestHandler(): void {}
  setPermissionCheckHandler(): void {}
  setDevicePermissionHandler(): void {}
  setSpellCheckerEnabled(): void {}

  /** Whether a request may be made at all. */
  allows(url: string): Promise<boolean> {
    const listener = this.#beforeRequest;
    if (listener === null) return Promise.resolve(true);
    return new Promise((resolve) =>
      listener({ url } as OnBeforeRequestListenerDetails, ({ cancel }) => resolve(cancel !== true)),
    );
  }
  /** The app's own answer; null for addresses that it does not serve. */
  async answer(url: string, method: string): Promise<Response | null> {
    const handler = this.#handlers.get(new URL(url).protocol.slice(0, -1));
    return handler === undefined ? null : handler(new Request(url, { method }));
  }
}

/** `session` of Electron; it can be had when the app is ready, not before. */
export function createSessions(isReady: () => boolean) {
  const made = new Map<string, StandInSession>();
  const fromPartition = (partition: string, _options?: FromPartitionOptions): StandInSession => {
    if (!isReady()) throw new Error('Session can only be received when app is ready');
    const session = made.get(partition) ?? new StandInSession();
    made.set(partition, session);
    return session;
  };
  return {
    fromPartition,
    get defaultSession(): StandInSession {
      return fromPartition('');
    },
  };
}
