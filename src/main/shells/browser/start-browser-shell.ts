import { createDesk, type Desk } from '../../desk.ts';
import type { DeskPorts } from '../../ipc/desk-state.ts';
import { systemClock } from '../../lib/clock.ts';
import { DeskError, toErrorReport } from '../../lib/errors.ts';
import { acquireLease } from '../../lib/lease.ts';
import { createLog } from '../../lib/log.ts';
import { logFailure } from '../../lib/log-failure.ts';
import { listenOnLoopback } from '../../lib/loopback/loopback-server.ts';
import { profilePaths } from '../../lib/paths.ts';
import { startSampleService } from '../../lib/sample-service.ts';
import { findAppPlaces, readAppVersion } from '../app-paths.ts';
import { listPageFiles } from '../page/page-files.ts';
import { readSampleSize } from '../sample-size.ts';
import { chooseSavePath } from './choose-save-path.ts';
import { createEngineAddress } from './engine-address.ts';
import { forkEngine } from './fork-engine.ts';
import { createHostHandler } from './host-server.ts';
import { openInSystem } from './open-in-system.ts';
import { createSessionPass } from './session-pass.ts';
import { createWindows } from './windows.ts';

export interface BrowserShell {
  /** The address that opens the first window, once. */
  readonly openUrl: string;
  readonly origin: string;
  readonly desk: Desk;
  /** Resolves when the shell has ended, by `close` or because its last window has gone. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export interface BrowserShellOptions {
  readonly profileDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly rendererDir?: string;
  /** How long after its last window the shell ends; a reload must fit in. */
  readonly closedAfterMs?: number;
  /** Tests listen in on what main and the engine tell each other. */
  readonly startEngineProcess?: typeof forkEngine;
}

/**
 * Starts the app for a browser on this computer: main's desk and a loopback host here, the engine as a child
 * with an address of its own.
 * @throws DeskError `profile.busy`, `profile.unwritable`
 */
export async function startBrowserShell(options: BrowserShellOptions): Promise<BrowserShell> {
  const { profileDir, environment } = options;
  const lease = await acquireLease(profileDir);
  const log = createLog({ filePath: profilePaths(profileDir).log, clock: systemClock });
  const files = await listPageFiles(options.rendererDir ?? findAppPlaces().rendererDir).catch(
    async (cause: unknown) => {
      await lease.release();
      throw new DeskError('internal.fault', { details: { missing: 'out/renderer' }, cause });
    },
  );
  const pass = createSessionPass();
  const windows = createWindows({
    closedAfterMs: options.closedAfterMs ?? 10_000,
    onAllClosed: () => void close(),
  });
  const server = await listenOnLoopback((request, response) => handle(request, response));
  const origin = `http://localhost:${server.port}`;
  const engine = createEngineAddress({
    windowOrigin: origin,
    startProcess: options.startEngineProcess ?? forkEngine,
    tokensFor: windows.tokensFor,
  });
  const ports: DeskPorts = {
    shell: 'browser',
    version: readAppVersion(),
    profileDir,
    environment,
    clock: systemClock,
    log,
    startEngine: engine.startEngine,
    startSampleService: () => startSampleService(readSampleSize(environment)),
    openUrl: (url) => openInSystem(url, environment),
    // The page has a clipboard of its own; this process has none.
    writeClipboard: async () => false,
    clearClipboard: async () => undefined,
    chooseSavePath: (suggestedName) => chooseSavePath(suggestedName, environment),
    isReadOnly: false,
  };
  const desk = createDesk(ports, { watchesIdle: true });
  desk.subscribe((event) => {
    if (event.name === 'lock:changed' && event.payload.isLocked) engine.forgetPort();
    windows.send(event);
  });
  const handle = createHostHandler({
    desk,
    pass,
    windows,
    files,
    port: () => server.port,
    async findEngine() {
      if (desk.isLocked) return { url: '', problem: null };
      try {
        await desk.getEngine();
        return { url: engine.url, problem: null };
      } catch (thrown) {
        logFailure(log, 'engine.failed', thrown);
        return { url: '', problem: toErrorReport(thrown) };
      }
    },
    welcomeWindows: engine.welcomeWindows,
  });
  log.write('shell.started');
  // The window asks for it in a moment; what fails is told then.
  if (!desk.isLocked) void desk.getEngine().catch(() => undefined);

  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      windows.close();
      await server.close();
      await desk.close();
      await lease.release();
      resolve();
    })();
    return closing;
  };
  return { openUrl: pass.addressOf(origin), origin, desk, ended, close };
}
