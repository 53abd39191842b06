import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Where Node keeps what it made of our sources. Sandboxes, commands and the store's threads are started
 * hundreds of times; without it each of them strips the types anew and compiles: two thirds of its start.
 * Inherited by the workers and by whatever they start.
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/claimdesk-tests', import.meta.url),
);

export default defineConfig({
  test: {
    include: ['test/{unit,integration,interop,architecture}/**/*.test.{ts,tsx}'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default'],
  },
});
