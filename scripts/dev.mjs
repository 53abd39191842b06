import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureNode } from './ensure-node.mjs';

await ensureNode(import.meta.url);

// This script is for development. Electron reloads the window at each change. Where it is missing, the browser
// shell runs from the sources and restarts at each change, with a window that is built again.
const { findElectron, hasDisplay } = await import('./find-electron.mjs');
const { root, runTool } = await import('./run-tools.mjs');

if (findElectron() !== null && hasDisplay()) process.exit(await runTool('electron-vite', ['dev', '--watch']));

const { resolveConfig } = await import('electron-vite');
const { build } = await import('vite');
const { config } = await resolveConfig({ root }, 'build', 'development');
const renderer = config.renderer ?? {};
const watcher = await build({
  ...renderer,
  configFile: false,
  logLevel: 'warn',
  build: { ...renderer.build, emptyOutDir: true, watch: {} },
});
await new Promise((resolve) => {
  watcher.on('event', ({ code }) => {
    if (code === 'END' || code === 'ERROR') resolve();
  });
});
const shell = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-preserve-output',
    join(root, 'src/main/shells/browser/index.ts'),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', cwd: root },
);
process.on('SIGINT', () => undefined);
shell.on('exit', async (code) => {
  await watcher.close();
  process.exit(code ?? 1);
});
