import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';

const firstLookAfterMs = 60_000;
const lookEveryMs = 6 * 3_600_000;

/** What is used of electron-updater. */
export type Updater = Pick<
  AppUpdater,
  | 'autoDownload'
  | 'autoInstallOnAppQuit'
  | 'allowDowngrade'
  | 'disableWebInstaller'
  | 'logger'
  | 'checkForUpdates'
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

/**
 * Looks for a newer version now and then, fetches it, and leaves installing to the next time a person quits: work is
 * never interrupted. Where `mayUpdate` says no, nothing is looked for, and what was fetched is not installed.
 */
export function watchUpdates(ports: {
  readonly mayUpdate: () => Promise<boolean>;
  readonly load: () => Promise<Updater>;
  readonly onFailed: (thrown: unknown) => void;
}) {
  let updater: Updater | null = null;
  const look = async (): Promise<void> => {
    if (!(await ports.mayUpdate())) return;
    updater = await ports.load();
    updater.autoDownload = true;
    updater.autoInstallOnAppQuit = true;
    updater.allowDowngrade = false;
    updater.disableWebInstaller = true;
    updater.logger = null;
    await updater.checkForUpdates();
  };
  const lookAtEase = (): void => void look().catch(ports.onFailed);
  const first = setTimeout(lookAtEase, firstLookAfterMs);
  const timer = setInterval(lookAtEase, lookEveryMs);
  first.unref();
  timer.unref();
  return {
    /** After a setting was changed. */
    async settle(): Promise<void> {
      const may = await ports.mayUpdate().catch(() => false);
      if (updater !== null) updater.autoInstallOnAppQuit = may;
    },
    stop(): void {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}
