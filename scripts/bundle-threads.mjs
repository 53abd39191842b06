import { basename, join } from 'node:path';
import { build } from 'vite';
import { root, threadsFolder } from './run-tools.mjs';

// Bundles the code of the threads for the tests, as the build of the app does: tests start thousands of threads, and a
// bundle starts in half the time of a hundred source files. With arguments: into this folder, and programs beside the
// threads that they start. A program of its own, because Vite sets NODE_ENV.
const [folder = threadsFolder, ...programs] = process.argv.slice(2);
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: ['zod'] },
  build: {
    ssr: true,
    target: 'node20',
    outDir: folder,
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        'store-worker': join(root, 'src/main/engine/store/threads/worker.ts'),
        'page-worker': join(root, 'src/main/engine/store/threads/page-worker.ts'),
        'export-worker': join(root, 'src/main/engine/export/write-files.ts'),
        'key-worker': join(root, 'src/main/keys/worker.ts'),
        ...Object.fromEntries(programs.map((path) => [basename(path, '.ts'), path])),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
