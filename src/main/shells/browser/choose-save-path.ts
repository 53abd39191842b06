import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, parse } from 'node:path';

const maxTries = 1000;

/** A free name in the Downloads folder, as a browser chooses one: `claims.csv`, then `claims (2).csv`. */
export async function chooseSavePath(
  suggestedName: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const folder = await findDownloads(environment);
  const { name, ext } = parse(suggestedName);
  for (let number = 1; number <= maxTries; number += 1) {
    const path = join(folder, number === 1 ? `${name}${ext}` : `${name} (${number})${ext}`);
    if (!(await exists(path))) return path;
  }
  return join(folder, `${name} ${Date.now()}${ext}`);
}

async function findDownloads(environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  const named = environment.CLAIMDESK_DOWNLOADS;
  if (named !== undefined && named !== '') return named;
  const home = homedir();
  const downloads = join(home, 'Downloads');
  return (await exists(downloads)) ? downloads : home;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
