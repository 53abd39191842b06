import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildIfOlder } from './build-if-older.mjs';
import { ensureNode } from './ensure-node.mjs';
import { ensurePrerequisites } from './prerequisites.mjs';
import { root, runTool } from './run-tools.mjs';

// Runs every benchmark, or those whose file name contains one of the given words. Each prints one JSON line for each
// figure. Figures of benches that succeeded are written to docs/figures.md. Timings are never asserted.
await ensureNode(import.meta.url);
// Imported after `ensureNode`, because only Node 24 can load TypeScript.
const { putSection, readFigures } = await import('./bench-figures.ts');

const patterns = process.argv.slice(2);
const folder = join(root, 'test', 'bench');
const page = join(root, 'docs', 'figures.md');
const claims = process.env.CLAIMDESK_BENCH_CLAIMS;
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => patterns.length === 0 || patterns.some((word) => name.includes(word)))
  .sort();
// Benchmarks of whole processes run the built app: from the sources, each thread would load a compiler.
let worst = files.length === 0 || !ensurePrerequisites() ? 1 : await buildIfOlder();
if (worst !== 0) process.exit(worst);
for (const file of files) {
  let output = '';
  const onOutput = (chunk) => {
    output += chunk;
  };
  const code = await runTool('node', [join(folder, file)], { onOutput });
  worst = Math.max(worst, code);
  const rows = readFigures(output);
  if (code !== 0 || rows.length === 0) continue;
  const title = [file.replace('.bench.ts', ''), claims && `${Number(claims).toLocaleString('en-US')} claims`];
  const day = new Date().toISOString().slice(0, 10);
  const section = {
    title: title.filter(Boolean).join(', '),
    measured: `${day}, ${availableParallelism()} cores, Node ${process.version}.`,
    rows,
  };
  writeFileSync(page, putSection(existsSync(page) ? readFileSync(page, 'utf8') : '', section));
}
process.exit(worst);
