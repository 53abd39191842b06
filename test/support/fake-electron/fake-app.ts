import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { App, Clipboard, Dialog, PowerMonitor, Screen, Shell } from 'electron';
import type { UsedApp } from '../used-electron.ts';

/** Electron's `app`, as far as Claimdesk uses it. It is always ready, and `quit` only emits `before-quit`. */
export class FakeApp extends EventEmitter implements UsedApp {
  readonly done: string[] = [];
  readonly switches = new Set<string>();
  readonly commandLine: Pick<App['commandLine'], 'appendSwitch' | 'hasSwitch'> = {
    appendSwitch: (name) => void this.done.push(`appendSwitch ${name}`),
    hasSwitch: (name) => this.switches.has(name),
  };
  readonly paths = new Map<string, string>();
  isPackaged = true;
  isFirstInstance = true;
  exitCode: number | undefined;

  setName(name: string): void {
    this.done.push(`setName ${name}`);
  }
  setPath(name: string, path: string): void {
    if (!existsSync(path)) throw new Error(`Failed to set path: ${path} does not exist`);
    this.paths.set(name, path);
  }
  getPath(name: string): string {
    return this.paths.get(name) ?? '';
  }
  getVersion(): string {
    return '9.9.9';
  }
  requestSingleInstanceLock(): boolean {
    return this.isFirstInstance;
  }
  enableSandbox(): void {
    this.done.push('enableSandbox');
  }
  disableHardwareAcceleration(): void {
    this.done.push('disableHardwareAcceleration');
  }
  async whenReady(): Promise<void> {
    this.done.push('whenReady');
  }
  quit(): void {
    this.done.push('quit');
    this.emit('before-quit', { preventDefault: () => this.done.push('held') });
  }
  exit(code = 0): void {
    this.exitCode = code;
    this.emit('test-exit');
  }
}

/** A clipboard that a test can also write to as another program. */
export class FakeClipboard implements Pick<Clipboard, 'readText' | 'writeText' | 'clear'> {
  text = '';
  async readText(): Promise<string> {
    return this.text;
  }
  async writeText(text: string): Promise<void> {
    this.text = text;
  }
  clear(): void {
    this.text = '';
  }
}

export class FakeDialog implements Pick<Dialog, 'showErrorBox' | 'showOpenDialog' | 'showMessageBox'> {
  readonly questions: Electron.MessageBoxOptions[] = [];
  /** Returns the button that the user presses. */
  press: () => number | Promise<number> = () => 0;
  async showMessageBox(...given: unknown[]): Promise<Electron.MessageBoxReturnValue> {
    this.questions.push(given.at(-1) as Electron.MessageBoxOptions);
    return { response: await this.press(), checkboxChecked: false };
  }
  readonly errors: string[] = [];
  readonly asked: Electron.SaveDialogOptions[] = [];
  answer: Electron.SaveDialogReturnValue = { canceled: true, filePath: '' };

  showErrorBox(title: string, content: string): void {
    this.errors.push(`${title} ${content}`);
  }
  readonly askedToOpen: Electron.OpenDialogOptions[] = [];
  openAnswer: Electron.OpenDialogReturnValue = { canceled: true, filePaths: [] };
  async showOpenDialog(...given: unknown[]): Promise<Electron.OpenDialogReturnValue> {
    this.askedToOpen.push(given.at(-1) as Electron.OpenDialogOptions);
    return this.openAnswer;
  }
  async showSaveDialog(...given: unknown[]): Promise<Electron.SaveDialogReturnValue> {
    this.asked.push(given.at(-1) as Electron.SaveDialogOptions);
    return this.answer;
  }
}

export class FakeShell implements Pick<Shell, 'openExternal'> {
  readonly opened: string[] = [];
  async openExternal(url: string): Promise<void> {
    if (url.includes('unopenable')) throw new Error('no program');
    this.opened.push(url);
  }
}

export class FakePowerMonitor extends EventEmitter implements Pick<PowerMonitor, 'getSystemIdleState'> {
  idleState: ReturnType<PowerMonitor['getSystemIdleState']> = 'active';
  getSystemIdleState(): ReturnType<PowerMonitor['getSystemIdleState']> {
    return this.idleState;
  }
}

export class FakeScreen implements Pick<Screen, 'getAllDisplays'> {
  workAreas = [{ x: 0, y: 0, width: 1920, height: 1080 }];
  getAllDisplays(): Electron.Display[] {
    return this.workAreas.map((workArea) => ({ workArea }) as Electron.Display);
  }
}
