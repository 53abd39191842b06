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

/** Two claims, the older first, with what agrees and what differs. */
export const duplicatePairSchema = z.object({
  left: z.number().int(),
  right: z.number().int(),
  kind: z.enum(duplicateKinds),
  /** What the patient would pay twice, in ten-thousandths of a dollar. */
  payableTwice: amountSchema,
  fields: z.array(comparedFieldSchema),
  /** What a person said of it, as long as nothing that was compared has changed. */
  judged: z.enum(['duplicate', 'notDuplicate']).nullable(),
});
export type DuplicatePair = z.infer<typeof duplicatePairSchema>;

/**
 * More than 5 % of the claims that a sync brought, and at least 50, are duplicates: a fault of the feed rather than
 * hundreds of duplicates. `claims` is what it brought.
 */
export const feedWarningSchema = z.object({
  at: z.string(),
  claims: z.number().int(),
  duplicates: z.number().int(),
});
export type FeedWarning = z.infer<typeof feedWarningSchema>;
