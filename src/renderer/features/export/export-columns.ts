import { localDayOf } from '../../../contract/days.ts';
import { defaultExportColumns, type ExportFormat, extensionOf } from '../../../contract/export.ts';
import {
  type Entity,
  type FieldSpec,
  fieldsOf,
  type Sensitivity,
  splitRanges,
} from '../../../contract/fields.ts';

const leaves: Readonly<Record<Sensitivity, string>> = {
  ssn: 'Social Security numbers',
  birthDate: 'dates of birth',
  diagnosis: 'diagnoses',
  note: 'private notes',
};

/** The columns that a file can have: a date range as its first and its last day. */
export function offeredFields(entity: Entity): readonly FieldSpec[] {
  return fieldsOf[entity].filter(({ kind }) => kind !== 'dateRange');
}

/** The initial columns: all but the sensitive ones. */
export function startColumns(entity: Entity): string[] {
  return defaultExportColumns(entity);
}

/** The visible columns without the sensitive ones, in the order of the service's fields. */
export function columnsOnShow(entity: Entity, shown: readonly string[]): string[] {
  const wanted = new Set(splitRanges(entity, shown));
  return offeredFields(entity).flatMap((spec) =>
    wanted.has(spec.path) && !isSensitive(spec) ? [spec.path] : [],
  );
}

/** Columns in the order of the file, whatever the order they were chosen in. */
export function inFileOrder(entity: Entity, chosen: ReadonlySet<string>): string[] {
  return fieldsOf[entity].map((spec) => spec.path).filter((path) => chosen.has(path));
}

export function isSensitive(spec: FieldSpec): boolean {
  return spec.sensitivity !== undefined;
}

/** What kinds of sensitive data the chosen columns contain, as text; null where there are none. */
export function describeWhatLeaves(entity: Entity, chosen: ReadonlySet<string>): string | null {
  const kinds = new Set<Sensitivity>();
  for (const spec of fieldsOf[entity]) {
    if (spec.sensitivity !== undefined && chosen.has(spec.path)) kinds.add(spec.sensitivity);
  }
  const labels = [...kinds].map((kind) => leaves[kind]);
  if (labels.length === 0) return null;
  return labels.length === 1 ? (labels[0] ?? null) : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;
}

/** "claims-2026-03-09.xlsx": without names and search text. */
export function suggestFileName(entity: Entity, format: ExportFormat, today: Date): string {
  return `${entity}-${localDayOf(today)}${extensionOf[format]}`;
}
