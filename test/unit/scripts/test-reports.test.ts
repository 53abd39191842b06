import { expect, test } from 'vitest';
import {
  addCounts,
  countPlaywright,
  countRunner,
  countVitest,
  listFailed,
  listSlowest,
  type PlaywrightReport,
  timePlaywright,
  timeVitest,
  type VitestReport,
} from '../../../scripts/test-reports.ts';

const vitest: VitestReport = {
  numPassedTests: 5,
  numFailedTests: 1,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [
    {
      name: '/project/test/unit/a.test.ts',
      status: 'failed',
      assertionResults: [
        {
          fullName: 'a fails',
          duration: 1_500,
          status: 'failed',
          failureMessages: ['\u001b[31mError: expected 1 to be 2\u001b[39m\n\n    at a.test.ts:5:3'],
        },
        { fullName: 'a was not run', status: 'pending' },
      ],
    },
    {
      name: '/project/test/unit/b.test.ts',
      status: 'failed',
      message: 'No such module',
      assertionResults: [],
    },
    {
      name: '/project/test/unit/d.test.ts',
      status: 'failed',
      assertionResults: [{ fullName: 'd was not run', status: 'skipped' }],
    },
    {
      name: '/elsewhere/c.test.ts',
      status: 'passed',
      assertionResults: [{ fullName: 'c', duration: 20, status: 'passed' }],
    },
  ],
};

const playwright: PlaywrightReport = {
  stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 },
  suites: [
    {
      specs: [
        { file: 'lock.spec.ts', title: 'locks', ok: true, tests: [{ results: [{ duration: 9_000 }] }] },
      ],
      suites: [
        {
          specs: [
            {
              file: 'lock.spec.ts',
              title: 'locks again',
              ok: false,
              tests: [
                { results: [{ duration: 400, errors: [{ message: 'Test timeout' }] }, { duration: 200 }] },
              ],
            },
          ],
        },
      ],
    },
  ],
};

test('counts what failed, with files that did not load and tests that passed only at a second try', () => {
  expect(countVitest(vitest)).toEqual({ passed: 5, failed: 3, skipped: 2 });
  expect(countPlaywright(playwright)).toEqual({ passed: 3, failed: 2, skipped: 2 });
  expect(addCounts(countVitest(vitest), countPlaywright(playwright))).toEqual({
    passed: 8,
    failed: 5,
    skipped: 4,
  });
});

test('a runner that failed or reported nothing never counts as well', () => {
  const fine = { passed: 2, failed: 0, skipped: 0 };
  expect(countRunner(0, fine)).toEqual(fine);
  expect(countRunner(1, fine)).toEqual({ ...fine, failed: 1 });
  expect(countRunner(1, { ...fine, failed: 3 })).toEqual({ ...fine, failed: 3 });
  expect(countRunner(0, null)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('lists the slowest first, from both runners', () => {
  const tests = [...timeVitest(vitest, '/project'), ...timePlaywright(playwright)];
  expect(listSlowest(tests, 4)).toEqual([
    '    9.0 s  test/e2e/lock.spec.ts: locks',
    '    1.5 s  test/unit/a.test.ts: a fails',
    '    0.6 s  test/e2e/lock.spec.ts: locks again',
    '    0.0 s  /elsewhere/c.test.ts: c',
  ]);
});

test('lists what failed by file with its error, including a file that did not load', () => {
  const tests = [...timeVitest(vitest, '/project'), ...timePlaywright(playwright)];
  expect(listFailed(tests)).toEqual([
    '  test/unit/a.test.ts: a fails',
    '      Error: expected 1 to be 2',
    '          at a.test.ts:5:3',
    '  test/unit/b.test.ts: the file could not be loaded or prepared',
    '      No such module',
    '  test/unit/d.test.ts: the file could not be loaded or prepared',
    '  test/e2e/lock.spec.ts: locks again',
    '      Test timeout',
  ]);
});
