import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater, CancellationToken } from 'electron-updater';

const firstLookAfterMs = 60_000;
const lookEveryMs = 6 * 3_600_000;

/** What is used of electron-updater. */
export type Updater = Pick<
  AppUpdater,
  | 'autoDownload'
  | 'autoInstallOnAppQuit'
  | 'autoRunAppAfterInstall'
  | 'allowDowngrade'
  | 'disableWebInstaller'
  | 'logger'
  | 'checkForUpdates'
  | 'quitAndInstall'
  | 'once'
>;

/**
 * Whether this build can update itself by a signed package: whoever distributes it has named a place (the packager
 * writes `app-update.yml`), and the system or the updater verifies the signature before it installs. On Linux nothing
 * verifies one, and on Windows only where the publisher is written down.
 */
export function canUpdateSigned(resourcesDir: string, platform: NodeJS.Platform): boolean {
  let text: string;
  try {
    text = readFileSync(join(resourcesDir, 'app-update.yml'), 'utf8');
  } catch {
    return false;
  }
  return platform === 'darwin' || (platform === 'win32' && /^publisherName:/m.test(text));
}

/** How long a quit waits for the system to take over what was fetched. */
const handOverLimitMs = 20_000;

/**
 * Looks for a newer version now and then, fetches it, and leaves installing to the next time a person quits: work is
 * never interrupted. Where `mayUpdate` says no, nothing is looked for, a download is canceled, and what was fetched is
 * not installed.
 */
export function watchUpdates(ports: {
  readonly platform: NodeJS.Platform;
  readonly mayUpdate: () => Promise<boolean>;
  readonly load: () => Promise<Updater>;
  /** Electron's own updater, which installs on macOS. */
  readonly system: Pick<EventEmitter, 'once'>;
  readonly onFailed: (thrown: unknown) => void;
}) {
  const isMac = ports.platform === 'darwin';
  let updater: Updater | null = null;
  let fetching: CancellationToken | null = null;
  let hasFetched = false;
  const settle = async (): Promise<void> => {
    const may = await ports.mayUpdate().catch(() => false);
    if (updater !== null) updater.autoInstallOnAppQuit = may && !isMac;
    if (!may) fetching?.cancel();
  };
  const look = async (): Promise<void> => {
    // A second look would get a token that does not cancel the download in progress.
    if (fetching !== null || !(await ports.mayUpdate())) return;
    updater = await ports.load();
    updater.autoDownload = true;
    // On macOS it would give the system what it fetched at once, which installs it whatever is chosen later.
    updater.autoInstallOnAppQuit = !isMac;
    updater.allowDowngrade = false;
    updater.disableWebInstaller = true;
    updater.logger = null;
    const { downloadPromise, cancellationToken } = (await updater.checkForUpdates()) ?? {};
    if (downloadPromise == null || cancellationToken === undefined) return;
    fetching = cancellationToken;
    // It may have been switched off while the place was asked.
    void settle();
    try {
      await downloadPromise;
      hasFetched = true;
    } catch (thrown) {
      if (!cancellationToken.cancelled) throw thrown;
    } finally {
      fetching = null;
    }
  };
  const lookAndLog = (): void => void look().catch(ports.onFailed);
  const first = setTimeout(lookAndLog, firstLookAfterMs);
  const timer = setInterval(lookAndLog, lookEveryMs);
  first.unref();
  timer.unref();
  const handOver = (fetched: Updater): Promise<void> =>
    new Promise((resolve, reject) => {
      setTimeout(resolve, handOverLimitMs).unref();
      ports.system.once('update-downloaded', () => resolve());
      fetched.once('error', reject);
      // Named for what it does elsewhere: here it gives the file to the system, and then asks the app to quit.
      fetched.autoRunAppAfterInstall = false;
      fetched.quitAndInstall();
    });
  return {
    /** After a setting was changed. */
    settle,
    /** At quit: looks no more, and on macOS gives the system what was fetched, if that is still allowed. Never rejects. */
    async end(): Promise<void> {
      clearTimeout(first);
      clearInterval(timer);
      if (!isMac || !hasFetched || updater === null) return;
      if (await ports.mayUpdate().catch(() => false)) await handOver(updater).catch(ports.onFailed);
    },
  };
}
