import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildIfOlder } from './build-if-older.mjs';
import { ensureNode } from './ensure-node.mjs';
import { ensurePrerequisites } from './prerequisites.mjs';
import { root, runTool } from './run-tools.mjs';

// Runs every benchmark, those whose file name contains one of the given words, or with `--short` the ones below, in
// less than 15 minutes on two quiet cores. Each figure is a line: within its reach or not, and beside the last one in
// docs/figures.md as it was committed, both as multiples of the fixed work that was timed beside them. Figures of benches
// that succeeded are written there. Timings are never asserted.
await ensureNode(import.meta.url);
// Imported after `ensureNode`, because only Node 24 can load TypeScript.
const { judgeRow, putSection, readFigures, readSection } = await import('./bench-figures.ts');

/** The number of claims for each bench of the short form; null: the bench's own number. */
const shortBenches = {
  browsing: '100000',
  day: '100000',
  export: '100000',
  lock: null,
  queries: '100000',
  review: '100000',
  sync: null,
  team: null,
  'team-crowd': null,
};

const isShort = process.argv[2] === '--short';
const patterns = process.argv.slice(isShort ? 3 : 2);
const folder = join(root, 'test', 'bench');
const page = join(root, 'docs', 'figures.md');
const nameOf = (file) => file.replace('.bench.ts', '');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => !isShort || Object.hasOwn(shortBenches, nameOf(name)))
  .filter((name) => patterns.length === 0 || patterns.some((word) => name.includes(word)))
  .sort();

/** The figures that are committed: a second run is compared with these as well, not with the first. */
function readCommitted() {
  const args = ['show', 'HEAD:docs/figures.md'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout : existsSync(page) ? readFileSync(page, 'utf8') : '';
}

// Benchmarks of whole processes run the built app: from the sources, each thread would load a compiler.
let worst = files.length === 0 || !ensurePrerequisites() ? 1 : await buildIfOlder();
if (worst !== 0) process.exit(worst);
const committed = readCommitted();
const judged = [];
const startedMs = performance.now();
for (const file of files) {
  const claims = isShort ? shortBenches[nameOf(file)] : process.env.CLAIMDESK_BENCH_CLAIMS;
  const title = [nameOf(file), claims && `${Number(claims).toLocaleString('en-US')} claims`]
    .filter(Boolean)
    .join(', ');
  const last = readSection(committed, title);
  process.stdout.write(`\n${title}\n`);
  const rows = [];
  let rest = '';
  const onOutput = (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [row] = readFigures(line);
      const judgement = row && judgeRow(row, last.get(row.what));
      process.stdout.write(`${judgement?.line ?? line}\n`);
      if (row === undefined) continue;
      rows.push(row);
      judged.push(judgement);
    }
  };
  const env = { CLAIMDESK_BENCH_CLAIMS: claims ?? undefined };
  const code = await runTool('node', [join(folder, file)], { onOutput, env });
  worst = Math.max(worst, code);
  if (code !== 0) process.stdout.write(`failed        ${title}\n`);
  if (code !== 0 || rows.length === 0) continue;
  const day = new Date().toISOString().slice(0, 10);
  const work = rows.map(({ workMs }) => workMs).sort((a, b) => a - b)[Math.floor(rows.length / 2)];
  const measured = `${day}, ${availableParallelism()} cores, Node ${process.version}; fixed work ${work} ms.`;
  writeFileSync(
    page,
    putSection(existsSync(page) ? readFileSync(page, 'utf8') : '', { title, measured, rows }),
  );
}

const count = (word) => judged.filter(({ verdict }) => verdict.includes(word)).length;
const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
process.stdout.write(
  `\n${judged.length} figures: ${count('ok')} ok, ${count('short')} short of their reach, ` +
    `${count('slower')} slower than the last by more than a quarter; ${minutes} min\n`,
);
process.exit(worst);
