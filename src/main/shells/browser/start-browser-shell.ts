import type { DeskPorts } from '../../desk/desk-state.ts';
import { createDesk, type Desk } from '../../desk.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { DeskError, toErrorReport } from '../../lib/errors.ts';
import { createLog, type Log } from '../../lib/log.ts';
import { logFailure } from '../../lib/log-failure.ts';
import { chooseLoopbackHost, listenOnLoopback } from '../../lib/loopback/loopback-server.ts';
import { profilePaths } from '../../lib/paths.ts';
import { readPolicy } from '../../lib/read-policy.ts';
import { acquireWriteLock } from '../../lib/write-lock.ts';
import { findAppPaths, readAppVersion } from '../app-paths.ts';
import { type ConnectedEngine, connectEngine, type EngineProcess } from '../connect-engine.ts';
import { listPageFiles } from '../page/page-files.ts';
import { startWindowSample } from '../sample-size.ts';
import { chooseSavePath } from './choose-save-path.ts';
import { forkEngine } from './fork-engine.ts';
import { createHostHandler } from './host-server.ts';
import { openInSystem } from './open-in-system.ts';
import { createRedirectFiles } from './redirect-file.ts';
import { createWindowPasses, passLifeMs } from './window-passes.ts';
import { createWindows } from './windows.ts';

/**
 * Starts engines and knows the address of the current one. An engine that is started after a crash uses the port of the
 * crashed one, so that open pages continue to work. After a lock it uses another port, because a program could have
 * listened on the old one to receive the pages' tokens.
 */
function createEngineAddress(options: {
  windowOrigin: string;
  startProcess: (preferredPort: number) => EngineProcess;
  /** The tokens of windows that were given this address. */
  tokensFor: (engineUrl: string) => string[];
}) {
  let current: { url: string; engine: ConnectedEngine } | null = null;
  let preferredPort = 0;

  const startEngine: DeskPorts['startEngine'] = async (main, init) => {
    const engine = await connectEngine({
      process: options.startProcess(preferredPort),
      main,
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
    /** Sends the engine the tokens of windows that were given its address. An engine that is ending gets none. */
    async welcomeWindows(): Promise<void> {
      await current?.engine.setWindows(options.tokensFor(current.url)).catch(() => undefined);
    },
    forgetPort(): void {
      preferredPort = 0;
    },
  };
}

type EngineAddress = ReturnType<typeof createEngineAddress>;

export interface BrowserShell {
  /** An address that opens a window once, within a minute; it makes the previous one invalid. */
  makeAddress(): string;
  /** Opens a window in the system's browser; false where that is not possible. */
  openWindow(): Promise<boolean>;
  /** Whether a window was ever opened. */
  readonly hasWindow: boolean;
  readonly origin: string;
  readonly desk: Desk;
  /** Resolves when the shell has ended, by `close` or because its last window was closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export interface BrowserShellOptions {
  readonly profileDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly rendererDir?: string;
  /** For tests: replaces every source of this computer's policy. */
  readonly policyFile?: string;
  /** How long after its last window closed the shell ends; longer than a reload takes. */
  readonly closedAfterMs?: number;
  /** How long the token of a window is valid if its page opens no stream of events. */
  readonly unopenedAfterMs?: number | undefined;
  /** Tests observe the messages between main and the engine. */
  readonly startEngineProcess?: typeof forkEngine;
}

/**
 * Starts the app for a browser on this computer: the desk (main's half) and a loopback server in this process, the
 * engine as a child process with a separate address.
 * @throws DeskError `policy.damaged`, `profile.busy`, `profile.heldElsewhere`, `profile.unwritable`
 */
export async function startBrowserShell(options: BrowserShellOptions): Promise<BrowserShell> {
  const { profileDir, environment, clock = systemClock } = options;
  const policy = await readPolicy(options.policyFile);
  const writeLock = await acquireWriteLock(profileDir);
  const paths = profilePaths(profileDir);
  const log = createLog({ filePath: paths.log, clock });
  const files = await listPageFiles(options.rendererDir ?? findAppPaths().rendererDir).catch(
    async (cause: unknown) => {
      await writeLock.release();
      throw new DeskError('internal.fault', { details: { missing: 'out/renderer' }, cause });
    },
  );
  const redirects = createRedirectFiles(paths.redirectsDir, passLifeMs);
  await redirects.clear();
  const windows = createWindows({
    closedAfterMs: options.closedAfterMs ?? 10_000,
    unopenedAfterMs: options.unopenedAfterMs,
    onAllClosed: () => void close(),
    onRemoved: () => void engine.welcomeWindows(),
  });
  const hostname = await chooseLoopbackHost();
  const server = await listenOnLoopback((request, response) => handle(request, response), hostname);
  const host = `${hostname}:${server.port}`;
  const origin = `http://${host}`;
  let openedFile: string | null = null;
  const passes = createWindowPasses({
    clock,
    origin,
    onUsed: () => {
      if (openedFile !== null) void redirects.remove(openedFile);
    },
  });
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
    clock,
    log,
    startEngine: engine.startEngine,
    startSampleService: () => startWindowSample(environment),
    openUrl: (url) => openInSystem(url, redirects, environment),
    // The page uses the browser's clipboard; this process has none.
    writeClipboard: async () => false,
    clearClipboard: async () => undefined,
    chooseSavePath: (suggestedName, folder) => chooseSavePath(suggestedName, environment, folder),
    isReadOnly: false,
    policy: policy.rules,
    policySources: policy.sources,
    isPolicyFileIgnored: policy.isPolicyFileIgnored,
  };
  const desk = createDesk(ports, { watchesIdle: true });
  const { startEngine, ...engineOfWindows } = followEngine(desk, engine, log);
  desk.subscribe((event) => {
    if (event.name === 'lock:changed') {
      if (event.payload.isLocked) engine.forgetPort();
      else startEngine();
    }
    windows.send(event);
  });
  const handle = createHostHandler({ desk, passes, windows, files, host: () => host, ...engineOfWindows });
  log.write('shell.started');
  if (!desk.isLocked) startEngine();

  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      windows.close();
      await server.close();
      await redirects.clear();
      await desk.close();
      await writeLock.release();
      resolve();
    })();
    return closing;
  };
  return {
    makeAddress: passes.makeAddress,
    openWindow() {
      // Recorded before the browser opens it, so that it is deleted as soon as the pass is used.
      const write = async (url: URL): Promise<string> => {
        openedFile = await redirects.write(url);
        return openedFile;
      };
      return openInSystem(new URL(passes.makeAddress()), { ...redirects, write }, environment);
    },
    get hasWindow() {
      return !windows.isEmpty;
    },
    origin,
    desk,
    ended,
    close,
  };
}

function followEngine(desk: Desk, engine: EngineAddress, log: Log) {
  let starting: Promise<unknown> = Promise.resolve();
  const getEngine = (): Promise<unknown> => {
    starting = desk.getEngine();
    return starting;
  };
  return {
    /** A window needs the engine soon; an error of the start is reported then. */
    startEngine: (): void => void getEngine().catch(() => undefined),
    welcomeWindows: engine.welcomeWindows,
    async awaitEngine() {
      if (desk.isLocked) return '';
      await starting.catch(() => undefined);
      return engine.url;
    },
    async findEngine() {
      if (desk.isLocked) return { url: '', problem: null };
      try {
        await getEngine();
        return { url: engine.url, problem: null };
      } catch (thrown) {
        logFailure(log, 'engine.failed', thrown);
        return { url: '', problem: toErrorReport(thrown) };
      }
    },
  };
}
