import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { IpcMain, MessagePortMain, UtilityProcess } from 'electron';

export interface PostedToProcess {
  readonly message: unknown;
  readonly ports: readonly unknown[];
}

/** A utility process. With `onPosted`, a test implements the program that runs in it. */
export class FakeUtilityProcess extends EventEmitter implements Pick<UtilityProcess, 'postMessage' | 'kill'> {
  readonly modulePath: string;
  readonly args: readonly string[];
  readonly options: Electron.ForkOptions;
  readonly posted: PostedToProcess[] = [];
  readonly stdout = new PassThrough();
  isKilled = false;
  onPosted: ((posted: PostedToProcess) => void) | undefined;

  constructor(modulePath: string, args: readonly string[], options: Electron.ForkOptions) {
    super();
    this.modulePath = modulePath;
    this.args = args;
    this.options = options;
  }
  postMessage(message: unknown, ports: readonly unknown[] = []): void {
    const posted = { message, ports };
    this.posted.push(posted);
    this.onPosted?.(posted);
  }
  kill(): boolean {
    if (!this.isKilled) queueMicrotask(() => this.emit('exit', 0));
    this.isKilled = true;
    return true;
  }
}

/** `utilityProcess` of Electron. */
export class FakeUtilityProcesses {
  readonly made: FakeUtilityProcess[] = [];
  onMade: ((made: FakeUtilityProcess) => void) | undefined;
  fork(
    modulePath: string,
    args: readonly string[] = [],
    options: Electron.ForkOptions = {},
  ): FakeUtilityProcess {
    const made = new FakeUtilityProcess(modulePath, args, options);
    this.made.push(made);
    this.onMade?.(made);
    return made;
  }
}

export class FakeMessagePort
  extends EventEmitter
  implements Pick<MessagePortMain, 'postMessage' | 'start' | 'close'>
{
  readonly posted: unknown[] = [];
  isStarted = false;
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
  start(): void {
    this.isStarted = true;
  }
  close(): void {
    this.emit('close');
  }
}

export class FakeMessageChannel {
  readonly port1 = new FakeMessagePort();
  readonly port2 = new FakeMessagePort();
}

type Invoked = (event: unknown, ...args: unknown[]) => unknown;

export class FakeIpcMain extends EventEmitter implements Pick<IpcMain, 'handle'> {
  readonly handlers = new Map<string, Invoked>();
  handle(channel: string, listener: (event: Electron.IpcMainInvokeEvent, ...args: never[]) => unknown): void {
    this.handlers.set(channel, listener as Invoked);
  }
  /** Calls a handler as a window's `ipcRenderer.invoke` does. */
  async invoke(channel: string, event: unknown, ...args: unknown[]): Promise<unknown> {
    return this.handlers.get(channel)?.(event, ...args);
  }
}
