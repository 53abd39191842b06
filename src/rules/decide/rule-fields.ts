import { readDays } from '../date-range.ts';
import { type FieldSpec, fieldsOf } from '../list-fields.ts';
import type { Cell } from '../query.ts';
import { reviewedFields } from '../review/reviewed-fields.ts';
import type { ReviewedValues } from '../review/reviewed-values.ts';

/** Values of a claim in a column: several if it has several members, none if it is blank. */
type ReadCells = (values: ReviewedValues) => readonly Cell[];

const orNone = (cell: Cell | undefined): readonly Cell[] => (cell == null || cell === '' ? [] : [cell]);
const distinct = (names: readonly string[]): readonly string[] => [
  ...new Set(names.map((name) => name.trim()).filter((name) => name !== '')),
];

const dayOf =
  (end: 'first' | 'last'): ReadCells =>
  ({ fields }) =>
    orNone(readDays(String(fields.date_of_service ?? ''))?.[end]);

/** Columns whose stored values are not those of a single field. */
const readers: Readonly<Record<string, ReadCells>> = {
  'date_of_service.first_day': dayOf('first'),
  'date_of_service.last_day': dayOf('last'),
  'members.employer.name': ({ members }) => distinct(members.map(({ employer }) => employer)),
  service_provider: ({ provider }) => orNone(provider.name),
  service_provider_npi_number: ({ provider }) => orNone(provider.npi),
  service_provider_number: ({ provider }) => orNone(provider.tin),
  // If the name is blank, the ID is stored in its place.
  'type.name': ({ fields }) => (typeof fields['type.name'] === 'string' ? orNone(fields['type.name']) : []),
};

const kept = reviewedFields.filter(({ effect }) => effect !== 'ignored');

function readerOf(path: string): ReadCells | null {
  const reader = readers[path];
  if (reader !== undefined) return reader;
  const field = kept.find(({ name }) => name === path);
  if (field === undefined) return null;
  const { label } = field;
  return ({ fields }) =>
    // An amount that was calculated because the carrier did not send it is another column.
    String(fields.$calculated ?? '')
      .split(', ')
      .includes(label)
      ? []
      : orNone(fields[path]);
}

/** Columns that are about one person or claim: their values would stay in rules after the person is removed. */
const isOfOne = ({ path, isPersonal }: FieldSpec): boolean =>
  isPersonal === true || path === 'vendor_system_id';

const readable = fieldsOf.claims.flatMap((spec) => {
  const isLeftOut = spec.isRaw === true || spec.isOfReviews === true || isOfOne(spec);
  const read = isLeftOut ? null : readerOf(spec.path);
  return read === null ? [] : [{ spec, read }];
});

/**
 * The columns of claims that conditions of rules can have: those whose values are stored with every decision, so that a
 * rule can be tried on the past. No decision and no payment changes them, and none identifies a person.
 */
export const ruleFields: readonly FieldSpec[] = readable.map(({ spec }) => spec);

const readerByPath = new Map(readable.map(({ spec, read }) => [spec.path, read]));

/** Returns a claim's values in a column of `ruleFields`. */
export const readRuleCells = (values: ReviewedValues, path: string): readonly Cell[] =>
  readerByPath.get(path)?.(values) ?? [];
