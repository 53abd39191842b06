import type { CarrierConnection } from '../../../contract/carrier-connections.ts';
import {
  criticalLoginProblems,
  fineLoginProblems,
  warningLoginProblems,
} from '../../../contract/carrier-connections.ts';

type Assessment = Pick<CarrierConnection, 'severity' | 'sentence' | 'nextStep'>;
export type ConnectionFacts = Pick<
  CarrierConnection,
  'loginProblem' | 'needsCorrection' | 'lastSuccessAt' | 'claimsSynced' | 'isRunning'
>;

type Texts = readonly [sentence: string, nextStep: string];

/**
 * One row of the table: conditions on a connection, and the text for it. An absent column matches any value.
 * `success` is the last finished update; `claims` `zero` is a count of 0, not an unknown one.
 */
interface Row extends Assessment {
  readonly id: string;
  readonly isRunning?: true;
  readonly problems?: readonly (string | null)[];
  readonly needsCorrection?: true;
  readonly success?: 'never' | 'lastWeek';
  readonly claims?: 'some' | 'zero';
}

const critical: Readonly<Record<(typeof criticalLoginProblems)[number], Texts>> = {
  invalid: [
    'The carrier doesn’t accept this username and password.',
    'Ask the member for the login they use on the carrier’s website, and update it here.',
  ],
  invalid_username_format: [
    'That isn’t a valid username for this carrier.',
    'Ask the member how they sign in on the carrier’s website, and update the username.',
  ],
  locked: [
    'The carrier has locked the account.',
    'Ask the member to unlock it on the carrier’s website; then update the login here.',
  ],
  broken: [
    'This login can’t be checked with the carrier.',
    'Ask the member whether they can sign in on the carrier’s website; then update the login here.',
  ],
  invalid_interop_token: [
    'The member’s authorization expired.',
    'Start the sign-in on the carrier’s page again.',
  ],
};

const warning: Readonly<Record<(typeof warningLoginProblems)[number], Texts>> = {
  incomplete: [
    'The carrier wants the member to finish setting up their account.',
    'Ask the member to sign in on the carrier’s website and finish there; then update the login here.',
  ],
  needs_two_factor: [
    'The carrier wants a code from the member.',
    'Update the login with the member on the phone, so that they can read out the code.',
  ],
  sec_question: [
    'The carrier asks for a security answer that is missing or wrong.',
    'Ask the member for the answers to their security questions, and update the login with them.',
  ],
  wrong_secondary: [
    'The carrier account uses a second sign-in method that doesn’t work here.',
    'Ask the member to choose another second method on the carrier’s website, such as security questions; then update the login here.',
  ],
  mfa_carrier: [
    'The carrier asks for a code at every sign-in.',
    'Ask the member to let the carrier remember the device, or update the login with them on the phone.',
  ],
  migrating: [
    'The carrier is moving its members to another system.',
    'Connect the member to the new carrier.',
  ],
};

const otherProblem: Texts = [
  'The carrier reports a problem with this login.',
  'Ask the member to sign in on the carrier’s website; then update the login here.',
];

/**
 * `login_problem` values without an objection: null is not confirmed yet; `valid` is accepted even before claims
 * arrive.
 */
const unobjected = [null, 'valid'] as const;

/**
 * What a connection's states mean and what to do about each (docs/service.md, "Login problems"); the first matching row
 * counts. A finished update within the last seven days makes a warning harmless, but not an unpublished problem. A
 * connection that has fetched nothing yet is neither a success nor a wrong login.
 */
export const connectionTable: readonly Row[] = [
  {
    id: 'running',
    isRunning: true,
    severity: 'running',
    sentence: 'The login is being checked.',
    nextStep: null,
  },
  ...criticalLoginProblems.map((problem): Row => {
    const [sentence, nextStep] = critical[problem];
    return { id: problem, problems: [problem], severity: 'critical', sentence, nextStep };
  }),
  ...warningLoginProblems.flatMap((problem): Row[] => {
    const [sentence, nextStep] = warning[problem];
    const row = { problems: [problem], sentence, nextStep };
    const harmless = { ...row, success: 'lastWeek', severity: 'fine', nextStep: null } as const;
    return [
      {
        ...harmless,
        id: `${problem}, claims in the last week`,
        claims: 'some',
        sentence: `${sentence} Claims were received in the last 7 days.`,
      },
      {
        ...harmless,
        id: `${problem}, update in the last week`,
        sentence: `${sentence} The last update was within 7 days.`,
      },
      { ...row, id: problem, severity: 'warning' },
    ];
  }),
  {
    id: 'correction wanted',
    problems: [null, 'valid', 'inactive'],
    needsCorrection: true,
    severity: 'warning',
    sentence: otherProblem[0],
    nextStep: otherProblem[1],
  },
  {
    id: 'inactive',
    problems: ['inactive'],
    severity: 'fine',
    sentence: 'The plan has ended. No new claims are expected.',
    nextStep: null,
  },
  {
    id: 'unconfirmed, first claims',
    problems: [null],
    success: 'never',
    claims: 'some',
    severity: 'unknown',
    sentence: 'The first claims have arrived. The first update isn’t finished yet.',
    nextStep: null,
  },
  {
    id: 'unconfirmed',
    problems: [null],
    success: 'never',
    severity: 'unknown',
    sentence: 'No data from the carrier yet.',
    nextStep:
      'Confirming a login can take up to 24 hours. Check again tomorrow. If there’s still no data, update the login.',
  },
  {
    id: 'valid, first claims',
    problems: ['valid'],
    success: 'never',
    claims: 'some',
    severity: 'fine',
    sentence: 'Connected. The first claims have arrived; the rest will follow.',
    nextStep: null,
  },
  {
    id: 'valid, no claims yet',
    problems: ['valid'],
    success: 'never',
    severity: 'unknown',
    sentence: 'Connected. Claims haven’t arrived yet.',
    nextStep: 'Nothing to do. The first claims can take up to 24 hours; refresh the status to see them.',
  },
  {
    id: 'connected, no claims at the carrier',
    problems: unobjected,
    claims: 'zero',
    severity: 'fine',
    sentence: 'The carrier has no claims for it so far.',
    nextStep: null,
  },
  {
    id: 'connected',
    problems: unobjected,
    severity: 'fine',
    sentence: 'New claims arrive with each update.',
    nextStep: null,
  },
  {
    id: 'another problem',
    severity: 'warning',
    sentence: otherProblem[0],
    nextStep: otherProblem[1],
  },
];

/** Returns whether the login has no problem; null, not confirmed yet, counts as none. */
export const isFineLogin = (loginProblem: string | null): boolean =>
  loginProblem === null || fineLoginProblems.some((problem) => problem === loginProblem);

const weekMs = 7 * 24 * 3_600_000;

/** Returns the first row that matches these facts; the last row matches any. */
export function findRow(facts: ConnectionFacts, nowMs: number): Row {
  const { loginProblem, lastSuccessAt, claimsSynced } = facts;
  const isLastWeek = nowMs - Date.parse(lastSuccessAt ?? '') < weekMs;
  const match = connectionTable.find(
    (row) =>
      (row.isRunning === undefined || facts.isRunning) &&
      (row.problems === undefined || row.problems.includes(loginProblem)) &&
      (row.needsCorrection === undefined || facts.needsCorrection) &&
      (row.success === undefined || (row.success === 'never' ? lastSuccessAt === null : isLastWeek)) &&
      (row.claims === undefined ||
        (row.claims === 'zero' ? claimsSynced === 0 : claimsSynced !== null && claimsSynced > 0)),
  );
  return match as Row;
}

/** Returns the texts for a connection, from its row. */
export function assessConnection(facts: ConnectionFacts, nowMs: number): Assessment {
  const { severity, sentence, nextStep } = findRow(facts, nowMs);
  return { severity, sentence, nextStep };
}

const rank: Readonly<Record<CarrierConnection['severity'], number>> = {
  critical: 0,
  warning: 1,
  unknown: 2,
  running: 3,
  fine: 4,
};

/** Sorts connections that need attention first, then by the oldest last success. */
export const compareConnections = (a: CarrierConnection, b: CarrierConnection): number =>
  rank[a.severity] - rank[b.severity] ||
  (a.lastSuccessAt ?? '').localeCompare(b.lastSuccessAt ?? '') ||
  a.policyHolderId - b.policyHolderId;

/** The first characters of a username, to distinguish two connections; the whole name is not stored. */
export function maskUsername(username: string | null): string | null {
  if (username === null || username === '') return null;
  return `${[...username].slice(0, username.length > 4 ? 2 : 1).join('')}…`;
}
