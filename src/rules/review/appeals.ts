import { z } from 'zod';
import { formatDay } from '../days.ts';

/** Whether the plan received the appeal and answers it, or it was sent to the carrier, which answers it. */
export const appealDirections = ['received', 'sent'] as const;
/** Who appeals. `us`: the plan, at the carrier. */
export const appealAskers = ['member', 'provider', 'us'] as const;
/** The answer to an appeal. `withdrawn`: by its author. */
export const appealAnswers = ['upheld', 'partly', 'overturned', 'withdrawn'] as const;

export const appealAskerLabels: Readonly<Record<(typeof appealAskers)[number], string>> = {
  member: 'Member',
  provider: 'Provider',
  us: 'Plan',
};

export const appealAnswerLabels: Readonly<Record<(typeof appealAnswers)[number], string>> = {
  upheld: 'Upheld',
  partly: 'Partly overturned',
  overturned: 'Overturned',
  withdrawn: 'Withdrawn',
};

const nullableDay = z.iso.date().nullable();

/** An appeal against a denial of a claim. Days are `YYYY-MM-DD`, times ISO date-times. */
export const appealSchema = z.object({
  /** ID of the event that added it. */
  id: z.string(),
  direction: z.enum(appealDirections),
  asker: z.enum(appealAskers),
  level: z.int(),
  /** When it was received or sent, and by when it has to be answered. */
  day: z.iso.date(),
  due: z.iso.date(),
  reason: z.string().nullable(),
  author: z.string(),
  at: z.string(),
  /** The authors of the decisions before the appeal; in a team, none of them may answer it. */
  deciders: z.array(z.string()),
  /** Null: it is open. `letterDay`: when the letter with the answer was sent; null: not yet. */
  answered: z
    .object({
      answer: z.enum(appealAnswers),
      day: z.iso.date(),
      letterDay: nullableDay,
      reason: z.string(),
      author: z.string(),
      at: z.string(),
    })
    .nullable(),
});
export type Appeal = z.infer<typeof appealSchema>;

interface Appealed {
  readonly appeals: readonly Appeal[];
}

/** The open appeal of a claim that has to be answered first; undefined: none is open. */
export const findOpenAppeal = ({ appeals }: Appealed): Appeal | undefined =>
  appeals.filter(({ answered }) => answered === null).sort((a, b) => (a.due < b.due ? -1 : 1))[0];

/** The appeal that lists show: the open one, otherwise the newest. */
export const findShownAppeal = (review: Appealed): Appeal | undefined =>
  findOpenAppeal(review) ?? review.appeals.at(-1);

/** Whether the carrier's time to answer is running or has run: the claim needs no other appeal to it. */
export const isSentToCarrier = ({ direction, answered }: Appeal): boolean =>
  direction === 'sent' && answered?.answer !== 'withdrawn';

/** Whether the plan found that its own decision was wrong, at least in part, so that you decide the claim again. */
export const isOverturned = ({ direction, answered }: Appeal): boolean =>
  direction === 'received' && (answered?.answer === 'overturned' || answered?.answer === 'partly');

/** The state of an appeal in one or two words: "Sent", "Partly overturned". */
export const sayAppealState = ({ direction, answered }: Appeal): string =>
  answered !== null ? appealAnswerLabels[answered.answer] : direction === 'sent' ? 'Sent' : 'Received';

/** Describes the appeal: "Appeal sent on 10/02/2026, level 2". */
export const sayAppeal = ({ direction, day, level }: Pick<Appeal, 'direction' | 'day' | 'level'>): string =>
  `Appeal ${direction} on ${formatDay(day)}${level === 1 ? '' : `, level ${level}`}`;

/**
 * Whether an author may answer an appeal: whoever decided the claim before it may not answer one that the plan received
 * (29 CFR 2560.503-1(h)(3)(ii)). The carrier answers appeals that were sent to it; anyone may record its answer.
 */
export const mayAnswer = ({ direction, deciders }: Appeal, author: string): boolean =>
  direction === 'sent' || !deciders.includes(author);
