import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import config from '../electron-builder.config.mjs';
import { root } from './run-tools.mjs';

export const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

/** Folders (`node_modules/…`) of the packages that the app needs when it runs. */
export function listRuntimePackages() {
  return Object.entries(readLock())
    .filter(([path, facts]) => path !== '' && facts.dev !== true && facts.devOptional !== true)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)));
}

/**
 * Folders of the packages whose code is in a bundle, which the build wrote (`electron.vite.config.ts`). Most are
 * development dependencies, but shipped.
 */
export function listBundledPackages() {
  const parts = ['main', 'preload', 'renderer'].map((part) => join(root, `out/${part}.packages.json`));
  return [...new Set(parts.flatMap((path) => JSON.parse(readFileSync(path, 'utf8'))))];
}

/** The files that electron-builder packs by its configuration, as paths relative to the project's folder. */
export function listPackageFiles() {
  const included = config.files.filter((pattern) => !pattern.startsWith('!'));
  const own = ['package.json', ...filesBelow('out')].filter((path) =>
    included.some((pattern) => matchesGlob(path, pattern)),
  );
  const packages = listRuntimePackages().flatMap((path) =>
    filesBelow(path).filter((file) => !file.slice(path.length).includes('/node_modules/')),
  );
  return [...own, ...packages].filter((path) => !isLeftOut(path));
}

/** Whether the configuration keeps this file out of the package. */
export const isLeftOut = (path) =>
  config.files.some((pattern) => pattern.startsWith('!') && matchesGlob(path, pattern.slice(1)));

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/').replace(/^\//, ''),
    );
}
