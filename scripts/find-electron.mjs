import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of Electron's program, or null where its runtime is not on this computer. Never loads `electron`. */
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
 * The same, but downloads a missing runtime, in a child process that shows its progress and fails if the download
 * stalls.
 */
export async function findOrFetchElectron() {
  const found = findElectron();
  if (found !== null) return found;
  const fetching = fileURLToPath(new URL('fetch-electron.mjs', import.meta.url));
  const child = spawn(process.execPath, [fetching], { stdio: ['ignore', 'ignore', 'inherit'] });
  await new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', resolve);
  });
  return findElectron();
}

/** Whether a window could be shown. */
export function hasDisplay(environment = process.env, platform = process.platform) {
  if (platform !== 'linux') return true;
  return [environment.DISPLAY, environment.WAYLAND_DISPLAY].some(
    (value) => value !== undefined && value !== '',
  );
}
