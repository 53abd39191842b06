import { keepFilesPrivate } from '../lib/narrow-profile.ts';
import { linkForkParent, linkUtilityParent, type UtilityPort } from './parent-link.ts';
import { exitCodes, runEngine } from './run-engine.ts';
import type { Transport } from './service/transport.ts';

/**
 * Entry of the engine's process: a forked child in the browser shell, a utility process in Electron. Main
 * alone decides when it ends, so signals that a terminal sends to the whole group are left to main.
 */
const port = (process as { parentPort?: UtilityPort }).parentPort;

/**
 * Loaded only where it can run: Node knows no `electron`, and Electron has no need of undici. Undici is loaded with the
 * first request: it takes a fifth of the engine's start, and lists need none.
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
    // What went wrong may hold a record, so it is not printed. The log is not waited for without end.
    process.on('uncaughtException', (thrown) => {
      setTimeout(() => process.exit(exitCodes.crashed), 1_000);
      void listener(thrown);
    });
  },
});
