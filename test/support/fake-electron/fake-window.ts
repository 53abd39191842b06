import { EventEmitter } from 'node:events';
import type { WebContents, WebFrameMain } from 'electron';
import type { UsedWebContents, UsedWindow } from '../used-electron.ts';

/** A message that was posted to a frame. */
export interface PostedToFrame {
  readonly channel: string;
  readonly message: unknown;
  readonly ports: readonly unknown[];
}

export class FakeFrame implements Pick<WebFrameMain, 'url' | 'postMessage'> {
  url = 'app://claimdesk/';
  parent: WebFrameMain | null = null;
  readonly posted: PostedToFrame[] = [];
  postMessage(channel: string, message: unknown, ports: readonly unknown[] = []): void {
    this.posted.push({ channel, message, ports });
  }
}

export class FakeWebContents extends EventEmitter implements UsedWebContents {
  readonly sent: { channel: string; value: unknown }[] = [];
  readonly mainFrame = new FakeFrame();
  hasCrashed = false;
  pid = 0;
  isClosed = false;
  openHandler: Parameters<WebContents['setWindowOpenHandler']>[0] | undefined;

  send(channel: string, value: unknown): void {
    this.sent.push({ channel, value });
  }
  isDestroyed(): boolean {
    return this.isClosed;
  }
  getOSProcessId(): number {
    return this.pid;
  }
  forcefullyCrashRenderer(): void {
    this.hasCrashed = true;
  }
  webRtcPolicy: Parameters<WebContents['setWebRTCIPHandlingPolicy']>[0] = 'default';
  setWebRTCIPHandlingPolicy(policy: FakeWebContents['webRtcPolicy']): void {
    this.webRtcPolicy = policy;
  }
  setWindowOpenHandler(handler: Parameters<WebContents['setWindowOpenHandler']>[0]): void {
    this.openHandler = handler;
  }
}

export class FakeBrowserWindow extends EventEmitter implements UsedWindow {
  static made: FakeBrowserWindow[] = [];
  readonly webContents = new FakeWebContents();
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly done: string[] = [];
  bounds: Electron.Rectangle;
  isBig = false;
  isSmall = false;

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    const { x = 10, y = 20, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
    FakeBrowserWindow.made.push(this);
  }
  async loadURL(url: string): Promise<void> {
    this.done.push(`load ${url}`);
    if (this.webContents.isClosed) throw new Error('ERR_ABORTED');
    this.emit('ready-to-show');
  }
  show(): void {
    this.done.push('show');
  }
  hide(): void {
    this.done.push('hide');
  }
  focus(): void {
    this.done.push('focus');
  }
  restore(): void {
    this.isSmall = false;
    this.done.push('restore');
  }
  maximize(): void {
    this.isBig = true;
  }
  isMaximized(): boolean {
    return this.isBig;
  }
  isMinimized(): boolean {
    return this.isSmall;
  }
  getNormalBounds(): Electron.Rectangle {
    return this.bounds;
  }
  destroy(): void {
    this.done.push('destroy');
    this.webContents.isClosed = true;
    this.emit('closed');
  }
  /** Closes the window as a user does. */
  close(): void {
    this.emit('close', { preventDefault: () => undefined });
    this.webContents.isClosed = true;
    this.emit('closed');
  }
}
