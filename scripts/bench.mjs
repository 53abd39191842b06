import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode } from './ensure-node.mjs';
import { root, runTool } from './run-tools.mjs';

// Runs every benchmark, or those whose file name contains one of the words given; each prints one JSON line
// a figure. Timings are never asserted.
ensureNode(import.meta.url);

const patterns = process.argv.slice(2);
const folder = join(root, 'test', 'bench');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => patterns.length === 0 || patterns.some((word) => name.includes(word)))
  .sort();
let worst = files.length === 0 ? 1 : 0;
for (const file of files) worst = Math.max(worst, await runTool('node', [join(folder, file)]));
process.exit(worst);
