import { ensureNode } from './ensure-node.mjs';
import { runTool } from './run-tools.mjs';

// A long day in a short time, over the engine on plain Node: `npm run soak -- [--minutes 30]`.
ensureNode(import.meta.url);

const args = process.argv.slice(2);
const minutes = args.length === 0 ? 30 : args[0] === '--minutes' && args.length === 2 ? Number(args[1]) : 0;
if (!(minutes >= 1 && minutes <= 1440)) {
  process.stderr.write('Usage: npm run soak -- [--minutes 30]\n');
  process.exit(2);
}
process.exit(await runTool('node', ['--expose-gc', 'test/support/soak-program.ts', String(minutes)]));
