import { spawn } from 'node:child_process';
import { isSecureAddress } from '../../../contract/service-address.ts';
import { childEnvironment } from '../../lib/child-environment.ts';
import type { RedirectFiles } from './redirect-file.ts';

const openerLimitMs = 3_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the program that opens a page in the user's browser; null where there is no desktop. */
export function findOpener(platform: NodeJS.Platform, environment: Environment): readonly string[] | null {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDesktop = [environment.DISPLAY, environment.WAYLAND_DISPLAY].some(
    (value) => value !== undefined && value !== '',
  );
  return hasDesktop ? ['xdg-open'] : null;
}

/**
 * Opens an address in the system's browser, without running a command shell. The address is not among the program's
 * arguments, which hold the path of a file that redirects there. False where no browser could be opened.
 */
export async function openInSystem(
  url: URL,
  files: Pick<RedirectFiles, 'write' | 'remove'>,
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const opener = findOpener(platform, environment);
  if (opener === null || !isSecureAddress(url)) return false;
  const filePath = await files.write(url).catch(() => null);
  if (filePath === null) return false;
  const [program = '', ...args] = opener;
  const isOpened = await new Promise<boolean>((resolve) => {
    const child = spawn(program, [...args, filePath], {
      stdio: 'ignore',
      detached: true,
      env: childEnvironment(environment),
    });
    // A program that finds no browser reports it by its exit code; one that keeps running has found one.
    const timer = setTimeout(() => resolve(true), openerLimitMs);
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.once('close', () => clearTimeout(timer));
    child.unref();
  });
  if (!isOpened) await files.remove(filePath);
  return isOpened;
}
