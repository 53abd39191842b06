import { ensureNode } from './ensure-node.mjs';

// `npm run -s sbom`: prints the bill of materials of a package, built first where the build is older.
await ensureNode(import.meta.url);

const { buildIfOlder } = await import('./build-if-older.mjs');
const { makeBill } = await import('./make-bill.mjs');
const { listBundledPackages } = await import('./package-files.mjs');

const code = await buildIfOlder();
if (code === 0) process.stdout.write(`${JSON.stringify(makeBill(listBundledPackages()), null, 2)}\n`);
process.exitCode = code;
