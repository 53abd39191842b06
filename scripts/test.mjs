import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode } from './ensure-node.mjs';
import { ensurePrerequisites } from './prerequisites.mjs';
import { playwrightEnvironment, root, runTool } from './run-tools.mjs';

// All tests: units, integration, interop and architecture by vitest, then the built app in a browser by
// Playwright. The last line adds up what the runners themselves reported.
ensureNode(import.meta.url);

const results = join(root, 'test-results');
const vitestReport = join(results, 'vitest.json');
const playwrightReport = join(results, 'playwright.json');
rmSync(vitestReport, { force: true });
rmSync(playwrightReport, { force: true });
mkdirSync(results, { recursive: true });

function close(counts) {
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** A runner that failed without saying how often counts as one failure. */
function count(name, code, counts) {
  const sum = counts ?? { passed: 0, failed: 0, skipped: 0 };
  if (code !== 0 && sum.failed === 0) {
    process.stderr.write(`${name} ended with ${code}\n`);
    sum.failed = 1;
  }
  return sum;
}

function countVitest(report) {
  if (report === null) return null;
  // A file that does not even load has no failed test, and is a failure all the same.
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

if (!ensurePrerequisites()) close({ passed: 0, failed: 1, skipped: 0 });

const buildCode = await runTool('electron-vite', ['build', '--logLevel', 'warn']);
if (buildCode !== 0) close(count('The build', buildCode, null));

const vitestCode = await runTool('vitest', [
  'run',
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${vitestReport}`,
]);
const vitest = count('vitest', vitestCode, countVitest(readReport(vitestReport)));

const playwrightCode = await runTool('playwright', ['test'], {
  env: { ...playwrightEnvironment(), CLAIMDESK_PLAYWRIGHT_JSON: playwrightReport },
});
const stats = readReport(playwrightReport)?.stats;
const playwright = count(
  'playwright',
  playwrightCode,
  stats === undefined
    ? null
    : { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped },
);

close({
  passed: vitest.passed + playwright.passed,
  failed: vitest.failed + playwright.failed,
  skipped: vitest.skipped + playwright.skipped,
});
