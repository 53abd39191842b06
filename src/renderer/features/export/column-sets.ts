import { type ExportFormat, type ExportSource, purposeOf } from '../../../contract/export.ts';
import {
  type ExportColumn,
  type ExportPreset,
  exportColumnsOf,
  presetColumns,
  toFileColumns,
} from '../../../contract/export-columns.ts';
import { saveExtensions } from '../../../contract/save-target.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import type { Sensitivity } from '../../../rules/list-fields.ts';

const leaves: Readonly<Record<Sensitivity, string>> = {
  ssn: 'Social Security numbers',
  birthDate: 'dates of birth',
  diagnosis: 'diagnoses',
  note: 'private notes',
};

export const isSensitive = (column: Pick<ExportColumn, 'sensitivity'>): boolean =>
  column.sensitivity !== undefined;

/** Columns by path, in the order of the paths; a path that is not a column of the file is left out. */
export function findColumns(source: ExportSource, paths: ReadonlySet<string>): ExportColumn[] {
  const columns = new Map(exportColumnsOf(source).map((column) => [column.path, column]));
  return [...paths].flatMap((path) => columns.get(path) ?? []);
}

/** The choice of columns: those of the list, of a preset, or the checked ones. */
export type ColumnSet = 'shown' | ExportPreset;

export const columnSetLabels: Readonly<Record<ColumnSet, string>> = {
  shown: 'Columns of the list',
  standard: 'All except sensitive',
  full: 'All except notes',
  'de-identified': 'De-identified',
  accounting: 'Accounting',
};

/** The columns of a set. Those of the list are in its order, without sensitive ones, which must be checked. */
export function columnsOfSet(source: ExportSource, set: ColumnSet, shown: readonly string[]): string[] {
  if (set !== 'shown') return presetColumns(source, set);
  const isPair = source.kind === 'claimLines';
  const list: ExportSource = isPair ? { kind: 'list', query: source.query } : source;
  const paths = new Set(toFileColumns(list, shown).map((path) => (isPair ? `claim.${path}` : path)));
  const lines = isPair ? presetColumns(source, 'standard').filter((path) => path.startsWith('line.')) : [];
  for (const path of lines) paths.add(path);
  return findColumns(source, paths).flatMap((column) => (isSensitive(column) ? [] : [column.path]));
}

/** Describes what the columns reveal about people; null: nothing. `people`: their number, where known. */
export function describeWhatLeaves(columns: readonly ExportColumn[], people: number | null): string | null {
  const kinds = new Set(
    columns.flatMap(({ sensitivity }) => (sensitivity === undefined ? [] : [sensitivity])),
  );
  const names = columns.some((column) => column.identifies === true && !isSensitive(column));
  const whose = people === null ? 'people' : formatCountOf(people, 'person', 'people');
  const parts = [...(names ? [`identifiers of ${whose}`] : []), ...[...kinds].map((kind) => leaves[kind])];
  if (parts.length === 0) return null;
  return parts.length === 1 ? (parts[0] ?? null) : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

const fileNames = {
  claimLines: 'claims-with-lines',
  payments: 'payments',
  statements: 'statements',
  letters: 'letters',
  groups: 'groups',
  changes: 'changes',
  report: 'report',
  run: 'reimbursements',
} as const;

/** "claims-2026-03-09.xlsx": without names and search text. */
export function suggestFileName(source: ExportSource, format: ExportFormat, today: Date): string {
  const name = source.kind === 'list' ? source.query.entity : fileNames[source.kind];
  return `${name}-${localDayOf(today)}${saveExtensions[purposeOf[format]]}`;
}
