import { z } from 'zod';
import { daysOf, type SentRange, writeDays } from '../date-range.ts';
import { type Cell, cellSchema } from '../query.ts';
import { otherClaimName, type ReviewedField, reviewedFields, reviewedLineFields } from './reviewed-fields.ts';
import { comparableOf, isSameValue, plainText, type ValueComparison } from './same-value.ts';

const keptFields = reviewedFields.filter(({ effect }) => effect !== 'ignored');
const keptLineFields = reviewedLineFields.filter(({ effect }) => effect !== 'ignored');

/** A field with one value and its paths split in advance, because thousands of claims are read at a time. */
interface ReadField {
  readonly name: string;
  readonly isDays: boolean;
  readonly paths: readonly (readonly string[])[];
}
const toRead = (fields: readonly ReviewedField[]): ReadField[] =>
  fields
    .filter(({ comparison }) => !['provider', 'members', 'lines'].includes(comparison))
    .map(({ name, comparison, paths }) => ({
      name,
      isDays: comparison === 'days',
      paths: paths.map((path) => path.split('.')),
    }));
const readFields = toRead(keptFields);
const readLineFields = toRead(keptLineFields);

/** Values by the names in `reviewedLineFields`; blank ones are left out. */
const lineValuesSchema = z.record(z.string(), cellSchema);
export type ReviewedLine = z.infer<typeof lineValuesSchema>;

/**
 * The record from which values were read: the date of its last change as sent by the service, and the time up to which
 * it was read, by the service's clock. Null: unknown.
 */
const keptRecordSchema = z.object({
  modified: z.string().nullable(),
  readAt: z.string().nullable(),
  /** Distinguishes another claim under the same ID; absent in earlier reviews. */
  uuid: z.string().nullable().optional(),
});
export type KeptRecord = z.infer<typeof keptRecordSchema>;

/** The values of a claim at one moment, as stored with a review. Blank ones are left out; amounts are in dollars. */
export const reviewedValuesSchema = z.object({
  fields: z.record(z.string(), cellSchema),
  members: z.array(
    z.object({
      id: z.number().nullable(),
      name: z.string(),
      employerId: z.number().nullable(),
      employer: z.string(),
    }),
  ),
  provider: z.object({ npi: cellSchema, tin: cellSchema, name: cellSchema }),
  lines: z.array(lineValuesSchema),
  /** Absent in reviews before version 0.3. */
  record: keptRecordSchema.optional(),
});
export type ReviewedValues = z.infer<typeof reviewedValuesSchema>;

/** One difference between the values of two moments. Lines are those that only one of the moments has. */
export const reviewedChangeSchema = z.object({
  name: z.string(),
  label: z.string(),
  effect: z.enum(['reopen', 'noted']),
  before: cellSchema,
  after: cellSchema,
  lines: z.object({ before: z.array(lineValuesSchema), after: z.array(lineValuesSchema) }).optional(),
});
export type ReviewedChange = z.infer<typeof reviewedChangeSchema>;

type Loose = Readonly<Record<string, unknown>>;
const isLoose = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueAt(record: Loose, path: readonly string[]): unknown {
  let value: unknown = record;
  for (const key of path) value = isLoose(value) ? value[key] : undefined;
  return value;
}

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/** Values that are not cells are compared by the text in which they were sent. */
function toCell(value: unknown): Cell {
  if (isBlank(value)) return null;
  // A number that a double cannot hold is an object whose JSON text is its digits.
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
}

function shownAt(record: Loose, { isDays, paths }: ReadField): Cell {
  if (isDays) {
    const sent = valueAt(record, paths[0] as readonly string[]);
    const days = isLoose(sent) ? daysOf(sent as SentRange) : null;
    return days === null ? toCell(sent) : writeDays(days);
  }
  for (const path of paths) {
    const cell = toCell(valueAt(record, path));
    if (cell !== null) return cell;
  }
  return null;
}

const calculated = reviewedFields.filter(({ paths }) => paths[1]?.startsWith('computed_') === true);

/** Names of the amounts that are shown as calculated because the carrier sent none. */
const calculatedOf = (claim: Loose): string =>
  calculated
    .filter(({ paths: [sent = '', computed = ''] }) => isBlank(claim[sent]) && !isBlank(claim[computed]))
    .map(({ label }) => label)
    .join(', ');

/** The records of a list; the service may send one record instead of a list (docs/service.md, "Lists and values"). */
const listAt = (record: Loose, key: string): Loose[] => [record[key]].flat().filter(isLoose);

function pickShown(record: Loose, fields: readonly ReadField[]): Record<string, Cell> {
  const shown: Record<string, Cell> = {};
  for (const field of fields) {
    const cell = shownAt(record, field);
    if (cell !== null) shown[field.name] = cell;
  }
  return shown;
}

/** Converts an ID to a number, including one sent as text. */
const toId = (value: unknown): number | null => {
  const id = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  return typeof id === 'number' ? id : null;
};
const textOf = (...parts: unknown[]): string =>
  parts
    .filter((part) => typeof part === 'string')
    .join(' ')
    .trim();

/** The values that are stored with a review, read from a claim as the service sent it. */
export function readReviewedValues(claim: object, isMissing: boolean): ReviewedValues {
  const record: Loose = {
    ...(claim as Loose),
    $isMissing: isMissing ? true : null,
    $calculated: calculatedOf(claim as Loose),
  };
  return {
    fields: pickShown(record, readFields),
    members: listAt(record, 'members').map((member) => {
      const employer = isLoose(member.employer) ? member.employer : {};
      return {
        id: toId(member.id),
        name: textOf(member.first_name, member.last_name),
        employerId: toId(employer.id),
        employer: textOf(employer.name),
      };
    }),
    provider: {
      npi: toCell(record.service_provider_npi_number),
      tin: toCell(record.service_provider_number),
      name: toCell(record.service_provider),
    },
    lines: listAt(record, 'claim_medical_lines').map((line) => pickShown(line, readLineFields)),
  };
}

/** How a field with one value is compared. */
export const comparisonOf = ({ comparison }: ReviewedField): ValueComparison =>
  comparison === 'exact' || comparison === 'npi' || comparison === 'tin' || comparison === 'ndc'
    ? comparison
    : 'text';

const providerKeys = [
  ['npi', 'npi'],
  ['tin', 'tin'],
  ['name', 'text'],
] as const;

/** Compares providers by the best identifier that both have: NPI, otherwise tax ID, otherwise name. */
function isSameProvider(left: ReviewedValues['provider'], right: ReviewedValues['provider']): boolean {
  for (const [key, comparison] of providerKeys) {
    if (left[key] !== null && right[key] !== null) return isSameValue(left[key], right[key], comparison);
  }
  const isNamed = ({ npi, tin, name }: ReviewedValues['provider']): boolean =>
    npi !== null || tin !== null || name !== null;
  return isNamed(left) === isNamed(right) && !isNamed(left);
}

type Member = ReviewedValues['members'][number];
const isSameOne = (id: number | null, name: string, otherId: number | null, otherName: string): boolean =>
  id !== null && otherId !== null ? id === otherId : plainText(name) === plainText(otherName);
/** Compares members by their IDs, otherwise by their names, and their employers in the same way. */
const isSameMember = (left: Member, right: Member): boolean =>
  // A claim whose member ID becomes blank, or is no longer blank, changes its family.
  (left.id === null) === (right.id === null) &&
  isSameOne(left.id, left.name, right.id, right.name) &&
  isSameOne(left.employerId, left.employer, right.employerId, right.employer);

/** Whether both lists have the same members in any order. Each member is matched once, first by ID and then by name. */
function areSameMembers(left: readonly Member[], right: readonly Member[]): boolean {
  const rest = [...right];
  const take = (isSame: (candidate: Member) => boolean): boolean => {
    const at = rest.findIndex(isSame);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  };
  const byName = left.filter(
    (member) =>
      !take(
        (candidate) => candidate.id !== null && candidate.id === member.id && isSameMember(member, candidate),
      ),
  );
  return byName.every((member) => take((candidate) => isSameMember(member, candidate))) && rest.length === 0;
}
const membersText = (values: ReviewedValues): Cell =>
  values.members
    .map(
      ({ id, name, employer }) =>
        `${name || `Member ${id ?? ''}`}${employer === '' ? '' : ` (${employer})`}${id === null ? ' without a member ID' : ''}`,
    )
    .join(', ') || null;
const providerText = ({ provider: { npi, tin, name } }: ReviewedValues): Cell => {
  const parts = [
    name === null ? '' : String(name),
    npi === null ? '' : `NPI ${npi}`,
    tin === null ? '' : `TIN ${tin}`,
  ];
  return parts.filter((part) => part !== '').join(', ') || null;
};

const lineKey = (line: ReviewedLine): string =>
  JSON.stringify(keptLineFields.map((field) => comparableOf(line[field.name] ?? null, comparisonOf(field))));

/** The lines that occur more often in `lines` than in `others`. */
function linesBeyond(lines: readonly ReviewedLine[], others: readonly ReviewedLine[]): ReviewedLine[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(lineKey(line), (counts.get(lineKey(line)) ?? 0) + 1);
  return lines.filter((line) => {
    const left = counts.get(lineKey(line)) ?? 0;
    if (left > 0) counts.set(lineKey(line), left - 1);
    return left === 0;
  });
}

/** Lists all differences that reopen a review or are noted, in the order of the table. */
export function compareReviewedValues(before: ReviewedValues, after: ReviewedValues): ReviewedChange[] {
  const changes: ReviewedChange[] = [];
  for (const field of keptFields) {
    const { name, label, effect, comparison } = field;
    if (effect === 'ignored') continue;
    const base = { name, label, effect };
    if (comparison === 'lines') {
      const lines = {
        before: linesBeyond(before.lines, after.lines),
        after: linesBeyond(after.lines, before.lines),
      };
      if (lines.before.length + lines.after.length > 0)
        changes.push({ ...base, before: before.lines.length, after: after.lines.length, lines });
    } else if (comparison === 'members') {
      if (!areSameMembers(before.members, after.members))
        changes.push({ ...base, before: membersText(before), after: membersText(after) });
    } else if (comparison === 'provider') {
      if (!isSameProvider(before.provider, after.provider))
        changes.push({ ...base, before: providerText(before), after: providerText(after) });
    } else {
      const [left, right] = [before.fields[name] ?? null, after.fields[name] ?? null];
      if (!isSameValue(left, right, comparisonOf(field)))
        changes.push({ ...base, before: left, after: right });
    }
  }
  return changes;
}

/**
 * Whether values belong to another claim that the service sends under the same ID: the UUID differs or, if one is
 * blank, the carrier's number and two of patient, provider and days.
 */
export function isOtherClaim(before: ReviewedValues, after: ReviewedValues): boolean {
  const [uuid, other] = [before.record?.uuid ?? null, after.record?.uuid ?? null];
  if (uuid !== null && other !== null) return !isSameValue(uuid, other, 'text');
  const differs = (name: string): boolean => {
    const [left, right] = [before.fields[name] ?? null, after.fields[name] ?? null];
    return left !== null && right !== null && !isSameValue(left, right, 'text');
  };
  const others = [
    differs('patient_name'),
    differs('date_of_service'),
    !isSameProvider(before.provider, after.provider),
  ];
  return differs('vendor_system_id') && others.filter(Boolean).length >= 2;
}

/** Whether a reopened review may be confirmed unchanged: nothing that decides about money changed. */
export function isAcceptable(changes: readonly Pick<ReviewedChange, 'name'>[]): boolean {
  const deciding: ReadonlySet<string> = new Set([
    'patient_responsibility',
    'status',
    'patient_name',
    '$isMissing',
    otherClaimName,
  ]);
  return changes.every(({ name }) => !deciding.has(name));
}
