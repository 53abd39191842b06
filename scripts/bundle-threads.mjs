import { join } from 'node:path';
import { build } from 'vite';
import { root, threadsFolder } from './run-tools.mjs';

// Bundles the code of the threads for the tests, as the build of the app does: tests start thousands of threads, and a
// bundle starts in half the time of a hundred source files. A program of its own, because Vite sets NODE_ENV.
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: ['zod'] },
  build: {
    ssr: true,
    target: 'node20',
    outDir: threadsFolder,
    emptyOutDir: true,
    rolldownOptions: {
      input: {
        'store-worker': join(root, 'src/main/engine/store/threads/worker.ts'),
        'export-worker': join(root, 'src/main/engine/export/write-files.ts'),
        'key-worker': join(root, 'src/main/keys/worker.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
