import type { DeskPorts } from '../../ipc/desk-state.ts';
import { type ConnectedEngine, connectEngine, type EngineProcess } from '../connect-engine.ts';

/**
 * Starts engines and knows where the present one answers. An engine that follows a crash takes the port of
 * the one before, so that pages go on; one that follows a lock does not, because meanwhile another program
 * could have listened there for the tokens of pages.
 */
export function createEngineAddress(options: {
  windowOrigin: string;
  startProcess: (preferredPort: number) => EngineProcess;
  /** The tokens of windows that were told of this address. */
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
    /** Lets the engine know of a window that was told of it just now; one that is ending needs to know no more. */
    async welcomeWindows(): Promise<void> {
      await current?.engine.setWindows(options.tokensFor(current.url)).catch(() => undefined);
    },
    forgetPort(): void {
      preferredPort = 0;
    },
  };
}

export type EngineAddress = ReturnType<typeof createEngineAddress>;
