import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const fetchLimitMs = 20_000;

/** The path of Electron's program, if its runtime is on this computer; null otherwise. Never loads `electron`. */
export function findElectron() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
    const program = readFileSync(join(folder, 'path.txt'), 'utf8').trim();
    const path = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), program);
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/**
 * The same; where it is missing, its installer may download it, in a child with a time limit, because loading
 * `electron` without its runtime downloads it synchronously and can hang behind a proxy.
 */
export async function findOrFetchElectron() {
  const found = findElectron();
  if (found !== null) return found;
  let installer;
  try {
    installer = join(dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'install.js');
  } catch {
    return null;
  }
  const child = spawn(process.execPath, [installer], {
    stdio: 'ignore',
    detached: process.platform !== 'win32',
  });
  const timer = setTimeout(() => {
    // The whole group: the installer may have started helpers.
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }, fetchLimitMs);
  await new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', resolve);
  });
  clearTimeout(timer);
  return findElectron();
}

/** Whether a window could be shown. */
export function hasDisplay(environment = process.env, platform = process.platform) {
  if (platform !== 'linux') return true;
  return [environment.DISPLAY, environment.WAYLAND_DISPLAY].some(
    (value) => value !== undefined && value !== '',
  );
}
