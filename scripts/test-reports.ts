/** Counts of a run of `npm test`, from the runners' JSON reports. */

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface TimedTest {
  readonly seconds: number;
  /** Relative to the project's folder. */
  readonly file: string;
  readonly name: string;
  readonly isFailed: boolean;
}

/** The part of vitest's report that is used here. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly VitestFile[];
}

interface VitestFile {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly duration?: number | null;
    readonly status: string;
  }[];
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly file: string;
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly { readonly results: readonly { readonly duration: number }[] }[];
  }[];
}

/** The part of Playwright's report that is used here. */
export interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly suites: readonly PlaywrightSuite[];
}

const isUnloaded = ({ status, assertionResults }: Omit<VitestFile, 'name'>): boolean =>
  status === 'failed' && !assertionResults.some((test) => test.status === 'failed');

/** Counts of vitest's report. A file that cannot be loaded or prepared has no failed test, but counts as a failure. */
export function countVitest(report: VitestReport): Counts {
  const unloaded = report.testResults.filter(isUnloaded);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export function countPlaywright({ stats }: PlaywrightReport): Counts {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

/** The counts of one runner. A runner that failed without a failed test, or wrote no report, counts as one failure. */
export function countRunner(exitCode: number, counts: Counts | null): Counts {
  const sum = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const isUntold = sum.failed === 0 && (exitCode !== 0 || counts === null);
  return isUntold ? { ...sum, failed: 1 } : sum;
}

export const addCounts = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

export function timeVitest(report: VitestReport, root: string): TimedTest[] {
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.startsWith(root) ? name.slice(root.length).replace(/^[/\\]/, '') : name;
    if (isUnloaded({ status, assertionResults }))
      return [{ seconds: 0, file, name: 'the file could not be loaded or prepared', isFailed: true }];
    return assertionResults.map((test) => ({
      seconds: (test.duration ?? 0) / 1000,
      file,
      name: test.fullName,
      isFailed: test.status === 'failed',
    }));
  });
}

export function timePlaywright(report: PlaywrightReport): TimedTest[] {
  const walk = ({ specs = [], suites = [] }: PlaywrightSuite): TimedTest[] => [
    ...specs.map(({ file, title, ok, tests }) => ({
      seconds: tests.flatMap(({ results }) => results).reduce((sum, one) => sum + one.duration, 0) / 1000,
      file: `test/e2e/${file}`,
      name: title,
      isFailed: !ok,
    })),
    ...suites.flatMap(walk),
  ];
  return report.suites.flatMap(walk);
}

/** The slowest tests, slowest first, one line each. */
export function listSlowest(tests: readonly TimedTest[], count: number): string[] {
  return [...tests]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ seconds, file, name }) => `${seconds.toFixed(1).padStart(7)} s  ${file}: ${name}`);
}

/** The failed tests, one line each: runners print them long before the end of the output. */
export const listFailed = (tests: readonly TimedTest[]): string[] =>
  tests.filter(({ isFailed }) => isFailed).map(({ file, name }) => `  ${file}: ${name}`);
