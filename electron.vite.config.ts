import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Every file that starts a process or a thread; names as in `src/main/lib/entries.ts`. */
const entries: Readonly<Record<string, string>> = {
  index: at('src/main/index.ts'),
  browser: at('src/main/shells/browser/index.ts'),
  engine: at('src/main/engine/index.ts'),
  'store-worker': at('src/main/engine/store/threads/worker.ts'),
  'page-worker': at('src/main/engine/store/threads/page-worker.ts'),
  'export-worker': at('src/main/engine/export/write-files.ts'),
  'key-worker': at('src/main/keys/worker.ts'),
  sandbox: at('src/sandbox/index.ts'),
  colleague: at('src/sandbox/colleague/index.ts'),
  'team-server': at('src/team-server/index.ts'),
};

const claimsPage = at('src/renderer/features/claims/claims-page.tsx');
const startsProcess =
  /main[\\/]lib[\\/](narrow-profile|child-environment|tls-setting|entries)\.ts$|fork-engine\.ts$/;

/** Writes which packages are in a part's bundle, `out/NAME.packages.json`; licenses and bill of materials follow it. */
const listPackages = (part: string): Plugin => ({
  name: 'list-packages',
  writeBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const folders = modules.flatMap(
      (id) => /node_modules[\\/](?:.*node_modules[\\/])?(?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? [],
    );
    const paths = [...new Set(folders.map((folder) => folder.replaceAll('\\', '/')))].sort();
    writeFileSync(at(`out/${part}.packages.json`), JSON.stringify(paths));
  },
});

/** Puts the table of `answered-by.ts` in place of the code that makes it, and of all schemas that it is made from. */
const answersTable: Plugin = {
  name: 'answers-table',
  async load(id) {
    if (!id.endsWith('/src/contract/answered-by.ts')) return null;
    const made = Object.entries(await import(String(pathToFileURL(id))));
    return made.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n');
  },
};

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** What a module needs before it can run. */
function collectImports(entry: string, graph: ModuleGraph, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(entry)) return found;
  // A package's index names all of its parts; which of them are needed, the bundler finds.
  if (/@mantine[\\/]core[\\/]esm[\\/]index\.mjs$/.test(entry)) return found;
  found.add(entry);
  for (const id of graph.getModuleInfo(entry)?.importedIds ?? []) collectImports(id, graph, found);
  return found;
}

/** Names the chunk of whatever this module needs before it can run. */
function inOneFile(name: string, entry: string): (id: string, graph: ModuleGraph) => string | null {
  let needed: ReadonlySet<string> | null = null;
  return (id, graph) => {
    needed ??= collectImports(entry, graph);
    return needed.has(id) ? name : null;
  };
}

export default defineConfig({
  main: {
    plugins: [listPackages('main')],
    build: {
      outDir: at('out/main'),
      // In one file, without languages that nobody uses: every process and thread of a start reads it.
      externalizeDeps: { exclude: ['zod'] },
      rollupOptions: {
        input: Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(path))),
        // One folder: entries find each other beside the chunk they were called from.
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // Each process and thread keeps the code in memory: without comments, and in ASCII, with a byte a character.
          comments: { legal: true, annotation: false, jsdoc: false },
          // Lines stay as they are, because reports of faults name them.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
          // What starts a process lies apart, so that a shell can start its engine before it has loaded the rest.
          codeSplitting: { groups: [{ name: 'start-process', test: startsProcess }] },
        },
      },
    },
  },
  preload: {
    plugins: [answersTable, listPackages('preload')],
    build: {
      outDir: at('out/preload'),
      // A sandboxed preload can import nothing: CommonJS with everything in it.
      externalizeDeps: false,
      rollupOptions: {
        input: { index: at('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    build: {
      outDir: at('out/renderer'),
      minify: true,
      // The grid alone is 850 kB; what is loaded from this computer may be large.
      chunkSizeWarningLimit: 1300,
      rollupOptions: {
        input: at('src/renderer/index.html'),
        output: {
          codeSplitting: {
            groups: [
              // Zod is told in its own file not to compile, before any other file makes a schema.
              { name: 'zod', test: /node_modules[\\/]zod[\\/]|configure-zod/, priority: 3 },
              // Each file costs a request: window and first list came in 70 small ones.
              { name: inOneFile('window', at('src/renderer/main.tsx')), debugName: 'window', priority: 2 },
              { name: inOneFile('lists', claimsPage), debugName: 'lists', priority: 1 },
            ],
          },
        },
      },
      // Fonts and pictures as files of their own: the policy allows `data:` for pictures only.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
    plugins: [react(), answersTable, listPackages('renderer')],
  },
});
