import { setTimeout as wait } from 'node:timers/promises';
import type { EngineHandle } from '../desk/desk-state.ts';
import { answerBy, createChannel, type MessagePipe } from '../lib/channel.ts';
import {
  type EngineControl,
  type EngineInit,
  engineCalls,
  forward,
  type MainCalls,
} from '../lib/engine-protocol.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';

export interface EngineProcess {
  readonly pipe: MessagePipe;
  /** Called once when the process has ended. */
  onEnded(listener: () => void): void;
  kill(): void;
}

/** The engine's calls for a shell, in addition to the desk's. */
export interface ConnectedEngine extends EngineHandle {
  /** The port at which the engine answers windows; null where it is handed message ports instead. */
  readonly port: number | null;
  /** Sets the windows that the engine may answer; resolves when the engine has received them. */
  setWindows(tokens: readonly string[]): Promise<void>;
}

const startLimitMs = 30_000;
/** The longest that a lock waits for a store to close, which writes the rest of its log. */
const closeLimitMs = 3_000;

/**
 * Connects to an engine's process over its private channel: initializes it, answers its questions to main, and ends it.
 * No record goes over this channel.
 * @throws DeskError with the reason of a failed start; `engine.cannotStart` if the engine reports none or ends before
 * it is ready
 */
export async function connectEngine(options: {
  process: EngineProcess;
  main: MainCalls;
  init: EngineInit;
}): Promise<ConnectedEngine> {
  const { process: engine, main, init } = options;
  const listeners: ((wasWanted: boolean) => void)[] = [];
  let wasWanted = false;
  let hasEnded = false;
  const channel = createChannel(engine.pipe, answerBy(main));
  const ended = new Promise<void>((resolve) =>
    engine.onEnded(() => {
      hasEnded = true;
      channel.lose();
      for (const listener of listeners) listener(wasWanted);
      resolve();
    }),
  );

  const late = wait(startLimitMs, undefined, { ref: false }).then(() => {
    throw new DeskError('engine.cannotStart');
  });
  const port = await Promise.race([channel.call('init', init), late]).catch((thrown) => {
    engine.kill();
    throw refusalOf(toDeskError(thrown));
  });
  return {
    ...(forward(engineCalls, channel.call) as unknown as Omit<EngineControl, 'close'>),
    port: port as number | null,
    setWindows: async (tokens) => void (await channel.call('setWindows', tokens)),
    closeToWindows: async () => void (await channel.call('setWindows', [])),
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

/** The error of a failed start; `engine.cannotStart` if no reason was reported. */
const refusalOf = (error: DeskError): DeskError =>
  error.code === 'internal.fault' || error.code === 'engine.stopped'
    ? new DeskError('engine.cannotStart', { cause: error })
    : error;
