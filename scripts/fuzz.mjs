import { randomInt } from 'node:crypto';
import { ensureNode } from './ensure-node.mjs';
import { runTool } from './run-tools.mjs';

// Runs the randomised tests at length with fresh seeds: `npm run fuzz -- [RUNS] [--seed N] [PATTERN …]`. The printed
// seed repeats a run that failed; patterns select test files.
await ensureNode(import.meta.url);

const usage = 'Usage: npm run fuzz -- [RUNS] [--seed N] [PATTERN …]\n';
const maxSeed = 2 ** 31 - 1;

function readWhole(text, max) {
  const number = /^\d+$/.test(text ?? '') ? Number(text) : 0;
  if (number >= 1 && number <= max) return number;
  process.stderr.write(`“${text ?? ''}” is not a whole number from 1 to ${max}.\n${usage}`);
  process.exit(2);
}

let runs = 10_000;
let seed = null;
const patterns = [];
const args = process.argv.slice(2);
for (let index = 0; index < args.length; index += 1) {
  const arg = args[index];
  if (arg === '--seed') {
    index += 1;
    seed = readWhole(args[index], maxSeed);
  } else if (arg.startsWith('-')) {
    process.stderr.write(usage);
    process.exit(2);
  } else if (/^\d+$/.test(arg)) runs = readWhole(arg, Number.MAX_SAFE_INTEGER);
  else patterns.push(arg);
}
seed ??= randomInt(1, maxSeed);

const repeat = `npm run fuzz -- ${[runs, '--seed', seed, ...patterns].join(' ')}`;
process.stdout.write(`Seed ${seed}, ${runs} runs. To repeat: ${repeat}\n`);
const code = await runTool('vitest', ['run', '--testTimeout=3600000', '--hookTimeout=3600000', ...patterns], {
  env: { CLAIMDESK_FUZZ_RUNS: String(runs), CLAIMDESK_FUZZ_SEED: String(seed) },
});
process.stdout.write(`Seed ${seed}: ${code === 0 ? 'nothing failed' : `failed. To repeat: ${repeat}`}\n`);
process.exit(code);
