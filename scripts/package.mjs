import { join } from 'node:path';
import { ensureNode } from './ensure-node.mjs';

// `npm run package -- [--dir]`: packages the app for this system; with --dir, without an installer. The files to pack
// are checked first, which needs no runtime.
await ensureNode(import.meta.url);

const { isSigned } = await import('../electron-builder.config.mjs');
const { buildIfOlder } = await import('./build-if-older.mjs');
const { findOrFetchElectron } = await import('./find-electron.mjs');
const { layOutPackage } = await import('./lay-out-package.mjs');
const { root, runTool } = await import('./run-tools.mjs');
const { writeLegal } = await import('./write-legal.mjs');

const args = process.argv.slice(2);
if (args.some((one) => one !== '--dir')) {
  process.stderr.write('Usage: npm run package -- [--dir]\n');
  process.exit(2);
}
const buildCode = await buildIfOlder();
if (buildCode !== 0) process.exit(buildCode);
writeLegal(join(root, 'dist/legal'));
const faults = await layOutPackage(join(root, 'dist/check/app.asar'));
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);
process.stdout.write('What goes into the package is complete.\n');
if ((await findOrFetchElectron()) === null) {
  process.stderr.write(
    'Electron’s runtime is not here and could not be fetched, so nothing was packaged.\nNext: connect to the network and run `npx install-electron`.\n',
  );
  process.exit(1);
}
// The packager takes a variable that is set and empty for a certificate. Without one it must not choose some other that
// the keychain of a Mac has.
const empty = Object.keys(process.env).filter(
  (name) => /^(WIN_)?CSC_|^APPLE_/.test(name) && process.env[name] === '',
);
const env = Object.fromEntries(empty.map((name) => [name, undefined]));
if (!isSigned) env.CSC_IDENTITY_AUTO_DISCOVERY = 'false';
const builderArgs = ['--config', 'electron-builder.config.mjs', ...args];
const code = await runTool('electron-builder', builderArgs, { env });
if (code === 0 && !isSigned)
  process.stdout.write(
    'Nothing is signed, because CSC_LINK, CSC_NAME and WIN_CSC_LINK are not set (docs/installers.md).\n',
  );
process.exit(code);
