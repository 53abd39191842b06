import {
  type Entity,
  type FieldKind,
  type FieldSpec,
  fieldsOf,
  fileFieldsOf,
  followsReviews,
  linkFieldsOf,
  splitRanges,
  toUnknownField,
  unknownNameOf,
} from '../rules/list-fields.ts';
import { fileColumnsOf } from '../rules/review/run-layout.ts';
import type { ExportSource, ExportTable, ReportSource } from './export.ts';

/** A column that an exported file can have. */
export type ExportColumn = Pick<FieldSpec, 'path' | 'kind' | 'label' | 'sensitivity' | 'isRaw' | 'isMany'> & {
  /** The column identifies an individual, in Claimdesk or elsewhere. */
  readonly identifies?: true;
  /** The label is the header in every file format, because the user chose it. */
  readonly isHeader?: true;
};

/** Returns whether a field may identify an individual, as fields that Claimdesk does not know may. */
const identifies = (spec: FieldSpec): boolean =>
  spec.isPersonal === true ||
  unknownNameOf(spec.path) !== null ||
  spec.sensitivity === 'ssn' ||
  spec.sensitivity === 'birthDate';

const toColumn = (spec: FieldSpec, path = spec.path, label = spec.label): ExportColumn => ({
  path,
  kind: spec.kind,
  label,
  ...(spec.sensitivity === undefined ? {} : { sensitivity: spec.sensitivity }),
  ...(spec.isRaw === true ? { isRaw: true as const } : {}),
  ...(spec.isMany === true ? { isMany: true as const } : {}),
  ...(identifies(spec) ? { identifies: true as const } : {}),
});

/** The fields of a list that can be columns of its file. */
const fileColumns = (entity: Entity): FieldSpec[] =>
  [...fieldsOf[entity], ...fileFieldsOf[entity]].filter(({ kind }) => kind !== 'dateRange');

const columnsOfList = (entity: Entity): ExportColumn[] => fileColumns(entity).map((spec) => toColumn(spec));

/** Columns of lines that the columns of their claim have already. */
const sharedWithClaim = new Set([
  '$claim_id',
  'members.name',
  'members.id',
  'members.employer.name',
  'members.employer.id',
  'carrier',
  'type.name',
]);

function columnsOfClaimLines(): ExportColumn[] {
  const lines = fileColumns('lines').filter(({ path }) => !sharedWithClaim.has(path));
  const claims = fileColumns('claims');
  const labels = new Set(lines.map(({ label }) => label));
  const claimLabels = new Set(claims.map(({ label }) => label));
  return [
    ...claims.map((spec) =>
      toColumn(spec, `claim.${spec.path}`, labels.has(spec.label) ? `${spec.label} (claim)` : spec.label),
    ),
    ...lines.map((spec) =>
      toColumn(spec, `line.${spec.path}`, claimLabels.has(spec.label) ? `${spec.label} (line)` : spec.label),
    ),
  ];
}

const plain = (path: string, kind: FieldKind, label: string): ExportColumn => ({ path, kind, label });

function columnsOfGroups(entity: Entity, groupPath: string): ExportColumn[] {
  const spec = [...fieldsOf[entity], ...linkFieldsOf[entity]].find(({ path }) => path === groupPath);
  const names = spec !== undefined && (identifies(spec) || groupPath === 'policy_holder.id');
  const value = { ...plain('value', spec?.kind ?? 'text', spec?.label ?? 'Group') };
  const amounts =
    entity === 'claims' || entity === 'lines'
      ? [
          plain('billed', 'money', 'Billed'),
          plain('allowed', 'money', 'Allowed'),
          plain('paid', 'money', 'Plan paid'),
          plain('patient_responsibility', 'money', 'Patient responsibility'),
          // Amounts that can't be numbers, which the four sums above leave out.
          plain('not_counted', 'integer', 'Amounts not counted'),
        ]
      : [];
  return [
    { ...value, ...(names ? { identifies: true as const } : {}) },
    { ...plain('name', 'text', 'Name'), ...(names ? { identifies: true as const } : {}) },
    plain('count', 'integer', 'Count'),
    ...amounts,
  ];
}

const columnsOfChanges: readonly ExportColumn[] = [
  plain('list', 'text', 'List'),
  plain('id', 'id', 'Record'),
  plain('change', 'text', 'Change'),
  plain('at', 'dateTime', 'Changed'),
  plain('field', 'text', 'Field'),
  { ...plain('before', 'text', 'Before'), identifies: true, sensitivity: 'note' },
  { ...plain('after', 'text', 'After'), identifies: true, sensitivity: 'note' },
];

const columnsOfPayments: readonly ExportColumn[] = [
  plain('day', 'date', 'Paid on'),
  plain('kind', 'text', 'Payment'),
  // Repaid, offset and reversed amounts are negative and written off ones 0, so that the column adds up to what was reimbursed.
  plain('amount', 'money', 'Amount'),
  plain('account', 'text', 'Account'),
  plain('author', 'text', 'Recorded by'),
  plain('recorded_at', 'dateTime', 'Recorded'),
  plain('claim_id', 'id', 'Claim'),
  plain('claim_number', 'text', 'Claim number'),
  { ...plain('patient_name', 'text', 'Patient'), identifies: true },
  { ...plain('member_name', 'text', 'Member'), identifies: true },
];

/** The contents of a statement, for the reason that it needs and for the audit log; its form is fixed. */
const columnsOfStatements: readonly ExportColumn[] = [
  plain('id', 'id', 'Claim'),
  { ...plain('patient_name', 'text', 'Patient'), identifies: true },
  { ...plain('members.name', 'text', 'Member'), identifies: true },
  plain('service_provider', 'text', 'Provider'),
  plain('date_of_service', 'text', 'Dates of service'),
  plain('claim_medical_lines', 'text', 'Claim lines'),
  plain('amounts', 'text', 'Amounts'),
  plain('decision', 'text', 'Decision'),
  plain('payments', 'text', 'Payments'),
];

/** The same of letters. */
const columnsOfLetters: readonly ExportColumn[] = [
  ...columnsOfStatements.filter(({ path }) => path !== 'claim_medical_lines' && path !== 'payments'),
  { ...plain('members.address', 'text', 'Address'), identifies: true },
];

const columnsOfReport = ({ columns }: ReportSource): ExportColumn[] =>
  columns.map(({ path, kind, label, identifies }) => ({
    ...plain(path, kind, label),
    ...(identifies === undefined ? {} : { identifies }),
  }));

/** The columns that a file of this source can have, in their order in the file. */
export function exportColumnsOf(source: ExportSource): readonly ExportColumn[] {
  if (source.kind === 'list') return columnsOfList(source.query.entity);
  if (source.kind === 'claimLines') return columnsOfClaimLines();
  if (source.kind === 'groups') return columnsOfGroups(source.query.entity, source.by);
  if (source.kind === 'payments') return columnsOfPayments;
  if (source.kind === 'statements') return columnsOfStatements;
  if (source.kind === 'letters') return columnsOfLetters;
  if (source.kind === 'run') return fileColumnsOf(source.layout);
  return source.kind === 'changes' ? columnsOfChanges : columnsOfReport(source);
}

/** The lists of records in a file of this source, and the prefix of their columns' paths. */
export function listsOf(source: ExportSource): readonly { entity: Entity; prefix: string }[] {
  if (source.kind === 'list') return [{ entity: source.query.entity, prefix: '' }];
  return source.kind === 'claimLines'
    ? [
        { entity: 'claims', prefix: 'claim.' },
        { entity: 'lines', prefix: 'line.' },
      ]
    : [];
}

/** A field of claims or lines that Claimdesk does not know, as a column. */
export const toUnknownColumn = (prefix: string, name: string): ExportColumn =>
  toColumn(toUnknownField(name), `${prefix}${toUnknownField(name).path}`);

/** The column of a file of this source by its path, unknown fields included. */
export function findExportColumn(source: ExportSource, path: string): ExportColumn | undefined {
  const knownColumn = exportColumnsOf(source).find((column) => column.path === path);
  if (knownColumn !== undefined) return knownColumn;
  for (const { entity, prefix } of listsOf(source)) {
    const name = path.startsWith(prefix) ? unknownNameOf(path.slice(prefix.length)) : null;
    if (name !== null && (entity === 'claims' || entity === 'lines')) return toUnknownColumn(prefix, name);
  }
  return undefined;
}

/**
 * The column sets of an export. `standard`: all but sensitive and raw columns and those of reviews. `full`:
 * all but raw ones and notes. `de-identified`: none that identifies an individual, no employer and no date
 * but a year (45 CFR 164.514(b)(2)). `accounting`: people, dates and amounts.
 */
export const exportPresets = ['standard', 'full', 'de-identified', 'accounting'] as const;
export type ExportPreset = (typeof exportPresets)[number];

const pathsThat = (are: 'isForAccounting' | 'isDeidentified') =>
  new Set(
    [...fileColumns('claims'), ...fileColumns('lines')].flatMap((spec) => (spec[are] ? [spec.path] : [])),
  );
const accounting = pathsThat('isForAccounting');
const deidentified = pathsThat('isDeidentified');

const isOfClaim = (table: ExportTable): boolean =>
  table === 'claims' || table === 'lines' || table === 'claimLines';

function isInPreset(preset: ExportPreset, column: ExportColumn): boolean {
  const path = column.path.replace(/^(claim|line)\./, '');
  if (column.isRaw === true) return false;
  if (preset === 'standard') return column.sensitivity === undefined && !followsReviews(column.path);
  if (preset === 'full') return column.sensitivity !== 'note';
  if (column.kind === 'money') return !path.startsWith('computed_');
  return (preset === 'accounting' ? accounting : deidentified).has(path);
}

/**
 * The presets that a table has. Payments, statements, groups, changes and reports have all their columns in `full`; members and
 * dependents have no amounts.
 */
export function presetsOf(table: ExportTable): readonly ExportPreset[] {
  if (isOfClaim(table)) return exportPresets;
  return table === 'members' || table === 'dependents' ? ['standard', 'full'] : ['full'];
}

/** The columns of a preset, in their order in the file. */
export function presetColumns(source: ExportSource, preset: ExportPreset): string[] {
  const columns = exportColumnsOf(source);
  const chosen = isTableOfItsOwn(source) ? columns : columns.filter((column) => isInPreset(preset, column));
  return chosen.map(({ path }) => path);
}

const isTableOfItsOwn = (source: ExportSource): boolean =>
  source.kind !== 'list' && source.kind !== 'claimLines';

/** Paths as columns of a file: a date range becomes its first and its last day, and each column occurs once. */
export const toFileColumns = (source: ExportSource, paths: readonly string[]): string[] =>
  source.kind === 'list' ? splitRanges(source.query.entity, paths) : [...new Set(paths)];

/**
 * Whether a reason has to be given for a file or a listing with these columns, because they identify people or are
 * sensitive.
 */
export const needsReason = (columns: readonly ExportColumn[]): boolean =>
  columns.some((column) => column.identifies === true || column.sensitivity !== undefined);
