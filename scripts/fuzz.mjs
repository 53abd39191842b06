import { ensureNode } from './ensure-node.mjs';
import { runTool } from './run-tools.mjs';

// The long forms of the randomised tests: every test that reads CLAIMDESK_FUZZ_RUNS, with many runs.
ensureNode(import.meta.url);
const runs = process.argv[2] ?? '10000';
process.exit(
  await runTool('vitest', ['run', '--testTimeout=3600000', '--hookTimeout=3600000'], {
    env: { CLAIMDESK_FUZZ_RUNS: runs },
  }),
);
