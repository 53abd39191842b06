import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import config from '../electron-builder.config.mjs';
import { root } from './run-tools.mjs';

const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

/** Folders (`node_modules/…`) of the packages that the app needs when it runs. */
export function listRuntimePackages() {
  return Object.entries(readLock())
    .filter(([path, facts]) => path !== '' && facts.dev !== true && facts.devOptional !== true)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)));
}

/**
 * Packages whose code is in the window's bundle, and their dependencies. They are development dependencies, but
 * shipped.
 */
export function listWindowPackages() {
  const lock = readLock();
  const imported = new Set();
  for (const name of readdirSync(join(root, 'src/renderer'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name)) continue;
    const text = readFileSync(join(root, 'src/renderer', name), 'utf8');
    for (const [, from] of text.matchAll(/(?:from|import) '((?:@[\w.-]+\/)?[\w][\w.-]*)/g))
      imported.add(from);
  }
  const found = new Set();
  const add = (name, from) => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
      const facts = lock[path];
      if (facts !== undefined) {
        if (found.has(path)) return;
        found.add(path);
        for (const needed of Object.keys(facts.dependencies ?? {})) add(needed, path);
        return;
      }
      if (at === '') return;
    }
  };
  for (const name of imported) add(name, '');
  return [...found];
}

/** The files that electron-builder packs by its configuration, as paths relative to the project's folder. */
export function listPackageFiles() {
  const included = config.files.filter((pattern) => !pattern.startsWith('!'));
  const excluded = config.files
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => pattern.slice(1));
  const own = ['package.json', ...filesBelow('out')].filter((path) =>
    included.some((pattern) => matchesGlob(path, pattern)),
  );
  const packages = listRuntimePackages().flatMap((path) =>
    filesBelow(path).filter((file) => !file.slice(path.length).includes('/node_modules/')),
  );
  return [...own, ...packages].filter((path) => !excluded.some((pattern) => matchesGlob(path, pattern)));
}

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/').replace(/^\//, ''),
    );
}
