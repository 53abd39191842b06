import { forkEngine } from '../../src/main/shells/browser/fork-engine.ts';

/** Starts engines as the browser shell does; `overheard` is everything that main and they tell each other. */
export function overhearEngines(): { overheard: string[]; startEngineProcess: typeof forkEngine } {
  const overheard: string[] = [];
  return {
    overheard,
    startEngineProcess(preferredPort) {
      const engine = forkEngine(preferredPort);
      const { pipe } = engine;
      return {
        ...engine,
        pipe: {
          post(message) {
            overheard.push(JSON.stringify(message));
            pipe.post(message);
          },
          onMessage: (listener) =>
            pipe.onMessage((message) => {
              overheard.push(JSON.stringify(message));
              listener(message);
            }),
        },
      };
    },
  };
}
