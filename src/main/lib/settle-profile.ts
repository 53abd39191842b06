import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultProfileDir, type PathEnvironment, profilePaths, windowsProfileDir } from './paths.ts';

/**
 * The default profile, moved once on Windows from Roaming, where versions before 0.2 had it, to Local. Synchronous:
 * Electron has to know the folder before it is ready.
 */
export function settleProfileDir(environment: PathEnvironment, platform: NodeJS.Platform): string {
  const profileDir = defaultProfileDir(environment, platform);
  return platform === 'win32'
    ? moveProfileOnce(windowsProfileDir(environment, 'Roaming'), profileDir)
    : profileDir;
}

/**
 * Moves a profile to where there is none yet; gives the folder that is to be used. One that cannot be moved now, because
 * a Claimdesk has it open, is used where it is and moved at another start.
 */
export function moveProfileOnce(from: string, to: string): string {
  const isProfile = (folder: string): boolean => existsSync(profilePaths(folder, join).identity);
  if (isProfile(to) || !isProfile(from)) return to;
  try {
    mkdirSync(dirname(to), { recursive: true });
    // An empty folder is in the way of a move; anything else is not for us to remove.
    if (existsSync(to)) rmdirSync(to);
    renameSync(from, to);
    return to;
  } catch {
    return from;
  }
}
