import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode } from './ensure-node.mjs';
import { ensurePrerequisites } from './prerequisites.mjs';
import { playwrightEnvironment, root, runTool, threadsFolder } from './run-tools.mjs';

// Runs units, integration, interop and architecture tests with vitest, and at the same time (with `--all`, afterwards)
// the specs of the built app in a browser with Playwright. Walks tagged @long and files named *.long.test.ts run only with `--all`, and after them
// the short form of the soak, which counts as one test. `npm test -- PATTERN …` runs the files whose path contains one
// of the patterns, including the long ones. The last line adds up the runners' reports.
await ensureNode(import.meta.url);
const { buildIfOlder } = await import('./build-if-older.mjs');
const reports = await import('./test-reports.ts');
const { addCounts, countPlaywright, countRunner, countVitest, timePlaywright, timeVitest } = reports;

/**
 * Tests and walks wait for processes more than they work: three files and two walks at a time keep two cores busy, also
 * when the walks are over.
 */
const sharedThreads = ['--maxWorkers=3'];
const slowestCount = 20;
const longFiles = '**/*.long.test.ts';
const results = join(root, 'test-results');
const vitestReport = join(results, 'vitest.json');
const playwrightReport = join(results, 'playwright.json');

function close(counts) {
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  close({ passed: 0, failed: 1, skipped: 0 });
}

const isAll = process.argv[2] === '--all';
const patterns = process.argv.slice(isAll ? 3 : 2);
if (patterns.some((pattern) => pattern.startsWith('-')) || (isAll && patterns.length > 0)) {
  process.stderr.write('Usage: npm test -- [--all | PATTERN …], each a part of the path of a test file.\n');
  process.exit(2);
}
const paths = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
  .filter((path) => patterns.length === 0 || patterns.some((pattern) => path.includes(pattern)));
const files = paths.filter((path) => /\.test\.tsx?$/.test(path));
const specs = paths.filter((path) => path.endsWith('.spec.ts'));

async function runVitest() {
  const bundlesThreads = patterns.length === 0;
  const bundleCode = bundlesThreads ? await runTool('node', ['scripts/bundle-threads.mjs']) : 0;
  if (bundleCode !== 0) return { counts: countRunner(bundleCode, null), times: [] };
  const args = ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestReport}`];
  const chosen = patterns.length > 0 ? files : isAll ? [] : ['--exclude', longFiles, ...sharedThreads];
  const code = await runTool('vitest', [...args, ...chosen], {
    env: bundlesThreads ? { CLAIMDESK_TEST_THREADS: threadsFolder } : {},
  });
  const report = readReport(vitestReport);
  return {
    counts: countRunner(code, report && countVitest(report)),
    times: report === null ? [] : timeVitest(report, root),
  };
}

/** Its output is buffered until `said` is settled, so that the output of the two runners does not mix. */
async function runPlaywright(said) {
  const buildCode = await buildIfOlder();
  if (buildCode !== 0) return { counts: countRunner(buildCode, null), times: [] };
  const chosen = patterns.length > 0 ? specs : isAll ? [] : ['--grep-invert', '@long'];
  const code = await runTool('playwright', ['test', ...chosen], {
    env: { ...playwrightEnvironment(), CLAIMDESK_PLAYWRIGHT_JSON: playwrightReport },
    holdsOutputUntil: said,
  });
  const report = readReport(playwrightReport);
  return {
    counts: countRunner(code, report && countPlaywright(report)),
    times: report === null ? [] : timePlaywright(report),
  };
}

/** Runs after the other tests, because it measures memory. */
async function runSoak() {
  const code = await runTool('node', ['scripts/soak.mjs', '--short']);
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * A folder in memory for the profiles of tests, where the system has room for it: hundreds of stores write durably, and
 * waiting for a disk was an eighth of all the time. Null elsewhere; tests then use the system's folder for temporary
 * files.
 */
function makeMemoryFolder() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize < 4 * 2 ** 30 ? null : mkdtempSync('/dev/shm/claimdesk-tests-');
  } catch {
    return null;
  }
}

if (files.length + specs.length === 0) fail(`No test file has ${patterns.join(' or ')} in its path.`);
if (!ensurePrerequisites()) close({ passed: 0, failed: 1, skipped: 0 });
rmSync(vitestReport, { force: true });
rmSync(playwrightReport, { force: true });
mkdirSync(results, { recursive: true });

const memoryFolder = makeMemoryFolder();
if (memoryFolder !== null) {
  process.env.TMPDIR = memoryFolder;
  process.on('exit', () => rmSync(memoryFolder, { recursive: true, force: true }));
}

const none = { counts: { passed: 0, failed: 0, skipped: 0 }, times: [] };
const startedMs = performance.now();
const vitest = files.length === 0 ? Promise.resolve(none) : runVitest();
// One after the other with `--all`: the long tests and walks slow each other down beyond their time limits.
if (isAll) await vitest;
const playwright = specs.length === 0 ? Promise.resolve(none) : runPlaywright(vitest);
const [first, second] = await Promise.all([vitest, playwright]);
const soak = isAll ? await runSoak() : none.counts;

const seconds = Math.round((performance.now() - startedMs) / 1000);
const times = [...first.times, ...second.times];
process.stdout.write(`\nThe slowest ${Math.min(slowestCount, times.length)} of ${times.length} tests:\n`);
for (const line of reports.listSlowest(times, slowestCount)) process.stdout.write(`${line}\n`);
const failed = reports.listFailed(times);
if (failed.length > 0) process.stdout.write(`Failed:\n${failed.join('\n')}\n`);
process.stdout.write(`${Math.floor(seconds / 60)} min ${seconds % 60} s\n`);
close(addCounts(addCounts(first.counts, second.counts), soak));
