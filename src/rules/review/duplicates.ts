import { z } from 'zod';
import { amountSchema, cellSchema } from '../query.ts';

/**
 * How two claims relate. `sameClaim`: one carrier claim number through two connections. `exact`: same person and
 * provider, days in common, equal billed amount and lines. `suspected`: a procedure in common, other amounts.
 * `adjustment`: the same number or mirrored amounts; the newest claim counts, so the other one is not a duplicate.
 */
const duplicateKinds = ['sameClaim', 'exact', 'suspected', 'adjustment'] as const;
export type DuplicateKind = (typeof duplicateKinds)[number];

/** A field of two claims to compare, with the label of its column; cells as in a row. */
const comparedFieldSchema = z.object({
  field: z.string(),
  label: z.string(),
  left: cellSchema,
  right: cellSchema,
  agrees: z.boolean(),
});
export type ComparedField = z.infer<typeof comparedFieldSchema>;

/** Two claims, the one with the smaller ID first, and which fields agree and differ. */
export const duplicatePairSchema = z.object({
  left: z.int(),
  right: z.int(),
  kind: z.enum(duplicateKinds),
  /**
   * The amount that would be reimbursed twice, in ten-thousandths of a dollar: the smaller of the two claims'
   * amounts, each the larger of what is eligible and what was reimbursed. Null where that is unknown.
   */
  payableTwice: amountSchema.nullable(),
  fields: z.array(comparedFieldSchema),
  /** The recorded judgment of the pair and its event; null once a compared field has changed. */
  judged: z.object({ isDuplicate: z.boolean(), eventId: z.string() }).nullable(),
  /** Whether the judgment can be undone here; someone else's can only be followed by another one. */
  isUndoable: z.boolean(),
  /** The one of the two claims that is marked or, without a mark, reviewed as a duplicate. */
  markedId: z.int().nullable(),
  /** Whether the pair needs a judgment: no adjustment, not judged, and neither claim reviewed as a duplicate. */
  isOpen: z.boolean(),
  /**
   * The size of the group of equal claims to which the other claim belongs. Only the first claim of a group is compared
   * with others.
   */
  equalClaims: z.int().nullable(),
  /** The other claim comes before this one in the list, so stepping through it has already shown this pair. */
  isPassed: z.boolean(),
});
export type DuplicatePair = z.infer<typeof duplicatePairSchema>;

/**
 * More than 5 % of the claims that a sync received, and at least 50, are duplicates, which indicates a fault of the
 * service's data. `claims` is how many the sync received.
 */
export const feedWarningSchema = z.object({
  at: z.string(),
  claims: z.int(),
  duplicates: z.int(),
});
export type FeedWarning = z.infer<typeof feedWarningSchema>;
