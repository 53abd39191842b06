import { z } from 'zod';
import { type Entity, entities, fieldsOf, linkFieldsOf } from '../rules/list-fields.ts';
import { type Condition, conditionSchema, sortSchema } from '../rules/query.ts';
import { currentWorklistId, worklistIds } from '../rules/worklists/worklist-table.ts';

const path = z.string().max(80);

/**
 * The arrangement of a list: its filters, order and columns. It holds no record. A property that is added
 * needs a `default`, because views saved without it could not be read otherwise.
 */
const listViewSchema = z.object({
  search: z.string().max(500),
  conditions: z.array(conditionSchema).max(50),
  /** Applies to members only. */
  includesArchived: z.boolean(),
  /** Includes records that the service no longer returns. */
  includesMissing: z.boolean(),
  sort: z.array(sortSchema).max(8),
  /** Paths of the shown columns, in order; the frozen ones come first. */
  columns: z.array(path).min(1).max(200),
  /** Columns that stay in view when the others scroll sideways. */
  frozen: z.array(path).max(200),
  /** Widths set by the user, in pixels; other widths follow from the column. */
  widths: z.record(path, z.number().min(20).max(2000)),
  /** The column by which the panel beside the list groups it; null: the panel is closed. */
  groupBy: path.nullable(),
});
export type ListView = z.infer<typeof listViewSchema>;

const worklist = z.preprocess(currentWorklistId, z.enum(worklistIds));

/** The name under which the last state of the lists is stored; the user did not make this view. */
export const sessionName = '$session';

/** The stored text of a saved view, in this version. */
export const viewContentSchema = z.object({
  version: z.literal(2),
  kind: z.literal('list'),
  entity: z.enum(entities),
  /** The worklist that the view is for; absent: all records. */
  worklist: worklist.optional(),
  /** Shown in the sidebar. */
  isPinned: z.boolean(),
  view: listViewSchema,
});
export type ViewContent = z.infer<typeof viewContentSchema>;

/** The record that was opened last: a claim, and the list and row from which it was opened. */
const lastReadSchema = z.object({
  claimId: z.int(),
  list: z.string().max(60).nullable(),
  at: z.int().min(0).nullable(),
});
export type LastRead = z.infer<typeof lastReadSchema>;

/** A list as it was left; without columns where they were the default ones. */
const lastViewSchema = listViewSchema.extend({ columns: z.array(path).max(200) });

/** Each list as it was left. It is stored like a view, and therefore encrypted. */
export const sessionContentSchema = z.object({
  version: z.literal(2),
  kind: z.literal('session'),
  lists: z.partialRecord(z.enum(entities), lastViewSchema),
  last: lastReadSchema.nullable().optional(),
});
export type SessionContent = z.infer<typeof sessionContentSchema>;

/** A view in a file for others. It has no filters that may name an individual; `leftOut` counts these. */
export const viewFileSchema = z.object({
  format: z.literal('claimdesk.view'),
  version: z.literal(2),
  name: z.string().min(1).max(120),
  entity: z.enum(entities),
  worklist: worklist.optional(),
  leftOut: z.int().min(0),
  view: listViewSchema,
});
export type ViewFile = z.infer<typeof viewFileSchema>;

/** Texts that many people have in common and that identify no individual. */
const impersonalTexts = new Set([
  'status',
  'network',
  'type.name',
  'carrier',
  'date_of_service.bounds',
  'date_of_service.month',
  'prescription_type_str',
  'procedure_code',
]);

/** Returns whether the value of a filter could name an individual: a typed text, an ID, or a birth date. */
function isPersonal(entity: Entity, condition: Condition): boolean {
  if (condition.values.length === 0) return false;
  const spec = [...fieldsOf[entity], ...linkFieldsOf[entity]].find(
    ({ path: fieldPath }) => fieldPath === condition.field,
  );
  if (spec === undefined || spec.sensitivity !== undefined) return true;
  if (spec.kind === 'id' || spec.kind === 'integer') return true;
  return spec.kind === 'text' && !impersonalTexts.has(spec.path);
}

/**
 * Returns a view to share: without its search and without filters whose value could name an individual. These
 * filters are counted, for the user who opens the file.
 */
export function toViewFile(
  name: string,
  content: Pick<ViewContent, 'entity' | 'worklist' | 'view'>,
): ViewFile {
  const { entity, worklist, view } = content;
  const conditions = view.conditions.filter((condition) => !isPersonal(entity, condition));
  const leftOut = view.conditions.length - conditions.length + (view.search === '' ? 0 : 1);
  return {
    format: 'claimdesk.view',
    version: 2,
    name,
    entity,
    ...(worklist === undefined ? {} : { worklist }),
    leftOut,
    view: { ...view, search: '', conditions },
  };
}

/** Nine digits in the form of an SSN, which a saved list never contains. */
const isLikelySsn = /(?<!\d)\d{3}[- ]?\d{2}[- ]?\d{4}(?!\d)/;

/** A list without a search or filter by SSN, which is neither stored nor applied again at the next start. */
export function withoutSsn<V extends { search: string; conditions: readonly Condition[] }>(
  entity: Entity,
  view: V,
): V {
  const masked = new Set(
    fieldsOf[entity].filter(({ sensitivity }) => sensitivity === 'ssn').map((spec) => spec.path),
  );
  return {
    ...view,
    search: isLikelySsn.test(view.search) ? '' : view.search,
    conditions: view.conditions.filter(({ field, values }) => !masked.has(field) || values.length === 0),
  } as V;
}
