import type { DeskPorts } from '../../desk/desk-state.ts';
import { type ConnectedEngine, connectEngine, type EngineProcess } from '../connect-engine.ts';

/**
 * Starts engines and knows the address of the current one. An engine that is started after a crash uses the port of
 * the crashed one, so that open pages continue to work. After a lock it does not, because another program could have
 * listened on that port in between to receive the pages' tokens.
 */
export function createEngineAddress(options: {
  windowOrigin: string;
  startProcess: (preferredPort: number) => EngineProcess;
  /** The tokens of windows that were given this address. */
  tokensFor: (engineUrl: string) => string[];
}) {
  let current: { url: string; engine: ConnectedEngine } | null = null;
  let preferredPort = 0;

  const startEngine: DeskPorts['startEngine'] = async (host, init) => {
    const engine = await connectEngine({
      process: options.startProcess(preferredPort),
      host,
      init: { ...init, windowOrigin: options.windowOrigin },
    });
    preferredPort = engine.port ?? 0;
    const { hostname } = new URL(options.windowOrigin);
    const started = { url: `http://${hostname}:${engine.port}`, engine };
    await engine.setWindows(options.tokensFor(started.url));
    current = started;
    engine.onEnded(() => {
      if (current === started) current = null;
    });
    return engine;
  };

  return {
    startEngine,
    get url(): string {
      return current?.url ?? '';
    },
    /** Sends the engine the tokens of windows that were given its address. An engine that is ending is not told. */
    async welcomeWindows(): Promise<void> {
      await current?.engine.setWindows(options.tokensFor(current.url)).catch(() => undefined);
    },
    forgetPort(): void {
      preferredPort = 0;
    },
  };
}

export type EngineAddress = ReturnType<typeof createEngineAddress>;
