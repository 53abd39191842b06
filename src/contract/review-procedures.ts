import { z } from 'zod';
import { claimReviewSchema, reviewActSchema, reviewDoneSchema, reviewEventSchema } from './review.ts';

const workspaceRef = z.object({ workspaceId: z.string() });
const inEngine = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) =>
  ({ answeredBy: 'engine', input, output }) as const;

/** Reviews of claims: what a person decided, with its history. Nothing is ever changed; everything is appended. */
export const reviewProcedures = {
  'reviews:get': inEngine(workspaceRef.extend({ claimId: z.number().int() }), claimReviewSchema),
  /** Newest first; of one claim, or of all. */
  'reviews:listEvents': inEngine(
    workspaceRef.extend({
      claimId: z.number().int().optional(),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(1000),
    }),
    z.object({ events: z.array(reviewEventSchema), total: z.number().int() }),
  ),
  /** One act on one claim or on many, as one event. */
  'reviews:act': inEngine(
    workspaceRef.extend({
      target: z.object({ claimIds: z.array(z.number().int()).min(1).max(1000) }),
      act: reviewActSchema,
    }),
    reviewDoneSchema,
  ),
  /** The newest act on this computer that is not undone; null: none. */
  'reviews:getUndo': inEngine(workspaceRef, z.object({ event: reviewEventSchema.nullable() })),
  /** Appends that an event does not count any more. */
  'reviews:undo': inEngine(workspaceRef.extend({ eventId: z.string().max(60) }), reviewDoneSchema),
} as const;
