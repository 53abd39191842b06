import { expect, test } from 'vitest';
import {
  criticalLoginProblems,
  fineLoginProblems,
  warningLoginProblems,
} from '../../../../../src/contract/connect.ts';
import type { ConnectionView } from '../../../../../src/contract/connect-views.ts';
import {
  compareConnections,
  judgeConnection,
  maskUsername,
} from '../../../../../src/main/engine/connect/judge-connection.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');
const daysAgo = (days: number): string => new Date(now - days * 86_400_000).toISOString();
const judge = (changes: Partial<Parameters<typeof judgeConnection>[0]>) =>
  judgeConnection(
    { loginProblem: null, needsCorrection: false, lastSuccessAt: daysAgo(30), isRunning: false, ...changes },
    now,
  );

test.each([...criticalLoginProblems])(
  '%s is critical, whatever came before, and says what to do',
  (loginProblem) => {
    expect(judge({ loginProblem, lastSuccessAt: daysAgo(1) })).toMatchObject({
      severity: 'critical',
      nextStep: expect.any(String),
    });
  },
);

test.each([...warningLoginProblems])(
  '%s is a warning, harmless within a week of a success',
  (loginProblem) => {
    expect(judge({ loginProblem })).toMatchObject({ severity: 'warning', nextStep: expect.any(String) });
    expect(judge({ loginProblem, lastSuccessAt: null }).severity).toBe('warning');
    expect(judge({ loginProblem, lastSuccessAt: daysAgo(6.9) })).toMatchObject({
      severity: 'fine',
      nextStep: null,
    });
    expect(judge({ loginProblem, lastSuccessAt: daysAgo(7.1) }).severity).toBe('warning');
  },
);

test.each([null, ...fineLoginProblems])('%s is fine', (loginProblem) => {
  expect(judge({ loginProblem })).toMatchObject({ severity: 'fine', nextStep: null });
});

test('each problem has words of its own', () => {
  const said = [...criticalLoginProblems, ...warningLoginProblems].map(
    (one) => judge({ loginProblem: one }).sentence,
  );
  expect(new Set(said).size).toBe(said.length);
});

test('a problem that nobody published is a warning, never harmless', () => {
  expect(judge({ loginProblem: 'moon_phase', lastSuccessAt: daysAgo(1) }).severity).toBe('warning');
});

test('all null is not success, a running validation no verdict, and a wanted correction not fine', () => {
  expect(judge({ lastSuccessAt: null }).severity).toBe('unknown');
  expect(judge({ isRunning: true, loginProblem: 'invalid' }).severity).toBe('running');
  expect(judge({ needsCorrection: true }).severity).toBe('warning');
});

test('those that need attention come first', () => {
  const severities = ['fine', 'running', 'unknown', 'warning', 'critical'] as const;
  const views = severities.map((severity, policyHolderId) => ({
    severity,
    policyHolderId,
    lastSuccessAt: null,
  })) as ConnectionView[];
  expect(views.sort(compareConnections).map(({ severity }) => severity)).toEqual([...severities].reverse());
});

test.each([
  ['dana99', 'da…'],
  ['dana', 'd…'],
  ['', null],
  [null, null],
])('of the username %s only %s is kept', (username, kept) => {
  expect(maskUsername(username)).toBe(kept);
});
