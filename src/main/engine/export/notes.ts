import type { ExportSource } from '../../../contract/export.ts';
import type { Condition, ListQuery, Operator } from '../../../contract/query.ts';
import type { SyncReceipt } from '../../../contract/sync.ts';
import type { Note } from './sheet-xml.ts';

/** The records that an export is made of: the newest sync that ended, and the newest that was verified complete. */
export interface DataState {
  readonly last: SyncReceipt | null;
  readonly lastComplete: SyncReceipt | null;
}

const signs: Readonly<Record<Operator, string>> = {
  is: 'is',
  isNot: 'is not',
  isOneOf: 'is one of',
  contains: 'contains',
  startsWith: 'starts with',
  atLeast: 'is at least',
  atMost: 'is at most',
  moreThan: 'is more than',
  lessThan: 'is less than',
  between: 'is between',
  isEmpty: 'is blank',
  isNotEmpty: 'is not blank',
};

const describeCondition = ({ field, operator, values }: Condition): string =>
  `${field.replace(/^\$/, '')} ${signs[operator]} ${values.join(operator === 'between' ? ' and ' : ', ')}`.trim();

/** What a list shows, as text, a part a line. */
function describeQuery(query: ListQuery): Note[] {
  const filters = (query.conditions ?? []).map(describeCondition);
  const sorts = (query.sort ?? []).map(({ field, direction }) => `${field} ${direction}`);
  return [
    ...(query.search === undefined || query.search === '' ? [] : [['Search', query.search] as const]),
    ['Filters', filters.length === 0 ? 'None' : filters.join('; ')],
    ...(sorts.length === 0 ? [] : [['Sorted by', sorts.join(', ')] as const]),
    ...(query.includesMissing === true ? [['Also', 'Records no longer in the service'] as const] : []),
  ];
}

function describeSource(source: ExportSource): Note[] {
  if (source.kind === 'changes') return [['Sync', source.runId]];
  return source.kind === 'report' ? [['Table', source.title]] : describeQuery(source.query);
}

/** Whether the records are verified complete, in a sentence. */
export function describeProof({ last, lastComplete }: DataState): string {
  if (last === null) return 'Not synced';
  if (last.outcome === 'complete') return `Verified complete, sync of ${last.finishedAt}`;
  const verified =
    lastComplete === null ? 'never verified complete' : `last verified complete ${lastComplete.finishedAt}`;
  return `Not verified complete, sync of ${last.finishedAt}; ${verified}`;
}

const sayNotCounted = (count: number): string =>
  count === 1 ? '1 amount, which is not a number' : `${count} amounts, which are not numbers`;

/** The notes of a workbook: what it is, of which records, and what it adds up to. `sums` are dollars as decimals. */
export function makeNotes(facts: {
  readonly title: string;
  readonly source: ExportSource;
  readonly rows: number;
  readonly part: string | null;
  readonly sums: readonly (readonly [label: string, sum: string])[];
  /** By column, how many amounts its sum leaves out because they can't be numbers. */
  readonly notCounted: readonly (readonly [label: string, count: number])[];
  readonly data: DataState;
  readonly at: string;
  readonly by: string | null;
  readonly reason: string | null;
}): Note[] {
  const { source, data } = facts;
  return [
    ['Export', facts.title],
    ...describeSource(source),
    ...(source.kind === 'groups' ? [['Grouped by', source.by] as const] : []),
    ...('keys' in source && source.keys !== undefined ? [['Rows', 'Selected rows only'] as const] : []),
    ['Row count', String(facts.rows), 'number'],
    ...(facts.part === null ? [] : [['File', facts.part] as const]),
    ...facts.sums.map(([label, sum]) => [`Sum of ${label}`, sum, 'number'] as const),
    ...facts.notCounted.map(([label, count]) => [`Not counted in ${label}`, sayNotCounted(count)] as const),
    ['Records', describeProof(data)],
    ['Exported', facts.at],
    ...(facts.by === null ? [] : [['Exported by', facts.by] as const]),
    ...(facts.reason === null ? [] : [['Reason', facts.reason] as const]),
    ['Dates and times', 'Times are UTC. Both days of service are included.'],
  ];
}
