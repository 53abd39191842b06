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
 * Claims by the last decision that an author made on each in a period, where it completed the claim; and
 * those of them that a sync reopened after any decision of the author in that period.
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
 * The kinds of rows: a member, a former member, an outsider (a name that was typed as owner, or the author of
 * entries from a file), or none, for claims without an owner.
 */
export const personKinds = ['member', 'former', 'outsider', 'unassigned'] as const;

const personSchema = z.object({
  kind: z.enum(personKinds),
  /** Empty for `unassigned`. */
  person: z.string(),
  /** False: the decisions came from a file, so their author is not verified. */
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

/** The open and decided claims of each owner or author in a team. `day`: the day of the ages. */
export const peopleReportSchema = z.object({ day, people: z.array(personSchema) });

/** Returns how many claims are of this kind in a row of the report. */
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

/** Returns the filter of a number in the report; its list must include claims no longer in the service. */
export const decidedConditions = (
  { person, isVerified }: Pick<PersonReport, 'person' | 'isVerified'>,
  kind: DecidedKind,
  period: Period,
): Condition[] => [decidedByCondition({ kind, ...period, author: { email: person, isVerified } })];

/** Returns the filter for an owner's open claims of one age (its index in `ageRanges`), or of any. */
export const openConditions = (person: string, day: string, age: number | null = null): Condition[] => [
  ...openClaims,
  person === ''
    ? { field: 'review.owner', operator: 'isEmpty', values: [] }
    : { field: 'review.owner', operator: 'is', values: [person] },
  ...(age === null ? [] : (ageRanges(day)[age]?.conditions ?? [])),
];
