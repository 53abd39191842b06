import { keepFilesPrivate } from '../lib/narrow-profile.ts';
import { linkForkParent, linkUtilityParent, type UtilityPort } from './parent-link.ts';
import { exitCodes, runEngine } from './run-engine.ts';
import type { Transport } from './service/transport.ts';

/**
 * Entry of the engine's process: a forked child in the browser shell, a utility process in Electron. Only main decides
 * when it ends, so signals that a terminal sends to the whole process group are ignored here.
 */
const port = (process as { parentPort?: UtilityPort }).parentPort;

/**
 * Loads the transport of this platform: `electron` exists only in Electron, and undici is needed only on Node. Undici
 * is loaded with the first request: it takes a fifth of the engine's start, and lists do not need it.
 */
async function openTransport(): Promise<Transport> {
  if (port !== undefined) return (await import('./service/electron-transport.ts')).createElectronTransport();
  let loading: Promise<Transport> | null = null;
  return async (request) => {
    loading ??= import('./service/undici-transport.ts').then(
      (loaded) => loaded.createUndiciTransport().transport,
    );
    return (await loading)(request);
  };
}

keepFilesPrivate();
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

const preferredPort = Number(/^--port=(\d{1,5})$/.exec(process.argv[2] ?? '')?.[1] ?? 0);
runEngine(port === undefined ? linkForkParent(process) : linkUtilityParent(port), {
  openTransport,
  preferredPort,
  exit: (code) => process.exit(code),
  onUncaught: (listener) => {
    // The error may contain a record, so it is not printed. The log gets limited time to be written.
    process.on('uncaughtException', (thrown) => {
      setTimeout(() => process.exit(exitCodes.crashed), 1_000);
      void listener(thrown);
    });
  },
});
