import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { withoutCompiledValidator } from '../../../scripts/without-compiled-validator.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Puts the fake backend before the app's own script; the app itself is built as it is shipped. */
const withFakeBridge: Plugin = {
  name: 'with-fake-bridge',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace(
        '<script type="module" src="./main.tsx">',
        `<script type="module" src="/@fs${here}install.ts"></script>$&`,
      ),
  },
};

export default defineConfig({
  root: `${root}src/renderer`,
  base: './',
  plugins: [react(), withoutCompiledValidator, withFakeBridge],
  server: { fs: { allow: [root] } },
  build: {
    outDir: `${root}out/fake-window`,
    emptyOutDir: true,
    target: 'chrome150',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
});
