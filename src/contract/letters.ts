import { z } from 'zod';
import { formatCountOf } from '../rules/count.ts';
import { addDays, daysBetween } from '../rules/days.ts';
import {
  fillTemplate,
  type LetterField,
  type LetterKind,
  letterFields,
  letterTable,
  mediationSentence,
  refuseTemplate,
  requiredOf,
} from '../rules/letters/letter-kinds.ts';
import { type LetterSaid, saidOf } from '../rules/letters/letter-said.ts';
import { doesCount } from '../rules/money/chains.ts';
import { sumChain } from '../rules/money/decided-amounts.ts';
import { formatTenThousandths } from '../rules/money/format-amount.ts';
import { type ReimbursementRules, rulesOf } from '../rules/money/reimbursement.ts';
import { sayChainRole } from '../rules/money/say-chain.ts';
import { type Appeal, findOpenAppeal } from '../rules/review/appeals.ts';
import type { ClaimReview } from '../rules/review/review.ts';
import { type LetterSettings, maxDaysOf, refuseSettings, sayMaxDays } from './letter-settings.ts';
import type { ClaimRecord } from './records.ts';
import { nameOf, providerOf, writeDays } from './say-claim.ts';

const employerOf = (claim: ClaimRecord) => claim.members?.[0]?.employer;
/** The key of the claim's employer among settings of letters. */
export const letterEmployerOf = (claim: ClaimRecord): string => String(employerOf(claim)?.id ?? '');

/** The days in which an appeal about the claim is answered, by its employer's reimbursement rules. */
export const answerDaysOf = (
  claim: ClaimRecord,
  {
    reimbursementRules,
    service,
  }: {
    readonly reimbursementRules: Readonly<Record<string, ReimbursementRules>>;
    readonly service: string;
  },
): number => rulesOf(reimbursementRules, service, employerOf(claim)?.id ?? null).answerDays;

/** The typed texts for letters of one export. */
export const typedLetterSchema = z.object({
  /** The lines of the member's address, where the records have none; blank: room for handwriting is left. */
  address: z.string().max(500).optional(),
  /** The documents or facts that are needed, why an amount is owed back, or the explanation to the carrier. */
  note: z.string().max(2_000).optional(),
});
type TypedLetter = z.infer<typeof typedLetterSchema>;

export interface LetterFacts {
  readonly claim: ClaimRecord;
  readonly review: ClaimReview;
  readonly carrier: string | null;
  readonly answerDays: number;
  /** The member's address as in the records; null or blank: they have none. */
  readonly address: string | null;
}

export interface Letter {
  readonly claim: string;
  readonly returnAddress: readonly string[];
  /** Name and address, for the window of an envelope. */
  readonly addressee: readonly string[];
  /** False: no address is known, so that there is room for handwriting. */
  readonly isAddressed: boolean;
  /** Paragraphs with a blank line between. */
  readonly text: string;
  readonly said: LetterSaid;
  /** Why it can't be made, as sentences; empty: it can. */
  readonly missing: readonly string[];
}

let longDays: Intl.DateTimeFormat | undefined;

/** "November 29, 2026". The formatter is made with its first use, as that of counts. */
function sayLongDay(day: string): string {
  longDays ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  return longDays.format(new Date(`${day}T00:00:00Z`));
}

const linesOf = (typed: string): string[] => typed.split('\n').flatMap((line) => line.trim() || []);

/** Which claims a kind is for, as the sentence that refuses others; null: this one. */
function refuseClaim(kind: LetterKind, review: ClaimReview): string | null {
  const { state, outcome, owed, chain } = review;
  if (letterTable[kind].states === 'decision' && chain !== null && !doesCount(chain.role))
    return sayChainRole(chain);
  if (kind === 'notEligible' || kind === 'partlyEligible') {
    const isDecided = state === 'done' && outcome === kind;
    return isDecided ? null : `The claim is not decided as ${letterTable[kind].label}.`;
  }
  if (kind === 'documentsNeeded') return outcome === null ? null : 'The claim is decided already.';
  if (kind === 'appealReceived' || kind === 'appealDecided') {
    if (findAppealOf(kind, review) === undefined)
      return `No appeal that we received about the claim ${kind === 'appealReceived' ? 'is open' : 'is decided'}.`;
    if (kind === 'appealReceived') return null;
    if (outcome === null) return 'Decide the claim again first, so that the letter has its amounts.';
    return isDecidedAfter(review, findAppealOf(kind, review))
      ? 'The claim was decided again after the appeal was upheld, so its amounts are not the upheld ones.'
      : null;
  }
  if (kind === 'owedBack' && owed === null) return 'How much is owed back is not known.';
  return kind === 'owedBack' && owed === 0 ? 'Nothing is owed back on this claim.' : null;
}

/** Whether a claim was decided again although the appeal left its decision as it was. */
const isDecidedAfter = ({ reviewedAt }: ClaimReview, appeal: Appeal | undefined): boolean =>
  appeal?.answered?.answer === 'upheld' &&
  reviewedAt !== null &&
  Date.parse(reviewedAt) > Date.parse(appeal.answered.at);

/** The appeal that a letter is about, of those that the plan received; undefined: there is none. */
const findAppealOf = (kind: LetterKind, { appeals }: ClaimReview): Appeal | undefined => {
  const received = appeals.filter(({ direction }) => direction === 'received');
  if (kind === 'appealReceived') return findOpenAppeal({ appeals: received });
  if (kind !== 'appealDecided') return undefined;
  return received.findLast(({ answered }) => answered !== null && answered.answer !== 'withdrawn');
};

const copiesSentence =
  'You can ask us, free of charge, for copies of all documents, records, and other information about your claim, and of any rule or guideline that we relied on.';
const judgmentSentence =
  'If the reason is that care was not medically necessary or was experimental, you can also ask us, free of charge, for an explanation of that judgment.';

/** The paragraph of a letter about appeals. The rights are those of 29 CFR 2560.503-1(j)(3) to (5). */
function sayAppealed(
  appeal: Appeal | undefined,
  { appealDays, hasTwoLevels, isErisa, returnAddress }: LetterSettings,
  today: string,
) {
  if (appeal === undefined) return { asked: null, answerDue: null, answer: null, rights: null };
  const { asker, day, due, level, answered } = appeal;
  const ofLevel = level === 1 ? '' : ` It is appeal number ${level} about this claim.`;
  const lines = linesOf(returnAddress);
  const isLast = !hasTwoLevels || level > 1 || answered?.answer === 'overturned';
  return {
    asked: `${asker === 'provider' ? 'The provider' : 'You'} appealed; we received the appeal on ${sayLongDay(day)}.${ofLevel}`,
    answerDue: `We answer in writing by ${sayLongDay(due)}.`,
    answer: answered === null ? null : appealAnswerSentences[answered.answer],
    rights:
      lines.length === 0
        ? null
        : [
            copiesSentence,
            judgmentSentence,
            isLast
              ? `Write to ${lines.join(', ')}.`
              : `If you disagree, you can appeal a second time. ${sayWhere(lines, appealDays, today)}`,
            ...(isErisa
              ? [
                  `${isLast ? 'You' : 'If your second appeal is denied, you'} have the right to bring a civil action under section 502(a) of ERISA.`,
                  mediationSentence,
                ]
              : ['You may have further rights under the law of your state.']),
          ].join(' '),
  };
}

/** Where to send an appeal, and until when. */
const sayWhere = (lines: readonly string[], days: number, today: string): string =>
  `Write to ${lines.join(', ')} within ${formatCountOf(days, 'day')} after you receive this letter; counted from its date, that is ${sayLongDay(addDays(today, days) ?? today)}.`;

const appealAnswerSentences: Readonly<Record<NonNullable<Appeal['answered']>['answer'], string>> = {
  upheld: 'The first decision stays as it was.',
  partly: 'We changed a part of the first decision.',
  overturned: 'We changed the first decision.',
  withdrawn: 'The appeal was withdrawn.',
};

function sayClaim(claim: ClaimRecord): { text: string | null; blank: string[] } {
  const parts = [
    ['Claim', String(claim.vendor_system_id ?? '').trim() || String(claim.id)],
    ['Patient', nameOf({ first_name: claim.patient_name })],
    ['Provider', providerOf(claim)],
    ['Dates of service', writeDays(claim.date_of_service)],
  ] as const;
  const blank = parts.flatMap(([label, value]) => (value === '' ? [label.toLowerCase()] : []));
  const lines = parts.map(([label, value]) => `${label}: ${value}`).join('\n');
  return { text: blank.length === 0 ? lines : null, blank };
}

/**
 * The amounts of the decision or, of what is owed back, of the claim's whole chain, computed where all amounts are
 * (`decideAmounts`); null: one is not known, or the lines don't add up to what is owed back.
 */
function sayAmounts(kind: LetterKind, review: ClaimReview): string | null {
  const { byRules, eligible, declined, owed, chain } = review;
  let amounts: [string, number | null][] = [
    ['Amount we looked at', byRules],
    ['Eligible', eligible],
    ['Declined', declined],
  ];
  if (kind === 'owedBack') {
    const { reimbursed, ...whole } = sumChain(review, chain);
    const subtracted: typeof amounts = [
      ['Eligible', whole.eligible],
      ['In question with the carrier', whole.disputed],
      ['Written off', whole.writtenOff],
    ];
    const rest = subtracted.reduce((sum, [, amount]) => sum - (amount ?? 0), reimbursed);
    if (owed !== 0 && rest !== owed) return null;
    const others = subtracted.filter(([, amount], index) => index === 0 || amount !== 0);
    amounts = [['Reimbursed', reimbursed], ...others, ['Owed back', owed]];
  }
  if (amounts.some(([, amount]) => amount === null)) return null;
  return amounts.map(([label, amount]) => `${label}: ${formatTenThousandths(amount)}`).join('\n');
}

function sayAppeal(settings: LetterSettings, answerDays: number, today: string): string | null {
  const { isErisa, appealDays, hasTwoLevels, returnAddress } = settings;
  const lines = linesOf(returnAddress);
  if (lines.length === 0) return null;
  return [
    `If you disagree, you can appeal. ${sayWhere(lines, appealDays, today)}`,
    'Tell us why you disagree, and send any comments, documents, or records that support your claim. We look at all of it, also at what we did not have the first time.',
    ...(isErisa
      ? [
          'Your appeal is decided by someone who did not make this decision and does not report to whoever did.',
        ]
      : []),
    copiesSentence,
    judgmentSentence,
    `We answer every appeal in writing within ${formatCountOf(answerDays, 'day')} after we receive it.`,
    ...(hasTwoLevels ? ['If your appeal is denied, you can appeal a second time.'] : []),
    ...(isErisa
      ? [
          `If your ${hasTwoLevels ? 'second ' : ''}appeal is denied, you have the right to bring a civil action under section 502(a) of ERISA.`,
        ]
      : []),
  ].join(' ');
}

const isBlankText = (text: string | null | undefined): boolean => !/[\p{L}\p{N}]/u.test(text ?? '');

/**
 * The documents or facts that are needed, and until when: a plan under ERISA gives at least 45 days (29 CFR
 * 2560.503-1(f)(2)(iii)(B)).
 */
const sayDocuments = (note: string, { isErisa }: LetterSettings): string =>
  isBlankText(note) || !isErisa
    ? note
    : `${note.replace(/[.\s]+$/, '')}${/[?!][.\s]*$/.test(note) ? '' : '.'} You have 45 days after you receive this letter to send it.`;

/** Refuses to promise an answer later than the law has it. */
function refuseDue(appeal: Appeal | undefined, settings: LetterSettings): string | null {
  if (appeal === undefined || (daysBetween(appeal.day, appeal.due) ?? 0) <= maxDaysOf(settings)) return null;
  return `${sayMaxDays(settings)} This one is due on ${sayLongDay(appeal.due)}.`;
}

/** Where each value comes from, for the sentence about one that is blank. */
const blankReasons: Readonly<Record<Exclude<LetterField, 'claim' | 'date'>, string>> = {
  member: 'The claim has no member with a name.',
  employer: 'The claim has no employer.',
  amounts: 'An amount of the decision is not known, or the amounts don’t add up.',
  reason: 'The decision has no reason. Decide it again with one.',
  provision: 'What the plan says about this reason is blank.',
  change: 'What would change the decision is blank.',
  documents: 'What is needed is blank.',
  explanation: 'The explanation is blank.',
  appeal: 'The return address is blank, so the letter can’t say where to appeal.',
  contact: 'The contact for questions is blank.',
  asked: 'The claim has no such appeal.',
  answerDue: 'Until when the appeal is answered is not known.',
  answer: 'The appeal has no answer yet.',
  rights: 'The return address is blank, so the letter can’t say where to ask for copies.',
};

/** The answer in a letter. */
function saidOfAppeal(kind: LetterKind, appeal: Appeal | undefined): Pick<LetterSaid, 'appeal'> {
  if (kind !== 'appealDecided' || !appeal?.answered?.reason) return {};
  const { answer, reason } = appeal.answered;
  return { appeal: { id: appeal.id, answer, reason } };
}

/**
 * The subject for which a letter cites the plan's provision: the reason for declining, or that an amount is owed
 * back; null: neither.
 */
export const letterCauseOf = (kind: LetterKind, { cause }: Pick<ClaimReview, 'cause'>): string | null =>
  kind === 'owedBack' ? letterTable.owedBack.label : cause;

/** Makes a letter about a claim from its decision of now. One with `missing` is for the preview alone. */
export function makeLetter(
  kind: LetterKind,
  facts: LetterFacts,
  {
    settings,
    typed,
    today,
  }: { readonly settings: LetterSettings; readonly typed: TypedLetter; readonly today: string },
): Letter {
  const { claim, review, carrier, answerDays } = facts;
  const { label, isToCarrier = false, text: usual } = letterTable[kind];
  const required = requiredOf(kind);
  const template = settings.templates[kind] ?? usual;
  const member = nameOf(claim.members?.[0] ?? {});
  const note = typed.note?.trim() ?? '';
  const { cause } = review;
  const appeal = findAppealOf(kind, review);
  const reason = appeal === undefined ? cause : (appeal.answered?.reason ?? null);
  const about = letterCauseOf(kind, review);
  const ofCause = about === null || !Object.hasOwn(settings.byCause, about) ? null : settings.byCause[about];
  const { text: claimText, blank } = sayClaim(claim);
  const values: Record<LetterField, string | null> = {
    date: sayLongDay(today),
    member,
    employer: employerOf(claim)?.name ?? null,
    claim: claimText,
    amounts: sayAmounts(kind, review),
    reason: kind === 'owedBack' ? note : reason,
    provision: kind === 'appealDecided' ? note : (ofCause?.provision ?? null),
    ...sayAppealed(appeal, settings, today),
    change: ofCause?.change ?? null,
    documents: sayDocuments(note, settings),
    explanation: note,
    appeal: sayAppeal(settings, answerDays, today),
    contact: settings.contact,
  };
  const refusals = [
    refuseClaim(kind, review),
    refuseTemplate(kind, template),
    kind === 'appealReceived' && settings.isErisa ? refuseDue(appeal, settings) : null,
  ];
  const mustHave: LetterField[] = template.includes('{employer}') ? [...required, 'employer'] : [...required];
  const missing = mustHave.flatMap((field) => {
    if (!isBlankText(values[field])) return [];
    if (field === 'claim') return `The claim has no ${blank.join(', ')}.`;
    if (field === 'reason' && kind === 'owedBack') return 'Why the amount is owed back is blank.';
    return field === 'date' ? [] : blankReasons[field];
  });
  const marked = Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const isBlank = mustHave.includes(field as LetterField) && isBlankText(value);
      return [field, isBlank ? `[${letterFields[field as LetterField]}: missing]` : value];
    }),
  );
  const address = linesOf(typed.address ?? (isToCarrier ? '' : (facts.address ?? '')));
  return {
    claim: `${label}, claim ${claim.id}`,
    returnAddress: linesOf(settings.returnAddress),
    addressee: [(isToCarrier ? (carrier ?? 'Claims department') : member) || 'Member', ...address],
    isAddressed: address.length > 0,
    text: fillTemplate(template, marked),
    said: { ...saidOf(review), ...saidOfAppeal(kind, appeal) },
    missing: [
      ...refusals.filter((sentence) => sentence !== null),
      ...refuseSettings(settings, required.includes('appeal'), answerDays),
      ...missing,
    ],
  };
}
