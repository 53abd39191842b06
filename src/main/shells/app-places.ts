import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Where the parts of the app lie, seen from the sources or from the bundle in `out/main`. */
export function findAppPlaces(here: string = import.meta.url) {
  const root = new URL(here.endsWith('.ts') ? '../../../' : '../../', here);
  const at = (path: string): string => fileURLToPath(new URL(path, root));
  return {
    packageFile: at('package.json'),
    rendererDir: at('out/renderer'),
    preloadFile: at('out/preload/index.cjs'),
  };
}

export async function readAppVersion(): Promise<string> {
  const text = await readFile(findAppPlaces().packageFile, 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
