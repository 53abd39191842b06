import { BrowserWindow, nativeTheme, type Session, screen, type WebContents } from 'electron';
import { createSerialQueue } from '../../lib/serial-queue.ts';
import { appUrl } from './app-address.ts';
import {
  chooseWindowState,
  minSize,
  readWindowState,
  type WindowState,
  writeWindowState,
} from './window-state.ts';

export interface MainWindow {
  readonly current: BrowserWindow | null;
  show(): Promise<void>;
  /** Ends the page and its process and opens a new window at the same place. */
  replace(): Promise<void>;
  focus(): void;
  /** Saves position and size for the next start. */
  saveState(): Promise<void>;
}

/**
 * Ends a page's process immediately, because its memory holds what it showed. It is killed where its pid is known:
 * after Electron's `forcefullyCrashRenderer` the system may write a crash dump.
 */
function endRenderer(contents: WebContents): void {
  const pid = contents.getOSProcessId();
  if (pid > 0) process.kill(pid, 'SIGKILL');
  else contents.forcefullyCrashRenderer();
}

/** The app's one window. */
export function createMainWindow(options: {
  session: Session;
  preloadFile: string;
  stateFile: string;
  /** Released builds have no developer tools. */
  isReleased: boolean;
}): MainWindow {
  let current: BrowserWindow | null = null;
  const enqueue = createSerialQueue();

  const make = (state: ReturnType<typeof chooseWindowState>): BrowserWindow => {
    const window = new BrowserWindow({
      ...state.bounds,
      minWidth: minSize.width,
      minHeight: minSize.height,
      title: 'Claimdesk',
      show: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#16191d' : '#ffffff',
      webPreferences: {
        session: options.session,
        preload: options.preloadFile,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false,
        devTools: !options.isReleased,
      },
    });
    if (state.isMaximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    window.on('close', () => void save(window));
    window.on('closed', () => {
      if (current === window) current = null;
    });
    return window;
  };
  const stateOf = (window: BrowserWindow): WindowState => ({
    bounds: window.getNormalBounds(),
    isMaximized: window.isMaximized(),
  });
  const save = (window: BrowserWindow): Promise<void> => {
    const state = stateOf(window);
    return enqueue(() => writeWindowState(options.stateFile, state));
  };
  const load = (window: BrowserWindow): Promise<void> => window.loadURL(appUrl).catch(() => undefined);

  return {
    get current() {
      return current;
    },
    async show() {
      const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea);
      current = make(chooseWindowState(readWindowState(options.stateFile), workAreas));
      await load(current);
    },
    async replace() {
      const old = current;
      if (old === null) return;
      current = make(stateOf(old));
      endRenderer(old.webContents);
      old.destroy();
      await load(current);
    },
    focus() {
      if (current === null) return;
      if (current.isMinimized()) current.restore();
      current.focus();
    },
    saveState: () => (current === null ? enqueue(async () => undefined) : save(current)),
  };
}
