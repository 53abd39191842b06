/** Counts of a run of `npm test`, from the runners' JSON reports. */

import { stripVTControlCharacters } from 'node:util';

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
  /** The first lines of its error; null: it did not fail. */
  readonly failure: readonly string[] | null;
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
  /** Why the file could not be loaded or prepared. */
  readonly message?: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly duration?: number | null;
    readonly status: string;
    readonly failureMessages?: readonly string[];
  }[];
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly file: string;
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly { readonly results: readonly PlaywrightResult[] }[];
  }[];
}

interface PlaywrightResult {
  readonly duration: number;
  readonly errors?: readonly { readonly message?: string }[];
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

const isUnloaded = ({ status, assertionResults }: Pick<VitestFile, 'status' | 'assertionResults'>): boolean =>
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

const failureLines = 12;

/** The first lines of an error, without colors and what libraries called. */
const firstLinesOf = (message = ''): string[] =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'))
    .slice(0, failureLines);

export function timeVitest(report: VitestReport, root: string): TimedTest[] {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.startsWith(root) ? name.slice(root.length).replace(/^[/\\]/, '') : name;
    const unloaded = 'the file could not be loaded or prepared';
    if (isUnloaded({ status, assertionResults }))
      return [{ seconds: 0, file, name: unloaded, failure: firstLinesOf(message) }];
    return assertionResults.map((test) => ({
      seconds: (test.duration ?? 0) / 1000,
      file,
      name: test.fullName,
      failure: test.status === 'failed' ? firstLinesOf(test.failureMessages?.[0]) : null,
    }));
  });
}

export function timePlaywright(report: PlaywrightReport): TimedTest[] {
  const walk = ({ specs = [], suites = [] }: PlaywrightSuite): TimedTest[] => [
    ...specs.map(({ file, title, ok, tests }) => {
      const results = tests.flatMap((test) => test.results);
      const errors = results.flatMap((result) => result.errors ?? []);
      return {
        seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
        file: `test/e2e/${file}`,
        name: title,
        failure: ok ? null : firstLinesOf(errors[0]?.message),
      };
    }),
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

/** The failed tests with the beginnings of their errors: runners print them long before the end of the output. */
export const listFailed = (tests: readonly TimedTest[]): string[] =>
  tests.flatMap(({ file, name, failure }) =>
    failure === null ? [] : [`  ${file}: ${name}`, ...failure.map((line) => `      ${line}`)],
  );
