import { z } from 'zod';
import { ageRanges } from '../rules/age-ranges.ts';
import { addDays } from '../rules/days.ts';
import type { Condition } from '../rules/query.ts';
import { type DecidedKind, decidedByCondition } from '../rules/review/decided-by.ts';
import { reviewOutcomes } from '../rules/review/decision.ts';

/** Claims of the review period that are still open. */
export const openClaims: Condition[] = [
  {
    field: 'review.state',
    operator: 'isOneOf',
    values: ['todo', 'inReview', 'waiting', 'back', 'escalated'],
  },
];

/** `YYYY-MM-DD`. */
const day = z.iso.date();

/** The first and the last day of a period of this computer's calendar, both included. */
export const periodSchema = z.object({ first: day, last: day });
export type Period = z.infer<typeof periodSchema>;

/** 30 days, the last of them today. */
export const usualPeriod = (today: string): Period => ({ first: addDays(today, -29) ?? today, last: today });

/**
 * Claims by the last decision that a person made on each in a time, where that decision completed it; and those of them
 * that a sync reopened after any decision of the person in that time.
 */
const decidedSchema = z.object({
  byOutcome: z.record(z.enum(reviewOutcomes), z.int()),
  claims: z.int(),
  reopened: z.int(),
});
export type DecidedCounts = z.infer<typeof decidedSchema>;

export const noneDecided = (): DecidedCounts => ({
  byOutcome: Object.fromEntries(reviewOutcomes.map((outcome) => [outcome, 0])) as DecidedCounts['byOutcome'],
  claims: 0,
  reopened: 0,
});

/**
 * Whose row it is: a member, a former member, somebody else (a name that was typed as owner, or the author of what came
 * in a file), or nobody, for claims without an owner.
 */
export const personKinds = ['member', 'former', 'outsider', 'unassigned'] as const;

const personSchema = z.object({
  kind: z.enum(personKinds),
  /** Empty for `unassigned`. */
  person: z.string(),
  /** False: nobody is known to have made these decisions, which a file brought. */
  isVerified: z.boolean(),
  isYou: z.boolean(),
  /** Open claims by age, one for each of `ageRanges` of the day. */
  open: z.array(z.int()),
  decided: decidedSchema,
  /** The same by day, newest first; a claim counts on each day. */
  days: z.array(decidedSchema.extend({ day })),
  /** The claims with a decision of this person that a colleague checked in the period, and those where one disagreed. */
  checked: z.int(),
  disagreed: z.int(),
});
export type PersonReport = z.infer<typeof personSchema>;

/** What each person of a team has open and decided. `day`: the day of the ages. */
export const peopleReportSchema = z.object({ day, people: z.array(personSchema) });

/** How many claims a number of a person has. */
export function countDecided({ decided, checked, disagreed }: PersonReport, kind: DecidedKind): number {
  switch (kind) {
    case 'decided':
      return decided.claims;
    case 'reopened':
      return decided.reopened;
    case 'checked':
      return checked;
    case 'disagreed':
      return disagreed;
    default:
      return decided.byOutcome[kind];
  }
}

/** The claims of a number of a person, with those that the service no longer returns. */
export const decidedConditions = (
  { person, isVerified }: Pick<PersonReport, 'person' | 'isVerified'>,
  kind: DecidedKind,
  period: Period,
): Condition[] => [decidedByCondition({ kind, ...period, author: { email: person, isVerified } })];

/** The open claims of a person of an age (its index in `ageRanges`), or of any. */
export const openConditions = (person: string, day: string, age: number | null = null): Condition[] => [
  ...openClaims,
  person === ''
    ? { field: 'review.owner', operator: 'isEmpty', values: [] }
    : { field: 'review.owner', operator: 'is', values: [person] },
  ...(age === null ? [] : (ageRanges(day)[age]?.conditions ?? [])),
];
