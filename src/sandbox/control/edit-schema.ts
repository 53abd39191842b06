import { z } from 'zod';

const position = z.union([z.int().min(0), z.enum(['start', 'end'])]);
const target = { id: z.int().optional(), position: z.int().min(0).optional() };
const list = z.enum(['claims', 'members']);

/** One change of the data. Rows are identified by `id` or by `position` (from 0, in the current order of the list). */
const editSchema = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('insert'),
    list,
    count: z.int().min(1).max(100_000).default(1),
    at: position.default('end'),
  }),
  z.strictObject({ op: z.literal('delete'), list, ...target }),
  z.strictObject({
    op: z.literal('change'),
    list,
    ...target,
    /** Material changes also change `last_updated_status` (docs/service.md, "What the claim fields mean"). */
    material: z.boolean().default(true),
    /** Fields to set; absent: a change of the right kind is generated. */
    set: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({ op: z.literal('move'), list, from: z.int().min(0), to: z.int().min(0) }),
  z.strictObject({ op: z.literal('swap'), list, a: z.int().min(0), b: z.int().min(0) }),
  z.strictObject({
    op: z.literal('churn'),
    list,
    count: z.int().min(1).max(100_000),
    seed: z.int().min(0).max(4_294_967_295).default(1),
  }),
  z.strictObject({ op: z.literal('advance-days'), days: z.int().min(1).max(3650) }),
]);

export type Edit = z.infer<typeof editSchema>;

export const editsSchema = z.strictObject({ edits: z.array(editSchema).min(1).max(10_000) });

/** A step of a schedule: these edits, once this many requests of this route have been answered since it was set. */
export const scheduleSchema = z.strictObject({
  steps: z
    .array(
      z.strictObject({
        after: z.int().min(1),
        route: z
          .enum(['claims', 'vendor-member-claims', 'policy-holder-claims', 'members', 'member', '*'])
          .default('*'),
        edits: z.array(editSchema).min(1).max(10_000),
      }),
    )
    .max(10_000),
});

export type ScheduleStep = z.infer<typeof scheduleSchema>['steps'][number];
