import { forkEngine } from '../../src/main/shells/browser/fork-engine.ts';

/** Starts engines as the browser shell does; `messages` are all that main and the engines send each other, as JSON. */
export function recordEngineMessages(): { messages: string[]; startEngineProcess: typeof forkEngine } {
  const messages: string[] = [];
  return {
    messages,
    startEngineProcess(preferredPort) {
      const engine = forkEngine(preferredPort);
      const { pipe } = engine;
      return {
        ...engine,
        pipe: {
          post(message) {
            messages.push(JSON.stringify(message));
            pipe.post(message);
          },
          onMessage: (listener) =>
            pipe.onMessage((message) => {
              messages.push(JSON.stringify(message));
              listener(message);
            }),
        },
      };
    },
  };
}
