/** The fields that a template can have, with their labels. */
export const letterFields = {
  date: 'Date of the letter',
  member: 'Member’s name',
  employer: 'Employer',
  claim: 'Claim: number, patient, provider, days of service',
  amounts: 'Amounts of the decision',
  reason: 'Reason',
  provision: 'What the plan says',
  change: 'What would change the decision',
  documents: 'What is needed',
  explanation: 'Explanation',
  appeal: 'How and until when to appeal',
  asked: 'The appeal: its day, who appealed',
  answerDue: 'Until when the appeal is answered',
  answer: 'Answer to the appeal',
  rights: 'Rights after the appeal',
  contact: 'Contact for questions',
} as const;
export type LetterField = keyof typeof letterFields;

export const letterKinds = [
  'notEligible',
  'partlyEligible',
  'documentsNeeded',
  'owedBack',
  'disagrees',
  'appealReceived',
  'appealDecided',
] as const;
export type LetterKind = (typeof letterKinds)[number];

/** A part that a letter must have. */
interface LetterPart {
  readonly field: LetterField;
  /**
   * The paragraph of 29 CFR 2560.503-1 that requires it from a plan under ERISA; null: the law does not require it, but
   * the letter would not be clear without it.
   */
  readonly rule: string | null;
  /** The words by which Claimdesk's own text for the field meets it. */
  readonly words?: string;
}

interface LetterKindSpec {
  readonly label: string;
  /** Its template must have these fields, and the letter can't be made without a value for each. */
  readonly parts: readonly LetterPart[];
  /** The default text, until an employer has its own. */
  readonly text: string;
  /** What it states; a later letter that states the same replaces it. Null: it only asks for or confirms something. */
  readonly states: 'decision' | 'owed' | null;
  /** The text that is typed for each letter, so it can't be made for a list; absent: the decision has everything. */
  readonly typedLabel?: string;
  /** Whether the letter is for the carrier instead of the member. */
  readonly isToCarrier?: true;
}

/** The statement that (j)(5)(iii) prescribes word for word. */
export const mediationSentence =
  'You and your plan may have other voluntary alternative dispute resolution options, such as mediation. One way to find out what may be available is to contact your local U.S. Department of Labor Office and your State insurance regulatory agency.';

const part = (field: LetterField, rule: string | null = null, words?: string): LetterPart => ({
  field,
  rule,
  ...(words === undefined ? {} : { words }),
});

/**
 * How to appeal. Claims are for care already received, so nothing is urgent, (g)(1)(vi), and no plan pays for
 * disability, (g)(1)(vii).
 */
const appealParts = [
  part('appeal', '(g)(1)(iv)', 'you can appeal'),
  part('appeal', '(g)(1)(iv)', 'civil action under section 502(a) of ERISA'),
  part('appeal', '(g)(1)(v)(A)', 'any rule or guideline that we relied on'),
  part('appeal', '(g)(1)(v)(B)', 'free of charge, for an explanation of that judgment'),
  part('appeal', '(h)(2)(ii)', 'send any comments, documents, or records'),
  part(
    'appeal',
    '(h)(2)(iii)',
    'free of charge, for copies of all documents, records, and other information',
  ),
  part('appeal', '(h)(2)(iv)', 'also at what we did not have the first time'),
  part('appeal', '(h)(3)(i)', 'days after you receive this letter'),
  part('appeal', '(h)(3)(ii)', 'someone who did not make this decision'),
  part('appeal', '(i)(2)(iii)', 'We answer every appeal in writing within'),
];

const decisionParts = [
  part('member'),
  part('claim'),
  part('amounts'),
  part('reason', '(g)(1)(i)'),
  part('provision', '(g)(1)(ii)'),
  part('change', '(g)(1)(iii)'),
  ...appealParts,
  part('contact'),
];

const decisionText = (opening: string): string => `{date}

Dear {member}:

${opening}

{claim}

{amounts}

Why: {reason}

What the plan says: {provision}

What would change this decision: {change}

{appeal}

Questions? We are glad to help. {contact}

Sincerely,
{employer}`;

/** Each kind of letter. */
export const letterTable: Readonly<Record<LetterKind, LetterKindSpec>> = {
  notEligible: {
    label: 'Not eligible',
    parts: decisionParts,
    states: 'decision',
    text: decisionText(
      'We looked at the claim below and can’t reimburse it. This letter explains why, what you can send us, and how to ask for another review.',
    ),
  },
  partlyEligible: {
    label: 'Partly eligible',
    parts: decisionParts,
    states: 'decision',
    text: decisionText(
      'We looked at the claim below and can reimburse part of it. This letter explains why the rest is declined, what you can send us, and how to ask for another review.',
    ),
  },
  documentsNeeded: {
    label: 'Documents needed',
    parts: [
      part('member'),
      part('claim'),
      part('documents', '(f)(2)(iii)(B)', 'You have 45 days after you receive this letter'),
      part('contact'),
    ],
    states: null,
    typedLabel: 'What is needed',
    text: `{date}

Dear {member}:

Thank you for your claim. To finish it, we need something more from you.

{claim}

Please send us: {documents}

As soon as we have it, we continue with your claim. You don’t have to file the claim again.

Questions? We are glad to help. {contact}

Sincerely,
{employer}`,
  },
  owedBack: {
    label: 'Owed back',
    parts: [
      part('member'),
      part('claim'),
      part('amounts'),
      part('reason', '(g)(1)(i)'),
      part('provision', '(g)(1)(ii)'),
      ...appealParts,
      part('contact'),
    ],
    states: 'owed',
    typedLabel: 'Why the amount is owed back',
    text: `{date}

Dear {member}:

We reimbursed more for the claim below than the plan allows. We are sorry for the trouble, and explain here what happened.

{claim}

{amounts}

Why: {reason}

What the plan says: {provision}

Please call or write to us to agree on how to return this amount. {contact}

{appeal}

Sincerely,
{employer}`,
  },
  disagrees: {
    label: 'Disagrees with the carrier',
    parts: [part('claim'), part('explanation'), part('contact')],
    states: null,
    typedLabel: 'What our records show, with amounts',
    isToCarrier: true,
    text: `{date}

To the claims department:

Our records of this family’s deductible and out-of-pocket maximum disagree with how you processed the claim below. Please look at it again.

{claim}

{explanation}

Please send us a corrected explanation of benefits, or tell us in writing why the claim is right as it is. {contact}

Sincerely,
{employer}`,
  },
  appealReceived: {
    label: 'Appeal received',
    parts: [
      part('member'),
      part('claim'),
      part('asked'),
      part('answerDue', '(i)(2)(iii)', 'We answer in writing by'),
      part('contact'),
    ],
    states: null,
    text: `{date}

Dear {member}:

We received the appeal about the claim below, and will look at the claim again.

{claim}

{asked}

{answerDue}

Questions? We are glad to help. {contact}

Sincerely,
{employer}`,
  },
  appealDecided: {
    label: 'Appeal decided',
    parts: [
      part('member'),
      part('claim'),
      part('asked'),
      part('answer'),
      part('amounts'),
      part('reason', '(j)(1)'),
      part('provision', '(j)(2)'),
      part('rights', '(j)(3)', 'free of charge, for copies of all documents, records, and other information'),
      part('rights', '(j)(4)(i)', 'civil action under section 502(a) of ERISA'),
      part('rights', '(j)(5)(i)', 'any rule or guideline that we relied on'),
      part('rights', '(j)(5)(ii)', 'free of charge, for an explanation of that judgment'),
      part('rights', '(j)(5)(iii)', mediationSentence),
      part('contact'),
    ],
    states: 'decision',
    typedLabel: 'What the plan says about the answer',
    text: `{date}

Dear {member}:

We looked again at the claim below, as the appeal asked, and decided.

{claim}

{asked}

Our decision: {answer}

{amounts}

Why: {reason}

What the plan says: {provision}

{rights}

Questions? We are glad to help. {contact}

Sincerely,
{employer}`,
  },
};

/** The fields that a kind of letter must have, each once. */
export const requiredOf = (kind: LetterKind): readonly LetterField[] => [
  ...new Set(letterTable[kind].parts.map(({ field }) => field)),
];

const fieldPattern = /\{([^{}]*)\}/g;
const isField = (name: string): name is LetterField => Object.hasOwn(letterFields, name);

const fieldsIn = (text: string): string[] => [...text.matchAll(fieldPattern)].map(([, name = '']) => name);

/**
 * Lists the faults that make a template unusable: unknown fields, and missing required fields. The days to appeal count
 * from the letter's date, so every letter needs one.
 */
export function checkTemplate(kind: LetterKind, text: string): { unknown: string[]; dropped: LetterField[] } {
  const used = fieldsIn(text);
  return {
    unknown: [...new Set(used.filter((name) => !isField(name)))],
    dropped: (['date', ...requiredOf(kind)] as const).filter((name) => !used.includes(name)),
  };
}

/** Why a template can't be used, as a sentence; null: it can. */
export function refuseTemplate(kind: LetterKind, text: string): string | null {
  const { unknown, dropped } = checkTemplate(kind, text);
  const list = (names: readonly string[]): string => names.map((name) => `{${name}}`).join(', ');
  if (unknown.length > 0) return `These fields don’t exist: ${list(unknown)}.`;
  return dropped.length === 0 ? null : `The letter must have ${list(dropped)}.`;
}

/** Fills a template; a field without a value is blank. A value is never read as a template. */
export const fillTemplate = (
  text: string,
  values: Readonly<Partial<Record<LetterField, string | null>>>,
): string =>
  text
    .replace(fieldPattern, (_field, name: string) => (isField(name) ? (values[name] ?? '') : ''))
    .replace(/\n{3,}/g, '\n\n')
    .trim();
