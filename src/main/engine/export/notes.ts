import { formatCode } from '../../../contract/code-labels.ts';
import type { TableSource } from '../../../contract/export.ts';
import { type ExportColumn, needsReason } from '../../../contract/export-columns.ts';
import { describeCondition, filterLabelOf, maskTypedSsns } from '../../../contract/filter-words.ts';
import type { SyncReceipt } from '../../../contract/sync.ts';
import { parseMoment } from '../../../rules/days.ts';
import { type FieldSpec, fieldsOf, isDated, linkFieldsOf } from '../../../rules/list-fields.ts';
import { writeDollars } from '../../../rules/money/format-amount.ts';
import type { Condition, ListQuery } from '../../../rules/query.ts';
import { decidedByField, sayDecidedBy } from '../../../rules/review/decided-by.ts';
import { idFields, readIdFilter } from '../../../rules/review/id-filter.ts';
import { fullNameOf, type WorklistId } from '../../../rules/worklists/worklist-table.ts';
import type { Note } from './sheet-xml.ts';

/** The syncs that the exported records are from: the newest one that ended, and the newest verified complete. */
export interface DataState {
  readonly last: SyncReceipt | null;
  readonly lastComplete: SyncReceipt | null;
}

/** The name of an employer or a tenant by its ID; undefined: unknown. */
export type NameOf = (list: 'employers' | 'tenants', id: string) => string | undefined;

const listOfIds: Readonly<Record<string, Parameters<NameOf>[0]>> = {
  'members.employer.id': 'employers',
  'employer.id': 'employers',
  'members.tenant.id': 'tenants',
  'tenant.id': 'tenants',
};

export const writeDay = (day: string): string => day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1');

/** Writes a value of a filter as people read it: `$1,250.00`, `11/02/2026`, `Yes`, the name of an employer. */
function writeValue(spec: FieldSpec, value: Condition['values'][number], nameOf: NameOf): string {
  if (spec.path === 'worklist') return fullNameOf(String(value) as WorklistId);
  if (idFields.includes(spec.path)) return readIdFilter(String(value)).name;
  if (spec.path === decidedByField) return sayDecidedBy(String(value), writeDay);
  const list = listOfIds[spec.path];
  const name = list === undefined ? undefined : nameOf(list, String(value));
  if (name !== undefined) return name;
  if (spec.kind === 'boolean') return value === true ? 'Yes' : 'No';
  if (spec.kind === 'money') return writeDollars(value, 'all') ?? '';
  const day = isDated(spec.kind) ? parseMoment(String(value))?.day : undefined;
  return day === undefined ? String(formatCode(spec.path, value)) : writeDay(day);
}

const findSpec = ({ entity }: ListQuery, path: string): FieldSpec | undefined =>
  [...fieldsOf[entity], ...linkFieldsOf[entity]].find((spec) => spec.path === path);

function groupLabelOf(query: ListQuery, path: string): string {
  const spec = findSpec(query, path);
  return spec === undefined ? path : filterLabelOf(spec);
}

/**
 * Describes the search, filters and sort of a list, in the words of its screen. For a file without columns that
 * identify people, it leaves out the search and filters by fields that are not among its columns, because their values
 * may identify people.
 */
function describeQuery(query: ListQuery, columns: readonly ExportColumn[], nameOf: NameOf): Note[] {
  const specOf = (path: string) => findSpec(query, path);
  const isShown = (path: string): boolean =>
    needsReason(columns) || columns.some((column) => column.path === path);
  const filters = (query.conditions ?? []).flatMap((condition) => {
    const spec = specOf(condition.field);
    if (spec === undefined || !isShown(condition.field)) return [];
    const field = { kind: spec.kind, label: filterLabelOf(spec) };
    const textOf = (value: Condition['values'][number]) => writeValue(spec, value, nameOf);
    return [describeCondition(field, condition, textOf, Number.POSITIVE_INFINITY)];
  });
  const untold = (query.conditions ?? []).length - filters.length;
  if (untold > 0) filters.push(`${untold} not named in this file`);
  const sorts = (query.sort ?? []).map(
    ({ field, direction }) =>
      `${specOf(field)?.label ?? field}, ${direction === 'asc' ? 'ascending' : 'descending'}`,
  );
  const search = query.search ?? '';
  return [
    ...(search === '' ? [] : [['Search', needsReason(columns) ? search : 'Not named in this file'] as const]),
    ['Filters', filters.length === 0 ? 'None' : filters.join('; ')],
    ...(sorts.length === 0 ? [] : [['Sorted by', sorts.join('; ')] as const]),
    ...(query.includesMissing === true ? [['Also', 'Records no longer in the service'] as const] : []),
  ];
}

function describeSource(source: TableSource, columns: readonly ExportColumn[], nameOf: NameOf): Note[] {
  if (source.kind === 'changes') return [['Sync', source.syncId]];
  if (source.kind === 'report') return [['Table', source.title]];
  return describeQuery(source.query, columns, nameOf);
}

const times = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});
/** Writes `11/23/2026, 3:05 PM EST`, in this computer's time zone. */
export const writeTime = (iso: string): string => times.format(new Date(iso));

/** Describes in a sentence whether the records are verified complete. */
export function describeProof({ last, lastComplete }: DataState): string {
  if (last === null) return 'Not synced';
  if (last.outcome === 'complete') return `Verified complete, sync of ${writeTime(last.finishedAt)}`;
  const verified =
    lastComplete === null
      ? 'never verified complete'
      : `last verified complete ${writeTime(lastComplete.finishedAt)}`;
  return `Not verified complete, sync of ${writeTime(last.finishedAt)}; ${verified}`;
}

const sayNotCounted = (count: number): string =>
  count === 1 ? '1 amount, which is not a number' : `${count} amounts, which are not numbers`;

/**
 * Makes a workbook's notes sheet: what was exported, from which syncs, and its totals. `sums` are dollars as
 * decimals. `maskKnown` masks the SSNs of the workspace's people in typed text: filters, search, reason.
 */
export function makeNotes(facts: {
  readonly title: string;
  readonly source: TableSource;
  readonly columns: readonly ExportColumn[];
  readonly nameOf: NameOf;
  readonly rows: number;
  readonly part: string | null;
  readonly sums: readonly (readonly [label: string, sum: string])[];
  /** How many amounts the sum of a column leaves out because they can't be numbers. */
  readonly notCounted: readonly (readonly [label: string, count: number])[];
  readonly data: DataState;
  readonly at: string;
  readonly by: string | null;
  readonly reason: string | null;
  readonly isSsnShown: boolean;
  readonly maskKnown: <T>(value: T) => T;
}): Note[] {
  const { source, data, isSsnShown } = facts;
  const mask = <T>(typed: T): T => (isSsnShown ? typed : facts.maskKnown(typed));
  const shownSource =
    'query' in source && !isSsnShown ? { ...source, query: maskTypedSsns(source.query) } : source;
  return [
    ['Export', facts.title],
    ...mask(describeSource(shownSource, facts.columns, facts.nameOf)),
    ...(source.kind === 'groups' ? [['Grouped by', groupLabelOf(source.query, source.by)] as const] : []),
    ...('keys' in source && source.keys !== undefined ? [['Rows', 'Selected rows only'] as const] : []),
    ['Row count', String(facts.rows), 'number'],
    ...(facts.part === null ? [] : [['File', facts.part] as const]),
    ...facts.sums.map(([label, sum]) => [`Sum of ${label}`, sum, 'number'] as const),
    ...facts.notCounted.map(([label, count]) => [`Not counted in ${label}`, sayNotCounted(count)] as const),
    ['Records', describeProof(data)],
    ['Exported', writeTime(facts.at)],
    ...(facts.by === null ? [] : [['Exported by', facts.by] as const]),
    ...(facts.reason === null ? [] : [['Reason', mask(facts.reason)] as const]),
    [
      'Dates and times',
      `Times in the rows are local (${new Intl.DateTimeFormat().resolvedOptions().timeZone}). Both days of service are included.`,
    ],
  ];
}
