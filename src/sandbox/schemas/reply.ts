import { z } from 'zod';
import { claimSchema } from './claim.ts';
import { integer, nullableInteger } from './fields.ts';
import { memberSchema } from './member.ts';

const envelope = z.object({
  has_next: z.boolean(),
  has_prev: z.boolean(),
  next_num: nullableInteger,
  prev_num: nullableInteger,
  page: integer,
  pages: integer,
  per_page: integer,
  total: integer,
});
export type Envelope = z.infer<typeof envelope>;

/** docs/service.md, "Lists and values": `data` of a list is an array. */
export const claimPageSchema = z.looseObject({ data: z.array(claimSchema), ...envelope.shape });
export const memberPageSchema = z.looseObject({ data: z.array(memberSchema), ...envelope.shape });

/** docs/service.md, "Data API": the single-member endpoint returns `data` alone, without pagination fields. */
export const memberReplySchema = z.strictObject({ data: memberSchema });

/** docs/service.md, "Errors"; `event_id` on unexpected server faults (docs/service.md, "Lists and values"), `errors` per field. */
export const errorSchema = z.strictObject({
  message: z.string().min(1),
  error_code: z.string().optional(),
  event_id: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});
