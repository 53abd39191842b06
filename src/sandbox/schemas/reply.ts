import { z } from 'zod';
import { claimSchema } from './claim.ts';
import { integer, nullableInteger } from './fields.ts';
import { memberSchema } from './member.ts';

const envelope = {
  has_next: z.boolean(),
  has_prev: z.boolean(),
  next_num: nullableInteger,
  prev_num: nullableInteger,
  page: integer,
  pages: integer,
  per_page: integer,
  total: integer,
};

/** docs/service.md, "Lists and values"; `data` of a list is an array (docs/service.md, "Lists and values"). */
export const claimPageSchema = z.looseObject({ data: z.array(claimSchema), ...envelope });
export const memberPageSchema = z.looseObject({ data: z.array(memberSchema), ...envelope });

/** docs/service.md, "Data API": the single-member endpoint answers `data` alone, without pagination fields. */
export const memberReplySchema = z.strictObject({ data: memberSchema });

/** docs/service.md, "Errors"; `event_id` on unexpected server faults (docs/service.md, "Lists and values"), `errors` per field. */
export const errorReplySchema = z.strictObject({
  message: z.string().min(1),
  error_code: z.string().optional(),
  event_id: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});

export const PER_PAGE_DEFAULT = 10;
export const PER_PAGE_MAX = 1000;

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .refine((text) => Number(text) >= 1, 'must be 1 or more');

/** Query of the list routes. `page` starts at 1; `per_page` is 10 when left out and never above 1000. */
export const pagingQuerySchema = z.looseObject({
  page: wholeNumber.optional().meta({ description: 'Starts at 1.' }),
  per_page: wholeNumber.optional().meta({ description: 'Default 10; more than 1000 counts as 1000.' }),
});
