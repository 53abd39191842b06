import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';

/**
 * Where Node keeps what it made of our sources. Sandboxes, commands and the store's threads are started
 * hundreds of times; without it each of them strips the types anew and compiles: two thirds of its start.
 * Inherited by the workers and by whatever they start.
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/claimdesk-tests', import.meta.url),
);

/** Starts threads from their bundles where `npm test` made these. */
const bundledThreads: Plugin = {
  name: 'bundled-threads',
  enforce: 'pre',
  transform(code, id) {
    const folder = process.env.CLAIMDESK_TEST_THREADS;
    if (folder === undefined || !id.endsWith('/src/main/lib/entries.ts')) return null;
    return code.replace(/(?<='([a-z]+-worker)': ')[^']+/g, (_path, name) =>
      String(pathToFileURL(`${folder}/${name}.js`)),
    );
  },
};

const unitFiles = ['test/{unit,architecture}/**/*.test.{ts,tsx}'];

/** Units with a module put in place of another, or a process's entry loaded: nobody else is to meet these. */
export const ownModuleFiles = [
  'test/unit/preload/**/*.test.ts',
  'test/unit/main/shells/electron/**/*.test.ts',
  'test/unit/main/**/electron-*.test.ts',
];

const wholeParts = 'test/{integration,interop}/**/*.test.{ts,tsx}';
const longWholeParts = wholeParts.replace('*.test', '*.long.test');

/** Whole screens as the window shows them, in a document without layout. */
const screenFiles = ['test/unit/renderer/**/*.screens.test.tsx'];

export default defineConfig({
  test: {
    // Only a test that hangs takes this long, even on a computer that is several times slower.
    testTimeout: 300_000,
    // What the plugin makes of a file depends on the variable, which is no part of the cache's keys.
    fsModuleCachePath: `node_modules/.vitest-cache${process.env.CLAIMDESK_TEST_THREADS === undefined ? '' : '-threads'}`,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 2,
    setupFiles: ['test/support/seed-properties.ts', 'test/support/patient-waits.ts'],
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default'],
    projects: [
      {
        extends: true,
        plugins: [bundledThreads],
        test: {
          name: 'units',
          include: [...unitFiles, ...[...ownModuleFiles, ...screenFiles].map((pattern) => `!${pattern}`)],
          // One worker runs many files: loading the same modules for each would be half of their time.
          isolate: false,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          include: screenFiles,
          setupFiles: ['test/support/patient-screens.ts'],
          environment: 'happy-dom',
          isolate: false,
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        plugins: [bundledThreads],
        test: {
          name: 'whole parts',
          include: [wholeParts, `!${longWholeParts}`],
          isolate: false,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        plugins: [bundledThreads],
        test: { name: 'in a process of its own', include: [...ownModuleFiles, longWholeParts] },
      },
    ],
  },
});
