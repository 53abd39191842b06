import { ensureNode } from './ensure-node.mjs';
import { runTool } from './run-tools.mjs';

// Repeats a day's work on the built app for half an hour, or a shorter form without pauses: `npm run soak --
// [--short]`.
await ensureNode(import.meta.url);
const { buildIfOlder } = await import('./build-if-older.mjs');

const args = process.argv.slice(2);
if (args.length > 1 || (args[0] ?? '--short') !== '--short') {
  process.stderr.write('Usage: npm run soak -- [--short]\n');
  process.exit(2);
}
const buildCode = await buildIfOlder();
process.exit(buildCode === 0 ? await runTool('node', ['test/support/soak-program.ts', ...args]) : buildCode);
