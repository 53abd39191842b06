import { z } from 'zod';
import { brokenRuleSchema } from './review.ts';

/** Why a row of a file of payments or results can't be used. */
export const rowProblems = {
  openQuote: 'A quote is open in this line',
  noClaim: 'No claim has this ID or number',
  severalClaims: 'Several claims have this ID or number',
  severalMembers: 'Several members have this ID or key',
  severalEmployers: 'Paid by several employers: add the column Employer',
  disagrees: 'The ID, the number or the employer are not of the same claim',
  badAmount: 'The amount can’t be read, or can be read in two ways',
  notAbove0: 'The amount is not above 0',
  badDate: 'The date can’t be read, or can be read in two ways',
  tooFarAhead: 'The date is more than 31 days ahead',
  beforeService: 'Dated before the service',
  badResult: 'The result is neither paid nor rejected',
  noResult: 'The result is blank',
  amountDiffers: 'The amount isn’t the one in the run',
  notInRun: 'Not in this run',
  leftRun: 'Left the run before',
  notSent: 'Not sent yet',
  repeated: 'Repeats an earlier row of this file',
  recordedBefore: 'Recorded before',
  moreThanOwed: 'More than is owed back',
  needsSecond: 'Needs a second person',
} as const;
type RowProblem = keyof typeof rowProblems;

/** A row of a file that is not used. `line`: its line in a CSV file, or its row in a sheet, from 1; `of`: its claim or member. */
export const unusedRowSchema = z.object({
  line: z.int(),
  of: z.string(),
  reason: z.enum(Object.keys(rowProblems) as [RowProblem, ...RowProblem[]]),
  /** The earlier author and time, with `recordedBefore`. */
  recorded: z.object({ author: z.string(), at: z.string() }).optional(),
  /** The broken rule, with `needsSecond`. */
  rule: brokenRuleSchema.optional(),
});
export type UnusedRow = z.infer<typeof unusedRowSchema>;

/** A file of at most 20 MB as base64. */
export const incomingFileSchema = z.base64().max(27_000_000);
