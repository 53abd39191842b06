import { setTimeout as wait } from 'node:timers/promises';
import type { EngineHandle } from '../ipc/desk-state.ts';
import { createEngineChannel, type MessagePipe } from '../lib/engine-channel.ts';
import type { EngineControl, EngineHost, EngineInit } from '../lib/engine-protocol.ts';
import { DeskError, fromWireError } from '../lib/errors.ts';

/** The engine's process, as a shell started it. */
export interface EngineProcess {
  readonly pipe: MessagePipe;
  /** Called once when it has ended. */
  onEnded(listener: () => void): void;
  kill(): void;
}

/** What a shell has of the engine beyond what the desk needs. */
export interface ConnectedEngine extends EngineHandle {
  /** Where the engine answers windows by itself; null where it is handed ports. */
  readonly port: number | null;
  /** Says which windows the engine may answer; resolves when it knows. */
  setWindows(tokens: readonly string[]): Promise<void>;
}

const startLimitMs = 30_000;
/** Closing a store writes what is left of its log; a lock does not wait longer than this. */
const closeLimitMs = 3_000;

/**
 * Speaks with an engine's process over its private channel: starts it off, answers what it asks of main,
 * and ends it for good. No record goes over this channel.
 * @throws DeskError what kept it from starting; `engine.cannotStart` where it does not say, or ends before it is ready
 */
export async function connectEngine(options: {
  process: EngineProcess;
  host: EngineHost;
  init: EngineInit;
}): Promise<ConnectedEngine> {
  const { process: engine, host, init } = options;
  const listeners: ((wasWanted: boolean) => void)[] = [];
  let wasWanted = false;
  let hasEnded = false;
  const channel = createEngineChannel(engine.pipe, { ...host });
  const ready = new Promise<number | null>((resolve, reject) =>
    channel.onOther((message) => {
      if (message.kind === 'ready') resolve(message.port);
      else if (message.kind === 'cannotStart') reject(refusalOf(fromWireError(message.error)));
    }),
  );
  const ended = new Promise<void>((resolve) =>
    engine.onEnded(() => {
      hasEnded = true;
      channel.lose();
      for (const listener of listeners) listener(wasWanted);
      resolve();
    }),
  );

  engine.pipe.post({ kind: 'init', init });
  const cannotStart = (): never => {
    throw new DeskError('engine.cannotStart');
  };
  const port = await Promise.race([
    ready,
    ended.then(cannotStart),
    wait(startLimitMs, undefined, { ref: false }).then(cannotStart),
  ]).catch((thrown) => {
    engine.kill();
    throw thrown;
  });
  return {
    port,
    setWindows: async (tokens) => void (await channel.call('setWindows', tokens)),
    closeToWindows: async () => void (await channel.call('setWindows', [])),
    probe: (wanted) => channel.call('probe', wanted) as ReturnType<EngineControl['probe']>,
    diagnose: (wanted) => channel.call('diagnose', wanted) as ReturnType<EngineControl['diagnose']>,
    appendAudit: async (record) => void (await channel.call('appendAudit', record)),
    trimAudit: (wanted) => channel.call('trimAudit', wanted) as Promise<number>,
    refreshIfDue: (wanted) => channel.call('refreshIfDue', wanted) as Promise<boolean>,
    closeWorkspace: async (workspaceId) => void (await channel.call('closeWorkspace', workspaceId)),
    forgetWorkspace: async (workspaceId) => void (await channel.call('forgetWorkspace', workspaceId)),
    onEnded(listener) {
      if (hasEnded) listener(wasWanted);
      else listeners.push(listener);
    },
    async close() {
      wasWanted = true;
      if (!hasEnded) {
        const closed = channel.call('close', null).catch(() => undefined);
        await Promise.race([closed, ended, wait(closeLimitMs, undefined, { ref: false })]);
        engine.kill();
      }
      await ended;
    },
  };
}

/** A fault inside it is told as what it means for the person. */
function refusalOf(error: DeskError): DeskError {
  return error.code === 'internal.fault' ? new DeskError('engine.cannotStart', { cause: error }) : error;
}
