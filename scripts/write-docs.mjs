import { ensureNode } from './ensure-node.mjs';
import { runTool } from './run-tools.mjs';

// Generates the documents that are made from code; `npm run check` only compares them.
await ensureNode(import.meta.url);

let code = 0;
for (const name of ['error', 'cli', 'export', 'policy'])
  code ||= await runTool('node', [`scripts/write-${name}-docs.ts`]);
process.exit(code);
