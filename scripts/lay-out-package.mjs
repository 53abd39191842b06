import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { createPackageFromFiles, listPackage } from '@electron/asar';
import { listPackageFiles } from './package-files.mjs';
import { root } from './run-tools.mjs';

/** Files that a process, a thread or a page starts with, and fonts: each has to be in the package. */
const entries = [
  'out/main/index.js',
  'out/main/engine.js',
  'out/main/store-worker.js',
  'out/main/page-worker.js',
  'out/main/export-worker.js',
  'out/main/key-worker.js',
  'out/main/sandbox.js',
  'out/main/colleague.js',
  'out/main/team-server.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  // Found by their names.
  'node_modules/@fontsource/noto-sans/package.json',
  ...['sc', 'kr'].map((script) => `node_modules/@fontsource/noto-sans-${script}/unicode.json`),
  ...[400, 600].map(
    (weight) => `node_modules/@fontsource/noto-sans/files/noto-sans-latin-${weight}-normal.woff`,
  ),
];
const natives = ['node_modules/better-sqlite3-multiple-ciphers/prebuilds/', 'node_modules/keytar/prebuilds/'];

/**
 * Makes an archive of the app as the packager does, with the same library, and returns a list of what is wrong with it.
 */
export async function layOutPackage(archive) {
  mkdirSync(dirname(archive), { recursive: true });
  rmSync(archive, { force: true });
  const files = listPackageFiles();
  const folders = new Set(files.flatMap((path) => parentsOf(path)));
  await createPackageFromFiles(
    root,
    archive,
    [...folders, ...files].map((path) => join(root, path)),
    {},
    { unpack: '**/*.node' },
  );
  const packed = new Set(
    listPackage(archive, { isPack: false }).map((path) => path.replaceAll('\\', '/').slice(1)),
  );
  return [
    ...entries.filter((path) => !packed.has(path)).map((path) => `${path} is missing`),
    ...natives
      .filter((folder) => ![...packed].some((path) => path.startsWith(folder) && path.endsWith('.node')))
      .map((folder) => `${folder} has no native module`),
    ...[...packed]
      .filter((path) => path.endsWith('.node') && !existsSync(join(`${archive}.unpacked`, path)))
      .map((path) => `${path} is not beside the archive`),
    ...[...packed]
      .filter((path) =>
        /\.map$|\.test\.|\.spec\.|(^|\/)(test|tests|__tests__)\/|^(src|test|scripts)\//.test(path),
      )
      .map((path) => `${path} does not belong there`),
    ...files.filter((path) => path.startsWith('out/main/')).flatMap((path) => findUnresolved(path, packed)),
  ];
}

/** Imports of a file of main that are not in the package. */
function findUnresolved(path, packed) {
  const text = readFileSync(join(root, path), 'utf8');
  const specifiers = [...text.matchAll(/^import (?:[^'"]*? from )?"([^"]+)";|\bimport\("([^"]+)"\)/gm)].map(
    ([, still, late]) => still ?? late,
  );
  return specifiers
    .filter((name) => name !== 'electron' && !name.startsWith('node:') && !builtinModules.includes(name))
    .filter((name) => {
      if (name.startsWith('.')) return !packed.has(posix.join(posix.dirname(path), name));
      const [first, second] = name.split('/');
      const packageName = name.startsWith('@') ? `${first}/${second}` : first;
      return !packed.has(`node_modules/${packageName}/package.json`);
    })
    .map((name) => `${path} imports ${name}, which is missing`);
}

function parentsOf(path) {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
