import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { BrowserWindow, BrowserWindowConstructorOptions, WebContents, WebFrameMain } from 'electron';
import type { UsedWebContents, UsedWindow } from '../support/used-electron.ts';
import { toAppAddress, toPageAddress } from './address.ts';
import type { DevTools, Params } from './devtools.ts';
import type { StandInPort } from './ports.ts';
import type { StandInSession } from './session.ts';
import { joinWorlds, runPreload } from './worlds.ts';

/** The parts of the stand-in that windows need. */
export interface WindowHost {
  devTools(): Promise<DevTools>;
  /** `ipcMain`: what a page asks. */
  invoke(channel: string, event: object, given: unknown[]): Promise<unknown>;
  send(channel: string, event: object, given: unknown[]): void;
  created(contents: StandInWebContents): void;
  windows: Set<object>;
  allClosed(): void;
}

const preloadWorld = 'preload';
type FromPage =
  | { kind: 'invoke'; id: number; channel: string; given: unknown[] }
  | { kind: 'send'; channel: string; given: unknown[] }
  | { kind: 'toPort'; id: number; data: unknown };

/** The page's main frame as main sees it: another one after each navigation. */
class StandInFrame implements Pick<WebFrameMain, 'url' | 'parent' | 'postMessage'> {
  readonly parent = null;
  readonly #ports = new Map<number, StandInPort>();
  #nextPort = 1;
  url = '';
  readonly #tell: (message: object) => void;

  constructor(tell: (message: object) => void) {
    this.#tell = tell;
  }
  postMessage(channel: string, message: unknown, transfer: readonly unknown[] = []): void {
    const ports = (transfer as readonly StandInPort[]).map((port) => {
      const id = this.#nextPort;
      this.#nextPort += 1;
      this.#ports.set(id, port);
      return id;
    });
    this.#tell({ kind: 'message', channel, given: [message], ports });
    for (const id of ports) {
      this.#ports.get(id)?.transfer({
        deliver: (data) => this.#tell({ kind: 'toPort', id, data }),
        close: () => this.#tell({ kind: 'closePort', id }),
      });
    }
  }
  toPort(id: number, data: unknown): void {
    this.#ports.get(id)?.postMessage(data);
  }
  close(): void {
    for (const port of this.#ports.values()) port.close();
  }
}

export class StandInWebContents extends EventEmitter implements UsedWebContents {
  readonly #host: WindowHost;
  readonly #session: StandInSession;
  readonly #opened: Promise<{ devTools: DevTools; targetId: string; page: string }>;
  #openHandler: Parameters<WebContents['setWindowOpenHandler']>[0] = () => ({ action: 'allow' });
  #preloadContext: number | null = null;
  #isDestroyed = false;
  /** An address that main loads is no navigation of the page. */
  #loading: string | null = null;
  mainFrame: StandInFrame;

  constructor(host: WindowHost, session: StandInSession, options: BrowserWindowConstructorOptions) {
    super();
    this.#host = host;
    this.#session = session;
    this.mainFrame = this.#newFrame('about:blank');
    this.#opened = this.#open(options);
    // Not for main to handle: the stand-in itself is at fault.
    this.#opened.catch((thrown: unknown) => process.nextTick(() => Promise.reject(thrown)));
    host.created(this);
  }
  send(channel: string, ...given: unknown[]): void {
    this.#tell({ kind: 'message', channel, given, ports: [] });
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  /** The debugging protocol does not tell it. */
  getOSProcessId(): number {
    return 0;
  }
  forcefullyCrashRenderer(): void {
    this.mainFrame.close();
    // Never answered: who would answer is what it ends.
    void this.#opened.then(({ devTools, page }) => devTools.send('Page.crash', {}, page));
  }
  setWindowOpenHandler(handler: Parameters<WebContents['setWindowOpenHandler']>[0]): void {
    this.#openHandler = handler;
  }
  setWebRTCIPHandlingPolicy(): void {}

  async load(address: string): Promise<void> {
    const { devTools, page } = await this.#opened;
    this.#loading = address;
    const loaded = new Promise<void>((resolve) => devTools.on('Page.loadEventFired', () => resolve(), page));
    const { errorText } = await devTools.send('Page.navigate', { url: toPageAddress(address) }, page);
    if (errorText !== undefined) throw new Error(`${errorText} loading '${address}'`);
    await loaded;
  }
  destroy(): void {
    this.#isDestroyed = true;
    this.mainFrame.close();
    void this.#opened.then(({ devTools, targetId }) => devTools.send('Target.closeTarget', { targetId }));
  }

  async #open({ width = 800, height = 600, webPreferences = {} }: BrowserWindowConstructorOptions) {
    const { preload, contextIsolation, sandbox, nodeIntegration } = webPreferences;
    if (preload === undefined || contextIsolation !== true || sandbox !== true || nodeIntegration !== false)
      throw new Error('The stand-in shows sandboxed, isolated pages with a preload only.');
    const devTools = await this.#host.devTools();
    const { targetId } = await devTools.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
    });
    const { sessionId } = await devTools.send('Target.attachToTarget', { targetId, flatten: true });
    const page = sessionId as string;
    const call = (method: string, params: Params = {}): Promise<Params> =>
      devTools.send(method, params, page);

    devTools.on('Fetch.requestPaused', (paused) => void this.#answer(paused, call), page);
    devTools.on('Runtime.bindingCalled', ({ payload }) => this.#hear(JSON.parse(String(payload))), page);
    devTools.on(
      'Runtime.executionContextCreated',
      ({ context }) => {
        const { id, name } = context as { id: number; name: string };
        if (name === preloadWorld) this.#preloadContext = id;
      },
      page,
    );
    devTools.on(
      'Page.frameNavigated',
      ({ frame }) => {
        const { url, parentId } = frame as { url: string; parentId?: string };
        if (parentId === undefined) this.#moveTo(toAppAddress(url));
      },
      page,
    );
    devTools.on(
      'Page.navigatedWithinDocument',
      ({ url }) => {
        this.mainFrame.url = toAppAddress(String(url));
      },
      page,
    );
    devTools.on('Target.targetCreated', ({ targetInfo }) => {
      const opened = targetInfo as { targetId: string; openerId?: string; url: string };
      if (opened.openerId !== targetId) return;
      const { action } = this.#openHandler({ url: opened.url } as never);
      if (action === 'deny') void devTools.send('Target.closeTarget', { targetId: opened.targetId });
    });
    await devTools.send('Target.setDiscoverTargets', { discover: true });
    await Promise.all([
      call('Page.enable'),
      call('Runtime.enable'),
      call('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] }),
      call('Runtime.addBinding', { name: 'toMain', executionContextName: preloadWorld }),
      call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }),
    ]);
    const join = (side: string): string => `(${joinWorlds.toString()})('stand-in', '${side}')`;
    await call('Page.addScriptToEvaluateOnNewDocument', { source: join('page') });
    const text = readFileSync(preload, 'utf8');
    await call('Page.addScriptToEvaluateOnNewDocument', {
      worldName: preloadWorld,
      source: `(${runPreload.toString()})(${join('preload')}, (require, module, exports) => {\n${text}\n})`,
    });
    return { devTools, targetId: targetId as string, page };
  }

  /** Every request of the page: first whether it may be, then what answers it. */
  async #answer(paused: Params, call: (method: string, params: Params) => Promise<Params>): Promise<void> {
    const { requestId, resourceType } = paused;
    const request = paused.request as { url: string; method: string };
    const url = toAppAddress(request.url);
    const fail = (errorReason: string) => call('Fetch.failRequest', { requestId, errorReason });
    if (resourceType === 'Document' && !this.#mayNavigate(url)) return void (await fail('Aborted'));
    if (!(await this.#session.allows(url))) return void (await fail('BlockedByClient'));
    const reply = await this.#session.answer(url, request.method);
    if (reply === null) return void (await call('Fetch.continueRequest', { requestId }));
    await call('Fetch.fulfillRequest', {
      requestId,
      responseCode: reply.status,
      responseHeaders: [...reply.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await reply.arrayBuffer()).toString('base64'),
    }).catch(() => undefined);
  }
  #mayNavigate(url: string): boolean {
    const isByMain = this.#loading === url;
    this.#loading = null;
    if (isByMain) return true;
    const event = new Event('will-navigate', { cancelable: true });
    const details = Object.assign(event, { url, isMainFrame: true });
    this.emit('will-frame-navigate', details);
    this.emit('will-navigate', details);
    return !event.defaultPrevented;
  }
  #newFrame(url: string): StandInFrame {
    const frame = new StandInFrame((message) => {
      if (this.mainFrame === frame) this.#tell(message);
    });
    frame.url = url;
    return frame;
  }
  #moveTo(url: string): void {
    this.mainFrame.close();
    this.mainFrame = this.#newFrame(url);
  }
  #hear(message: FromPage): void {
    const frame = this.mainFrame;
    const event = { sender: this, senderFrame: frame };
    if (message.kind === 'toPort') frame.toPort(message.id, message.data);
    else if (message.kind === 'send') this.#host.send(message.channel, event, message.given);
    else {
      const { id } = message;
      this.#host.invoke(message.channel, event, message.given).then(
        (value) => this.#tell({ kind: 'reply', id, value }),
        (thrown) => this.#tell({ kind: 'reply', id, error: String(thrown) }),
      );
    }
  }
  #tell(message: object): void {
    const contextId = this.#preloadContext;
    if (contextId === null || this.#isDestroyed) return;
    const expression = `fromMain(${JSON.stringify(message)})`;
    void this.#opened.then(({ devTools, page }) =>
      // A page that has navigated away receives nothing.
      devTools.send('Runtime.evaluate', { expression, contextId }, page).catch(() => undefined),
    );
  }
}

export const createWindowClass = (host: WindowHost) =>
  class StandInWindow extends EventEmitter implements UsedWindow, Pick<BrowserWindow, 'close'> {
    readonly webContents: StandInWebContents & WebContents;
    readonly #bounds: Electron.Rectangle;
    #isMaximized = false;

    constructor(options: BrowserWindowConstructorOptions) {
      super();
      const session = options.webPreferences?.session as unknown as StandInSession;
      this.#bounds = {
        x: options.x ?? 0,
        y: options.y ?? 0,
        width: options.width ?? 800,
        height: options.height ?? 600,
      };
      this.webContents = new StandInWebContents(host, session, options) as StandInWebContents & WebContents;
      host.windows.add(this);
    }
    async loadURL(address: string): Promise<void> {
      await this.webContents.load(address);
      this.emit('ready-to-show');
    }
    show(): void {}
    hide(): void {}
    focus(): void {
      this.emit('focus');
    }
    restore(): void {}
    maximize(): void {
      this.#isMaximized = true;
    }
    isMaximized(): boolean {
      return this.#isMaximized;
    }
    isMinimized(): boolean {
      return false;
    }
    getNormalBounds(): Electron.Rectangle {
      return this.#bounds;
    }
    close(): void {
      this.emit('close', { preventDefault: () => undefined });
      this.destroy();
    }
    destroy(): void {
      if (!host.windows.delete(this)) return;
      this.webContents.destroy();
      this.emit('closed');
      if (host.windows.size === 0) host.allClosed();
    }
  };
