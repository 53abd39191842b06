import type { AnyEvent, EventName, EventPayload } from './events.ts';
import type { Input, Output, ProcedureName } from './procedures.ts';
import type { Result } from './result.ts';

/**
 * What a window has of the backend, as `window.claimdesk` (Electron's preload) or made in the page
 * (browser shell). One function a procedure and one subscription; nothing else crosses.
 */
export interface DeskBridge {
  readonly shell: 'electron' | 'browser';
  readonly call: {
    readonly [P in ProcedureName]: (input: Input<P>) => Promise<Result<Output<P>>>;
  };
  /** Returns the function that ends the subscription. */
  readonly subscribe: <E extends EventName>(
    name: E,
    listener: (payload: EventPayload<E>) => void,
  ) => () => void;
  /**
   * Where events can be missed (browser shell: before their stream is open, and while it is broken): calls the listener
   * whenever they are heard again, since answers may be from before a missed one.
   */
  readonly onHeardAgain?: (listener: () => void) => void;
}

/** Messages of the channel to the engine (a MessagePort in Electron, a request in the browser shell). */
export type EngineRequest = { id: number; procedure: string; input: unknown };
export type EngineReply = { id: number; result: Result<unknown> } | { event: AnyEvent };
