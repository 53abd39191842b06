import { EventEmitter } from 'node:events';
import { existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { App } from 'electron';
import type { UsedApp } from '../support/used-electron.ts';

/** Electron's `app`, as far as Claimdesk uses it. `onExit` ends what the stand-in has started. */
export class StandInApp extends EventEmitter implements UsedApp {
  readonly isPackaged = false;
  readonly commandLine: Pick<App['commandLine'], 'appendSwitch' | 'hasSwitch'> = {
    appendSwitch: (name) => this.beforeReady(`appendSwitch ${name}`),
    hasSwitch: () => false,
  };
  readonly #paths = new Map<string, string>();
  readonly #onExit: () => void;
  #isReady = false;
  #lockFile: string | null = null;

  constructor(onExit: () => void) {
    super();
    this.#onExit = onExit;
  }
  get isReadyNow(): boolean {
    return this.#isReady;
  }
  /** Throws once the app is ready: Electron allows this only before. */
  beforeReady(what: string): void {
    if (this.#isReady) throw new Error(`${what} can only be called before app is ready`);
  }
  setName(): void {}
  setPath(name: string, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    if (!existsSync(path)) throw new Error(`Failed to set path: ${path} does not exist`);
    this.#paths.set(name, path);
  }
  getPath(name: string): string {
    const path = this.#paths.get(name);
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }
  getVersion(): string {
    return (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
  }
  /** A file names the first instance; the second wakes it by a signal. */
  requestSingleInstanceLock(): boolean {
    const file = join(this.getPath('userData'), 'stand-in.lock');
    try {
      writeSync(openSync(file, 'wx'), String(process.pid));
    } catch {
      process.kill(Number(readFileSync(file, 'utf8')), 'SIGUSR2');
      return false;
    }
    this.#lockFile = file;
    process.on('SIGUSR2', () => this.emit('second-instance', {}, [], ''));
    return true;
  }
  enableSandbox(): void {
    this.beforeReady('enableSandbox');
  }
  disableHardwareAcceleration(): void {
    this.beforeReady('disableHardwareAcceleration');
  }
  async whenReady(): Promise<void> {
    await new Promise(setImmediate);
    this.#isReady = true;
  }
  quit(): void {
    const event = new Event('before-quit', { cancelable: true });
    this.emit('before-quit', event);
    if (!event.defaultPrevented) this.exit();
  }
  exit(code = 0): void {
    if (this.#lockFile !== null) rmSync(this.#lockFile, { force: true });
    this.#onExit();
    process.exit(code);
  }
}
