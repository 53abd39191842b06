import type { EventEmitter } from 'node:events';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater, CancellationToken } from 'electron-updater';

const firstLookAfterMs = 60_000;
const lookEveryMs = 6 * 3_600_000;

/** The part of electron-updater that is used. */
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
  | 'setFeedURL'
>;

/**
 * Whether this build can update itself by a signed package: its distributor configured an address for updates (in
 * `app-update.yml`) that begins with https, and the system or the updater verifies the signature before it installs. On
 * Linux signatures are not verified, and on Windows only where the publisher's name is configured. An installation for
 * every account (MSI, pkg) is updated by IT. It is recognized because only NSIS leaves an uninstaller beside the
 * program, and an app of a pkg belongs to root.
 */
export function canUpdateSigned(
  resourcesDir: string,
  platform: NodeJS.Platform,
  mayWrite: (path: string) => boolean = isWritable,
): boolean {
  let text: string;
  try {
    text = readFileSync(join(resourcesDir, 'app-update.yml'), 'utf8');
  } catch {
    return false;
  }
  if (!/^url: ['"]?https:\/\//m.test(text)) return false;
  if (platform === 'darwin') return mayWrite(resourcesDir);
  const hasUninstaller = existsSync(join(resourcesDir, '..', 'Uninstall Claimdesk.exe'));
  return platform === 'win32' && hasUninstaller && /^publisherName:/m.test(text);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** How long a quit waits for the system to receive the downloaded update. */
const handOverLimitMs = 20_000;

/**
 * Checks for a newer version at intervals, downloads it, and installs it the next time the user quits, so
 * that work is never interrupted. Where `mayUpdate` is false, there is no check, a download is canceled, and
 * a downloaded version is not installed.
 */
export function watchUpdates(ports: {
  readonly platform: NodeJS.Platform;
  /** The address of updates, in place of the distributor's. */
  readonly address: string | undefined;
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
  const applySetting = async (): Promise<void> => {
    const may = await ports.mayUpdate().catch(() => false);
    if (updater !== null) updater.autoInstallOnAppQuit = may && !isMac;
    if (!may) fetching?.cancel();
  };
  const look = async (): Promise<void> => {
    // A second check would return a token that cannot cancel the download in progress.
    if (fetching !== null || !(await ports.mayUpdate())) return;
    updater = await ports.load();
    if (ports.address !== undefined) updater.setFeedURL(ports.address);
    updater.autoDownload = true;
    // On macOS this would pass the download to the system at once, which would install it even if updates were switched
    // off later.
    updater.autoInstallOnAppQuit = !isMac;
    updater.allowDowngrade = false;
    updater.disableWebInstaller = true;
    updater.logger = null;
    const { downloadPromise, cancellationToken } = (await updater.checkForUpdates()) ?? {};
    if (downloadPromise == null || cancellationToken === undefined) return;
    fetching = cancellationToken;
    // Updates may have been switched off while the check was running.
    void applySetting();
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
      // On macOS, `quitAndInstall` gives the file to the system and then asks the app to quit; it installs nothing yet.
      fetched.autoRunAppAfterInstall = false;
      fetched.quitAndInstall();
    });
  return {
    /** Called after a setting was changed. */
    applySetting,
    /**
     * Called at quit: stops checking, and on macOS gives the system the downloaded version if that is still allowed.
     * Never rejects.
     */
    async end(): Promise<void> {
      clearTimeout(first);
      clearInterval(timer);
      if (!isMac || !hasFetched || updater === null) return;
      if (await ports.mayUpdate().catch(() => false)) await handOver(updater).catch(ports.onFailed);
    },
  };
}
