import { lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, parse } from 'node:path';

const maxTries = 1000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns a free name in the user's download folder, as a browser chooses one: `claims.csv`, then `claims (2).csv`.
 * Without a download folder, it is in `~/Claimdesk files`, which only this user can access. The home folder itself is
 * never used, because programs run files with certain names there; nor the profile, which can be removed with all its
 * files. `given` replaces both.
 */
export async function chooseSavePath(
  suggestedName: string,
  environment: Environment,
  given?: string,
): Promise<string> {
  const ownFolder = join(homedir(), 'Claimdesk files');
  const folder = given ?? (await findDownloads(environment)) ?? ownFolder;
  if (folder === ownFolder) await mkdir(folder, { recursive: true, mode: 0o700 });
  const { name, ext } = parse(suggestedName);
  for (let number = 1; number <= maxTries; number += 1) {
    const path = join(folder, number === 1 ? `${name}${ext}` : `${name} (${number})${ext}`);
    if (!(await isTaken(path))) return path;
  }
  return join(folder, `${name} ${Date.now()}${ext}`);
}

/**
 * The first path that is a folder. The home folder itself does not count: XDG returns it when there is no such folder.
 */
async function findDownloads(environment: Environment): Promise<string | null> {
  const home = homedir();
  const realHome = await realpath(home).catch(() => home);
  for (const candidate of [
    environment.CLAIMDESK_DOWNLOADS,
    await readXdgDownloads(environment, home),
    join(home, 'Downloads'),
  ]) {
    if (candidate === undefined || !isAbsolute(candidate)) continue;
    const isFolder = await stat(candidate).then(
      (facts) => facts.isDirectory(),
      () => false,
    );
    if (isFolder && (await realpath(candidate)) !== realHome) return candidate;
  }
  return null;
}

async function readXdgDownloads(environment: Environment, home: string): Promise<string | undefined> {
  const named = environment.XDG_CONFIG_HOME ?? '';
  const configHome = isAbsolute(named) ? named : join(home, '.config');
  const text = await readFile(join(configHome, 'user-dirs.dirs'), 'utf8').catch(() => '');
  return parseXdgDownloads(text, home);
}

/** Pure: the download folder that a `user-dirs.dirs` names: a path in quotes, absolute or below `$HOME`. */
export function parseXdgDownloads(text: string, home: string): string | undefined {
  const value = /^[ \t]*XDG_DOWNLOAD_DIR[ \t]*=[ \t]*"((?:[^"\\\n]|\\.)*)"/m.exec(text)?.[1];
  const path = value?.replaceAll(/\\(.)/g, '$1');
  if (path === '$HOME' || path?.startsWith('$HOME/')) return join(home, path.slice('$HOME'.length));
  return path?.startsWith('/') ? path : undefined;
}

/** Whether a name is taken, even by a broken symbolic link. */
const isTaken = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
