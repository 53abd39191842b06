import { join } from 'node:path';
import { openAnchorStore } from '../keychain/anchor-store.ts';
import { openMainSecrets } from '../keychain/main-secrets.ts';
import { answerBy, createChannel } from '../lib/channel.ts';
import { systemClock } from '../lib/clock.ts';
import { type EngineInit, engineCalls, forward, type MainCalls } from '../lib/engine-protocol.ts';
import { createLog, type Log } from '../lib/log.ts';
import { logFailure } from '../lib/log-failure.ts';
import { profilePaths } from '../lib/paths.ts';
import { createEngine } from './engine.ts';
import type { Engine } from './engine-ports.ts';
import { type EngineLoopback, openEngineLoopback } from './ipc/engine-loopback.ts';
import { serveWindowPort } from './ipc/window-port.ts';
import type { EngineParent } from './parent-link.ts';
import type { Transport } from './service/transport.ts';
import { loadThreadsAhead } from './store/threads/store-thread.ts';

interface EngineRuntime {
  readonly openTransport: () => Promise<Transport>;
  /** The port of the loopback server, if it is free; open windows know it. */
  readonly preferredPort: number;
  readonly exit: (code: number) => void;
  /** Calls the listener with an uncaught error; the process ends after it. */
  readonly onUncaught: (listener: (thrown: unknown) => Promise<void>) => void;
}

interface Running {
  readonly engine: Engine;
  readonly loopback: EngineLoopback | null;
  close(): Promise<void>;
}

/** Neither is 0, so that a shell can distinguish them from an engine that was asked to end. */
export const exitCodes = { crashed: 70, cannotStart: 71 } as const;

/** The threads that start at once: one for user data, a writer and a reader of records. */
const threadsAtStart = 3;

/** How long the engine may take to close its stores after its parent has ended. */
const orphanLimitMs = 2_000;

/**
 * Runs the engine for a parent: waits for its first message, answers windows at its own port (in Electron, over ports
 * that the parent passes on), and ends after `close`, or when the parent has ended.
 */
export function runEngine(parent: EngineParent, runtime: EngineRuntime): void {
  loadThreadsAhead(threadsAtStart);
  const { promise: started, resolve } = Promise.withResolvers<Running>();
  let log: Log | null = null;
  const answers = {
    ...forward(engineCalls, async (name, input) => (await started).engine[name](input as never)),
    setWindows: async (tokens: readonly string[]) => (await started).loopback?.setWindows(tokens),
    async init(init: EngineInit) {
      // The engine has a separate log file: two processes that rotate one log would lose each other's lines.
      const opened = createLog({
        filePath: join(profilePaths(init.profileDir).logsDir, 'engine.log'),
        clock: systemClock,
      });
      log = opened;
      try {
        const running = await start(init, makeMainCalls(channel.call), runtime, opened);
        resolve(running);
        return running.loopback?.port ?? null;
      } catch (thrown) {
        logFailure(opened, 'engine.cannotStart', thrown);
        void opened.flush().then(() => runtime.exit(exitCodes.cannotStart));
        throw thrown;
      }
    },
    async close() {
      try {
        await (await started).close();
      } finally {
        // Exits after the answer, and not when main sends a signal: if that were ignored, the records would stay in
        // memory.
        setImmediate(runtime.exit, 0);
      }
    },
  };
  const channel = createChannel(parent.pipe, answerBy(answers));
  runtime.onUncaught(async (thrown) => {
    if (log !== null) {
      logFailure(log, 'engine.crashed', thrown);
      await log.flush();
    }
    runtime.exit(exitCodes.crashed);
  });
  parent.onWindowPort((port) => void started.then(({ engine }) => serveWindowPort(port, engine)));
  parent.onParentEnded(() => {
    setTimeout(runtime.exit, orphanLimitMs, 0).unref();
    started.then(({ close }) => close()).finally(() => runtime.exit(0));
  });
}

async function start(init: EngineInit, main: MainCalls, runtime: EngineRuntime, log: Log): Promise<Running> {
  const secrets = openMainSecrets(init.profileDir, main);
  const engine = createEngine({
    profileDir: init.profileDir,
    main,
    secrets,
    anchors: openAnchorStore(secrets, init.anchorsBeginInKeychain),
    transport: await runtime.openTransport(),
    clock: systemClock,
    log,
    isReadOnly: init.isReadOnly,
    policy: init.policy,
  });
  if (init.opensFirst !== null) engine.openAhead(init.opensFirst);
  const loopback =
    init.windowOrigin === null
      ? null
      : await openEngineLoopback({
          engine,
          windowOrigin: init.windowOrigin,
          preferredPort: runtime.preferredPort,
        });
  log.write('engine.started');
  return {
    engine,
    loopback,
    async close() {
      await loopback?.close();
      await engine.close();
      await log.flush();
    },
  };
}

/** Makes the engine's calls to main: each of its functions is a call over the channel. */
const makeMainCalls = (call: (name: string, input: unknown) => Promise<unknown>): MainCalls =>
  new Proxy({} as MainCalls, {
    // A proxy that answers to 'then' would be awaited as a promise.
    get: (_host, name) =>
      name === 'then' || typeof name === 'symbol' ? undefined : (input: unknown = null) => call(name, input),
  });
