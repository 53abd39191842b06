/** The fields that a template can have, with what each is called on screens. */
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

interface LetterKindSpec {
  readonly label: string;
  /** The fields that its template must have, and without a value of which the letter can't be made. */
  readonly required: readonly LetterField[];
  /** The text that is used until an employer has another. */
  readonly text: string;
  /** What it states, so that a later letter which states the same replaces it; null: it asks for something, or confirms it. */
  readonly states: 'decision' | 'owed' | null;
  /** What is typed for each letter, so that there is none for a list; absent: the decision has all. */
  readonly typedLabel?: string;
  /** It is for the carrier and not for the member. */
  readonly isToCarrier?: true;
}

/** A decision letter has what 29 CFR 2560.503-1(g)(1) asks of a notice, and (j) of one about an appeal. */
const ofDecision = [
  'member',
  'claim',
  'amounts',
  'reason',
  'provision',
  'change',
  'appeal',
  'contact',
] as const;

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
    required: ofDecision,
    states: 'decision',
    text: decisionText(
      'We looked at the claim below and can’t reimburse it. This letter explains why, what you can send us, and how to ask for another review.',
    ),
  },
  partlyEligible: {
    label: 'Partly eligible',
    required: ofDecision,
    states: 'decision',
    text: decisionText(
      'We looked at the claim below and can reimburse part of it. This letter explains why the rest is declined, what you can send us, and how to ask for another review.',
    ),
  },
  documentsNeeded: {
    label: 'Documents needed',
    required: ['member', 'claim', 'documents', 'contact'],
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
    required: ['member', 'claim', 'amounts', 'reason', 'appeal', 'contact'],
    states: 'owed',
    typedLabel: 'Why the amount is owed back',
    text: `{date}

Dear {member}:

We reimbursed more for the claim below than the plan allows. We are sorry for the trouble, and explain here what happened.

{claim}

{amounts}

Why: {reason}

Please call or write to us to agree on how to return this amount. {contact}

{appeal}

Sincerely,
{employer}`,
  },
  disagrees: {
    label: 'Disagrees with the carrier',
    required: ['claim', 'explanation', 'contact'],
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
    required: ['member', 'claim', 'asked', 'answerDue', 'contact'],
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
    required: ['member', 'claim', 'asked', 'answer', 'amounts', 'reason', 'provision', 'rights', 'contact'],
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

const fieldPattern = /\{([^{}]*)\}/g;
const isField = (name: string): name is LetterField => Object.hasOwn(letterFields, name);

const fieldsIn = (text: string): string[] => [...text.matchAll(fieldPattern)].map(([, name = '']) => name);

/** What keeps a template from being used: fields that don't exist, and required ones that it lacks, by name. */
export function checkTemplate(kind: LetterKind, text: string): { unknown: string[]; dropped: LetterField[] } {
  const used = fieldsIn(text);
  return {
    unknown: [...new Set(used.filter((name) => !isField(name)))],
    dropped: letterTable[kind].required.filter((name) => !used.includes(name)),
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
