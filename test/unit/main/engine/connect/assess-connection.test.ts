import { expect, test } from 'vitest';
import type { CarrierConnection } from '../../../../../src/contract/carrier-connections.ts';
import {
  criticalLoginProblems,
  fineLoginProblems,
  warningLoginProblems,
} from '../../../../../src/contract/carrier-connections.ts';
import {
  assessConnection,
  type ConnectionFacts,
  compareConnections,
  connectionTable,
  findRow,
  maskUsername,
} from '../../../../../src/main/engine/connect/assess-connection.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');
const daysAgo = (days: number): string => new Date(now - days * 86_400_000).toISOString();
const month = daysAgo(30);
const yesterday = daysAgo(1);
const nothing: ConnectionFacts = {
  loginProblem: null,
  needsCorrection: false,
  lastSuccessAt: null,
  claimsSynced: null,
  isRunning: false,
};

const login = 'Ask the member for the login they use on the carrier’s website, and update it here.';
const username = 'Ask the member how they sign in on the carrier’s website, and update the username.';
const unlock = 'Ask the member to unlock it on the carrier’s website; then update the login here.';
const whether =
  'Ask the member whether they can sign in on the carrier’s website; then update the login here.';
const finish =
  'Ask the member to sign in on the carrier’s website and finish there; then update the login here.';
const phone = 'Update the login with the member on the phone, so that they can read out the code.';
const answers = 'Ask the member for the answers to their security questions, and update the login with them.';
const method =
  'Ask the member to choose another second method on the carrier’s website, such as security questions; then update the login here.';
const device =
  'Ask the member to let the carrier remember the device, or update the login with them on the phone.';
const signIn = 'Ask the member to sign in on the carrier’s website; then update the login here.';
const wait =
  'Confirming a login can take up to 24 hours. Check again tomorrow. If there’s still no data, update the login.';
const soon = 'Nothing to do. The first claims can take up to 24 hours; refresh the status to see them.';
const sentences = {
  incomplete: 'The carrier wants the member to finish setting up their account.',
  needs_two_factor: 'The carrier wants a code from the member.',
  sec_question: 'The carrier asks for a security answer that is missing or wrong.',
  wrong_secondary: 'The carrier account uses a second sign-in method that doesn’t work here.',
  mfa_carrier: 'The carrier asks for a code at every sign-in.',
  migrating: 'The carrier is moving its members to another system.',
} as const;
const steps = {
  incomplete: finish,
  needs_two_factor: phone,
  sec_question: answers,
  wrong_secondary: method,
  mfa_carrier: device,
  migrating: 'Connect the member to the new carrier.',
} as const;

type Case = [
  row: string,
  facts: Partial<ConnectionFacts>,
  severity: CarrierConnection['severity'],
  sentence: string,
  nextStep: string | null,
];

/** Each row of the table with the facts that it is for, and its words. */
const cases: readonly Case[] = [
  ['running', { isRunning: true, loginProblem: 'invalid' }, 'running', 'The login is being checked.', null],
  [
    'invalid',
    { loginProblem: 'invalid', needsCorrection: true, lastSuccessAt: yesterday, claimsSynced: 9 },
    'critical',
    'The carrier doesn’t accept this username and password.',
    login,
  ],
  [
    'invalid_username_format',
    { loginProblem: 'invalid_username_format' },
    'critical',
    'That isn’t a valid username for this carrier.',
    username,
  ],
  ['locked', { loginProblem: 'locked' }, 'critical', 'The carrier has locked the account.', unlock],
  [
    'broken',
    { loginProblem: 'broken', lastSuccessAt: yesterday },
    'critical',
    'This login can’t be checked with the carrier.',
    whether,
  ],
  [
    'invalid_interop_token',
    { loginProblem: 'invalid_interop_token' },
    'critical',
    'The member’s authorization expired.',
    'Start the sign-in on the carrier’s page again.',
  ],
  ...warningLoginProblems.flatMap((loginProblem): Case[] => [
    [
      `${loginProblem}, claims in the last week`,
      { loginProblem, needsCorrection: true, lastSuccessAt: daysAgo(6.9), claimsSynced: 1 },
      'fine',
      `${sentences[loginProblem]} Claims were received in the last 7 days.`,
      null,
    ],
    [
      `${loginProblem}, update in the last week`,
      { loginProblem, needsCorrection: true, lastSuccessAt: daysAgo(6.9), claimsSynced: 0 },
      'fine',
      `${sentences[loginProblem]} The last update was within 7 days.`,
      null,
    ],
    [
      loginProblem,
      { loginProblem, lastSuccessAt: daysAgo(7.1), claimsSynced: 9 },
      'warning',
      sentences[loginProblem],
      steps[loginProblem],
    ],
  ]),
  [
    'correction wanted',
    { loginProblem: 'valid', needsCorrection: true, lastSuccessAt: yesterday, claimsSynced: 9 },
    'warning',
    'The carrier reports a problem with this login.',
    signIn,
  ],
  ['inactive', { loginProblem: 'inactive' }, 'fine', 'The plan has ended. No new claims are expected.', null],
  [
    'unconfirmed, first claims',
    { claimsSynced: 5 },
    'unknown',
    'The first claims have arrived. The first update isn’t finished yet.',
    null,
  ],
  ['unconfirmed', { claimsSynced: 0 }, 'unknown', 'No data from the carrier yet.', wait],
  [
    'valid, first claims',
    { loginProblem: 'valid', claimsSynced: 5 },
    'fine',
    'Connected. The first claims have arrived; the rest will follow.',
    null,
  ],
  [
    'valid, no claims yet',
    { loginProblem: 'valid', claimsSynced: 0 },
    'unknown',
    'Connected. Claims haven’t arrived yet.',
    soon,
  ],
  [
    'connected, no claims at the carrier',
    { loginProblem: 'valid', lastSuccessAt: yesterday, claimsSynced: 0 },
    'fine',
    'The carrier has no claims for it so far.',
    null,
  ],
  [
    'connected',
    { lastSuccessAt: month, claimsSynced: 9 },
    'fine',
    'New claims arrive with each update.',
    null,
  ],
  [
    'another problem',
    { loginProblem: 'moon_phase', lastSuccessAt: yesterday, claimsSynced: 9 },
    'warning',
    'The carrier reports a problem with this login.',
    signIn,
  ],
];

test.each(cases)('row "%s"', (row, part, severity, sentence, nextStep) => {
  const facts = { ...nothing, ...part };
  expect(findRow(facts, now).id).toBe(row);
  expect(assessConnection(facts, now)).toEqual({ severity, sentence, nextStep });
});

test('each row of the table has its test', () => {
  expect(connectionTable.map(({ id }) => id)).toEqual(cases.map(([row]) => row));
});

const problems = [
  null,
  ...fineLoginProblems,
  ...warningLoginProblems,
  ...criticalLoginProblems,
  'moon_phase',
];
const allFacts = problems.flatMap((loginProblem) =>
  [true, false].flatMap((needsCorrection) =>
    [null, yesterday, month].flatMap((lastSuccessAt) =>
      [null, 0, 5].map((claimsSynced) => ({
        loginProblem,
        needsCorrection,
        lastSuccessAt,
        claimsSynced,
        isRunning: false,
      })),
    ),
  ),
);

test('every combination has a row, and one that needs no one has no next step to correct', () => {
  for (const facts of allFacts) {
    const { severity, sentence, nextStep } = assessConnection(facts, now);
    expect(sentence, JSON.stringify(facts)).not.toBe('');
    if (severity === 'critical' || severity === 'warning') expect(nextStep).not.toBeNull();
    if (severity === 'fine') expect(nextStep).toBeNull();
  }
});

test('a login that the carrier accepted never needs a correction before its first claims', () => {
  const accepted = allFacts.filter((one) => one.loginProblem === 'valid' && !one.needsCorrection);
  expect(accepted.length).toBe(9);
  for (const facts of accepted) {
    const { severity, nextStep } = assessConnection(facts, now);
    expect(['fine', 'unknown']).toContain(severity);
    expect(nextStep ?? '').not.toMatch(/update the login|correct/i);
  }
});

test('each problem has its own words', () => {
  const said = [...criticalLoginProblems, ...warningLoginProblems].map(
    (loginProblem) => assessConnection({ ...nothing, loginProblem }, now).sentence,
  );
  expect(new Set(said).size).toBe(said.length);
});

test('those that need attention come first', () => {
  const severities = ['fine', 'running', 'unknown', 'warning', 'critical'] as const;
  const views = severities.map((severity, policyHolderId) => ({
    severity,
    policyHolderId,
    lastSuccessAt: null,
  })) as CarrierConnection[];
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
