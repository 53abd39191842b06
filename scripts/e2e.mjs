import { ensureNode } from './ensure-node.mjs';

await ensureNode(import.meta.url);

// Builds the app if it is out of date, and runs the specs in the browser shell, or with --electron in Electron, which
// fails where there is no runtime. Other arguments are passed to Playwright.
const { buildIfOlder } = await import('./build-if-older.mjs');
const { findOrFetchElectron } = await import('./find-electron.mjs');
const { playwrightEnvironment, runTool } = await import('./run-tools.mjs');

const args = process.argv.slice(2);
const isElectron = args.includes('--electron');
const env = playwrightEnvironment();
if (isElectron) {
  const electron = await findOrFetchElectron();
  if (electron === null) {
    process.stderr.write('Electron’s runtime is not here and could not be fetched; nothing was tested.\n');
    process.exit(1);
  }
  Object.assign(env, { CLAIMDESK_E2E_SHELL: 'electron', CLAIMDESK_ELECTRON: electron });
}
const buildCode = await buildIfOlder();
if (buildCode !== 0) process.exit(buildCode);
process.exit(await runTool('playwright', ['test', ...args.filter((one) => one !== '--electron')], { env }));
