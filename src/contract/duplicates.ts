import { z } from 'zod';
import { amountSchema, cellSchema } from './query.ts';

/**
 * How two claims relate. `sameClaim`: one carrier claim number through two connections. `exact`: one person, provider,
 * common days, equal billed amount and lines. `suspected`: a procedure in common, other amounts. `adjustment`: one
 * number or mirrored amounts; the newest counts, so it is no duplicate.
 */
export const duplicateKinds = ['sameClaim', 'exact', 'suspected', 'adjustment'] as const;
export type DuplicateKind = (typeof duplicateKinds)[number];

/** A field of two claims side by side, under the label of its column; amounts in dollars. */
export const comparedFieldSchema = z.object({
  field: z.string(),
  label: z.string(),
  left: cellSchema,
  right: cellSchema,
  agrees: z.boolean(),
});
export type ComparedField = z.infer<typeof comparedFieldSchema>;

/** Two claims, the one with the smaller ID first, with what agrees and what differs. */
export const duplicatePairSchema = z.object({
  left: z.int(),
  right: z.int(),
  kind: z.enum(duplicateKinds),
  /**
   * What would be reimbursed twice, in ten-thousandths of a dollar: the smaller of what is eligible or was reimbursed of
   * either claim. Null where that is not known.
   */
  payableTwice: amountSchema.nullable(),
  fields: z.array(comparedFieldSchema),
  /** What a person said of it and in which event, as long as nothing that was compared has changed. */
  judged: z.object({ isDuplicate: z.boolean(), eventId: z.string() }).nullable(),
  /** Of the two, the claim that is marked, or else reviewed, as a duplicate. */
  markedId: z.int().nullable(),
  /** Waits to be judged: no adjustment, not judged, and neither claim is reviewed as a duplicate. */
  isOpen: z.boolean(),
  /** The other claim is one of so many equal ones, of which the first is compared with others for all of them. */
  equalClaims: z.int().nullable(),
  /** The other claim comes before this one in the list, so that a walk has been at this pair. */
  isPassed: z.boolean(),
});
export type DuplicatePair = z.infer<typeof duplicatePairSchema>;

/**
 * More than 5 % of the claims that a sync brought, and at least 50, are duplicates: a fault of the feed rather than
 * hundreds of duplicates. `claims` is what it brought.
 */
export const feedWarningSchema = z.object({
  at: z.string(),
  claims: z.int(),
  duplicates: z.int(),
});
export type FeedWarning = z.infer<typeof feedWarningSchema>;
