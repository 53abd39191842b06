import { criticalLoginProblems, fineLoginProblems, warningLoginProblems } from '../../../contract/connect.ts';
import type { ConnectionView } from '../../../contract/connect-views.ts';

export type Judged = Pick<ConnectionView, 'severity' | 'sentence' | 'nextStep'>;

type Words = readonly [sentence: string, nextStep: string | null];

const words: Readonly<Record<string, Words>> = {
  invalid: [
    'The carrier does not accept this username and password.',
    'Ask the member for the login of the carrier’s website, and correct it here.',
  ],
  invalid_username_format: [
    'The carrier’s usernames have another form.',
    'Ask the member how they sign in at the carrier’s website, and correct the username.',
  ],
  locked: [
    'The carrier has locked the account.',
    'The member unlocks it at the carrier’s website; then correct the login here.',
  ],
  broken: [
    'This login cannot be checked with the carrier.',
    'Ask the member whether they can sign in at the carrier’s website; then correct the login here.',
  ],
  invalid_interop_token: [
    'The member’s permission at the carrier has ended.',
    'Begin the sign-in at the carrier’s page again.',
  ],
  incomplete: [
    'The carrier wants the member to finish setting up their account.',
    'The member signs in at the carrier’s website and finishes there; then correct the login here.',
  ],
  needs_two_factor: [
    'The carrier wants a code from the member.',
    'Correct the login with the member on the phone, so that they can read out the code.',
  ],
  sec_question: [
    'The carrier asks the member a security question.',
    'The member answers it at the carrier’s website; then correct the login here.',
  ],
  wrong_secondary: [
    'A further detail of the login is not right.',
    'Check the other fields of the login, such as date of birth or member number, and correct them.',
  ],
  mfa_carrier: [
    'The carrier asks for a code at every sign-in.',
    'Ask the member to let the carrier remember the device, or correct the login with them on the phone.',
  ],
  migrating: [
    'The carrier is moving its members to another website.',
    'Ask the member whether they have a new login; if so, correct it here.',
  ],
};

const otherWords: Words = [
  'The carrier reports a problem with this login.',
  'Ask the member to sign in at the carrier’s website; then correct the login here.',
];

const harmlessForMs = 7 * 24 * 3_600_000;

/**
 * What a connection's login problem means, and what to do (field notes §4, "Login problems"): a success within
 * the last seven days makes a warning harmless. All null while nothing was ever fetched is not success.
 */
export function judgeConnection(
  facts: Pick<ConnectionView, 'loginProblem' | 'needsCorrection' | 'lastSuccessAt' | 'isRunning'>,
  nowMs: number,
): Judged {
  const { loginProblem } = facts;
  if (facts.isRunning) {
    return { severity: 'running', sentence: 'The login is being checked.', nextStep: null };
  }
  const isFine = loginProblem === null || isOneOf(fineLoginProblems, loginProblem);
  if (isFine && facts.needsCorrection) {
    return { severity: 'warning', sentence: otherWords[0], nextStep: otherWords[1] };
  }
  if (isFine && facts.lastSuccessAt === null) {
    return {
      severity: 'unknown',
      sentence: 'Nothing has come from the carrier yet.',
      nextStep: 'Wait a day; if nothing comes, correct the login.',
    };
  }
  if (isFine) {
    const isInactive = loginProblem === 'inactive';
    const sentence = isInactive ? 'The plan has ended; the login works.' : 'The login works.';
    return { severity: 'fine', sentence, nextStep: null };
  }
  const [sentence, nextStep] = words[loginProblem] ?? otherWords;
  if (isOneOf(criticalLoginProblems, loginProblem)) return { severity: 'critical', sentence, nextStep };
  const isKnownWarning = isOneOf(warningLoginProblems, loginProblem);
  const successMs = Date.parse(facts.lastSuccessAt ?? '');
  if (isKnownWarning && nowMs - successMs < harmlessForMs) {
    return { severity: 'fine', sentence: `${sentence} Claims still came within a week.`, nextStep: null };
  }
  return { severity: 'warning', sentence, nextStep };
}

function isOneOf(list: readonly string[], value: string): boolean {
  return list.includes(value);
}

const rank: Readonly<Record<ConnectionView['severity'], number>> = {
  critical: 0,
  warning: 1,
  unknown: 2,
  running: 3,
  fine: 4,
};

/** Those that need attention first; then by who was successful longest ago. */
export function compareConnections(a: ConnectionView, b: ConnectionView): number {
  return (
    rank[a.severity] - rank[b.severity] ||
    (a.lastSuccessAt ?? '').localeCompare(b.lastSuccessAt ?? '') ||
    a.policyHolderId - b.policyHolderId
  );
}

/** The beginning of a username, for telling two connections apart; the name itself is not kept. */
export function maskUsername(username: string | null): string | null {
  if (username === null || username === '') return null;
  return `${[...username].slice(0, username.length > 4 ? 2 : 1).join('')}…`;
}
