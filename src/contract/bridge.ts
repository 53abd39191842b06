import type { AnyEvent, EventName, EventPayload } from './events.ts';
import type { Input, Output, ProcedureName } from './procedures.ts';
import type { Result } from './result.ts';

/**
 * The window's access to the backend: `window.claimdesk` (Electron's preload), or an object made in the page (browser
 * shell). It has one function to call a procedure and one to subscribe to events, and nothing else.
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
   * Calls the listener each time the event stream opens again, because answers may be older than a missed
   * event. Browser shell only: events are missed before its stream is open, and while it is interrupted.
   */
  readonly onReconnected?: (listener: () => void) => void;
}

/** Messages between the window and the engine (a MessagePort in Electron, requests in the browser shell). */
export type EngineRequest = { id: number; procedure: string; input: unknown };
export type EngineReply = { id: number; result: Result<unknown> } | { event: AnyEvent };
