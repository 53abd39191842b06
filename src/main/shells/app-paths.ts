import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The paths of the parts of the app, relative to the sources or to the bundle in `out/main`. */
export function findAppPaths(here: string = import.meta.url) {
  const root = new URL(here.endsWith('.ts') ? '../../../' : '../../', here);
  const at = (path: string): string => fileURLToPath(new URL(path, root));
  return {
    packageFile: at('package.json'),
    rendererDir: at('out/renderer'),
    preloadFile: at('out/preload/index.cjs'),
  };
}

/** The version of this Claimdesk, from its package.json. */
export function readAppVersion(): string {
  const text = readFileSync(findAppPaths().packageFile, 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
