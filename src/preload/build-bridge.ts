import { answeredBy, procedureNames } from '../contract/answered-by.ts';
import type { DeskBridge } from '../contract/bridge.ts';
import { channels } from '../contract/channels.ts';
import type { AnyEvent, EventName } from '../contract/events.ts';
import type { ProcedureName } from '../contract/procedures.ts';
import type { Result } from '../contract/result.ts';
import { createEngineLink, type EngineIpc } from './engine-link.ts';

/** The parts of Electron's `ipcRenderer` that the bridge needs. */
interface BridgeIpc extends EngineIpc {
  invoke(channel: string, procedure: string, input: unknown): Promise<unknown>;
  on(channel: string, listener: (event: { ports: MessagePort[] }, value: unknown) => void): unknown;
}

/**
 * Makes `window.claimdesk` from the contract: one function per procedure and one subscription. No object of Electron
 * reaches the page, not even an event.
 */
export function buildBridge(ipc: BridgeIpc): DeskBridge {
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  const deliver = ({ name, payload }: AnyEvent): void => {
    for (const listener of listeners.get(name) ?? []) listener(payload as never);
  };
  const engine = createEngineLink(ipc, deliver);
  ipc.on(channels.event, (_event, value) => deliver(value as AnyEvent));

  const callOf = (name: ProcedureName) =>
    answeredBy[name] === 'main'
      ? (input: unknown) => ipc.invoke(channels.call, name, input) as Promise<Result<unknown>>
      : (input: unknown) => engine.call(name, input);

  return Object.freeze({
    shell: 'electron',
    call: Object.freeze(
      Object.fromEntries(procedureNames.map((name) => [name, callOf(name)])),
    ) as DeskBridge['call'],
    subscribe(name, listener) {
      const ofName = listeners.get(name) ?? new Set();
      listeners.set(name, ofName);
      ofName.add(listener);
      return () => void ofName.delete(listener);
    },
  } satisfies DeskBridge);
}
