import { z } from 'zod';
import {
  type Entity,
  entities,
  type FieldKind,
  type FieldSpec,
  fieldsOf,
  fileFieldsOf,
  linkFieldsOf,
  splitRanges,
  toUnknownField,
  unknownNameOf,
} from './fields.ts';
import { cellSchema, listQuerySchema } from './query.ts';
import type { SavePurpose } from './save-target.ts';

/** `xlsx` and `excel-csv` are for people, with headers in words; `csv` is for systems, with the service's names. */
export const exportFormats = ['xlsx', 'excel-csv', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What a file of each form is saved for, which has its extension (`saveExtensions`). */
export const purposeOf: Readonly<Record<ExportFormat, SavePurpose>> = {
  xlsx: 'workbook',
  'excel-csv': 'records',
  csv: 'records',
};

/** What the name of a signature ends with, after that of its file; `ssh-keygen -Y sign` gives the same name. */
export const signatureExtension = '.sig';

/** Rows of a sheet in Excel, its header included. */
export const maxSheetRows = 1_048_576;

/** Rows that can be selected for an export. */
export const maxSelected = 100_000;

/** Rows that were selected, by their keys (`$key` of a row), in the order of the list. */
const keysSchema = z.array(z.int()).min(1).max(maxSelected).optional();

/** A table of figures as the window shows it. Amounts are ten-thousandths of a dollar; sums may come as digits. */
const reportSchema = z.object({
  kind: z.literal('report'),
  title: z.string().max(80),
  columns: z
    .array(
      z.object({
        path: z.string().max(40),
        label: z.string().max(80),
        kind: z.enum(['text', 'integer', 'money', 'date']),
        identifies: z.literal(true).optional(),
      }),
    )
    .min(1)
    .max(40),
  rows: z.array(z.array(cellSchema).max(40)).max(20_000),
});
export type ReportSource = z.infer<typeof reportSchema>;

const claimsQuerySchema = listQuerySchema.refine(({ entity }) => entity === 'claims');

/**
 * What is exported: the records of a list; the lines of a list of claims, each with the columns of its claim; the
 * payments recorded for a list of claims; the groups of a list with their sums; what one sync changed, a row for each
 * field; a report.
 */
export const exportSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list'), query: listQuerySchema, keys: keysSchema }),
  z.object({ kind: z.literal('claimLines'), query: claimsQuerySchema, keys: keysSchema }),
  z.object({ kind: z.literal('payments'), query: claimsQuerySchema, keys: keysSchema }),
  z.object({ kind: z.literal('groups'), query: listQuerySchema, by: z.string().max(80) }),
  z.object({ kind: z.literal('changes'), runId: z.string().max(100) }),
  reportSchema,
]);
export type ExportSource = z.infer<typeof exportSourceSchema>;

export type ExportTable = Entity | 'claimLines' | 'payments' | 'groups' | 'changes' | 'report';

export const tableOf = (source: ExportSource): ExportTable =>
  source.kind === 'list' ? source.query.entity : source.kind;

/** A column that a file can have. */
export type ExportColumn = Pick<FieldSpec, 'path' | 'kind' | 'label' | 'sensitivity' | 'isRaw' | 'isMany'> & {
  /** It names a person, or leads to one outside of Claimdesk. */
  readonly identifies?: true;
};

const personal = new Set([
  'members.name',
  'members.id',
  'member.name',
  '$member_id',
  'patient_name',
  'patient_account_number',
  'patient_payer_number',
  'policy_holder.first_name',
  'policy_holder.last_name',
  'last_name',
  'first_name',
  'middle_name',
  'full_name_derived',
  'first_name_derived',
  'last_name_derived',
  'email',
  'address',
  'partner_key',
]);

/** What a field that Claimdesk does not know tells of people is not known either. */
const identifies = (spec: FieldSpec): boolean =>
  personal.has(spec.path) ||
  unknownNameOf(spec.path) !== null ||
  spec.sensitivity === 'ssn' ||
  spec.sensitivity === 'birthDate';

function toColumn(spec: FieldSpec, path = spec.path, label = spec.label): ExportColumn {
  return {
    path,
    kind: spec.kind,
    label,
    ...(spec.sensitivity === undefined ? {} : { sensitivity: spec.sensitivity }),
    ...(spec.isRaw === true ? { isRaw: true as const } : {}),
    ...(spec.isMany === true ? { isMany: true as const } : {}),
    ...(identifies(spec) ? { identifies: true as const } : {}),
  };
}

/** The fields of a list that can be columns of its file. */
const fileColumns = (entity: Entity): FieldSpec[] =>
  [...fieldsOf[entity], ...fileFieldsOf[entity]].filter(({ kind }) => kind !== 'dateRange');

const columnsOfList = (entity: Entity): ExportColumn[] => fileColumns(entity).map((spec) => toColumn(spec));

/** What the lines of a claim repeat of it anyway. */
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

function columnsOfGroups(entity: Entity, by: string): ExportColumn[] {
  const spec = [...fieldsOf[entity], ...linkFieldsOf[entity]].find(({ path }) => path === by);
  const names = spec !== undefined && (identifies(spec) || by === 'policy_holder.id');
  const value = { ...plain('value', spec?.kind ?? 'text', spec?.label ?? 'Group') };
  const amounts =
    entity === 'claims' || entity === 'lines'
      ? [
          plain('billed', 'money', 'Billed'),
          plain('allowed', 'money', 'Allowed'),
          plain('paid', 'money', 'Plan paid'),
          plain('patient_responsibility', 'money', 'Patient responsibility'),
          // Amounts that can't be numbers, which the four sums leave out.
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
  // What was repaid or reversed is negative, so that the column adds up to what was reimbursed.
  plain('amount', 'money', 'Amount'),
  plain('account', 'text', 'Account'),
  plain('author', 'text', 'Recorded by'),
  plain('recorded_at', 'dateTime', 'Recorded'),
  plain('claim_id', 'id', 'Claim'),
  plain('claim_number', 'text', 'Claim number'),
  { ...plain('patient_name', 'text', 'Patient'), identifies: true },
  { ...plain('member_name', 'text', 'Member'), identifies: true },
];

const columnsOfReport = ({ columns }: ReportSource): ExportColumn[] =>
  columns.map(({ path, kind, label, identifies }) => ({
    ...plain(path, kind, label),
    ...(identifies === undefined ? {} : { identifies }),
  }));

/** The columns that a file of this source can have, in the order of the file. */
export function exportColumnsOf(source: ExportSource): readonly ExportColumn[] {
  if (source.kind === 'list') return columnsOfList(source.query.entity);
  if (source.kind === 'claimLines') return columnsOfClaimLines();
  if (source.kind === 'groups') return columnsOfGroups(source.query.entity, source.by);
  if (source.kind === 'payments') return columnsOfPayments;
  return source.kind === 'changes' ? columnsOfChanges : columnsOfReport(source);
}

/** The lists of records that a file of this source is made of, and what the paths of their columns begin with. */
export function listsOf(source: ExportSource): readonly { entity: Entity; prefix: string }[] {
  if (source.kind === 'list') return [{ entity: source.query.entity, prefix: '' }];
  return source.kind === 'claimLines'
    ? [
        { entity: 'claims', prefix: 'claim.' },
        { entity: 'lines', prefix: 'line.' },
      ]
    : [];
}

/** A field of claims or lines that Claimdesk does not know, as a column that can be chosen. */
export const toUnknownColumn = (prefix: string, name: string): ExportColumn =>
  toColumn(toUnknownField(name), `${prefix}${toUnknownField(name).path}`);

/** The column of a file of this source by its path, unknown fields included. */
export function findExportColumn(source: ExportSource, path: string): ExportColumn | undefined {
  const known = exportColumnsOf(source).find((column) => column.path === path);
  if (known !== undefined) return known;
  for (const { entity, prefix } of listsOf(source)) {
    const name = path.startsWith(prefix) ? unknownNameOf(path.slice(prefix.length)) : null;
    if (name !== null && (entity === 'claims' || entity === 'lines')) return toUnknownColumn(prefix, name);
  }
  return undefined;
}

/**
 * `standard`: every column less sensitive ones, raw ones, and what was decided here. `full`: all but raw ones and
 * notes. `de-identified`: nothing that names or numbers a person, no employer and no date but a year
 * (45 CFR 164.514(b)(2)). `accounting`: who, when and the amounts.
 */
export const exportPresets = ['standard', 'full', 'de-identified', 'accounting'] as const;
export type ExportPreset = (typeof exportPresets)[number];

const isDecided = (path: string): boolean => /^(claim\.)?(review|facts)\./.test(path);

const deidentified = new Set([
  'status',
  'type.name',
  'network',
  'carrier',
  'is_incomplete',
  'service_provider',
  'service_provider_npi_number',
  'review.state',
  'review.outcome',
  'facts.plan_year',
  'facts.denial',
  'facts.duplicate',
  'procedure_code',
  'procedure_name',
  'diagnosis_code',
  'quantity',
  'days_supply',
  'national_drug_code',
]);

const accounting = new Set([
  'id',
  '$claim_id',
  'vendor_system_id',
  'status',
  'date_of_service.first_day',
  'date_of_service.last_day',
  'members.name',
  'members.employer.name',
  'carrier',
  'service_provider',
  'processed_on',
  'eob_date',
  'check_date',
  'check_number',
  'procedure_code',
  'review.outcome',
  'review.cause',
  'review.reimbursed',
  'facts.plan_year',
  'facts.eligible_by_rules',
  'facts.eligible',
  'facts.declined',
  'facts.disputed',
  'facts.open',
]);

const isOfClaim = (table: ExportTable): boolean =>
  table === 'claims' || table === 'lines' || table === 'claimLines';

function isInPreset(preset: ExportPreset, column: ExportColumn): boolean {
  const path = column.path.replace(/^(claim|line)\./, '');
  if (column.isRaw === true) return false;
  if (preset === 'standard') return column.sensitivity === undefined && !isDecided(column.path);
  if (preset === 'full') return column.sensitivity !== 'note';
  if (column.kind === 'money') return !path.startsWith('computed_');
  return (preset === 'accounting' ? accounting : deidentified).has(path);
}

/** The presets that a table has: payments, groups, changes and reports are what they are, people have no amounts. */
export function presetsOf(table: ExportTable): readonly ExportPreset[] {
  if (isOfClaim(table)) return exportPresets;
  return table === 'members' || table === 'dependents' ? ['standard', 'full'] : ['full'];
}

/** The columns of a preset, in the order of the file. */
export function presetColumns(source: ExportSource, preset: ExportPreset): string[] {
  const columns = exportColumnsOf(source);
  const chosen = isTableOfItsOwn(source) ? columns : columns.filter((one) => isInPreset(preset, one));
  return chosen.map(({ path }) => path);
}

const isTableOfItsOwn = (source: ExportSource): boolean =>
  source.kind !== 'list' && source.kind !== 'claimLines';

/** Paths as columns of a file: a date range becomes its first and its last day, each column once. */
export const toFileColumns = (source: ExportSource, paths: readonly string[]): string[] =>
  source.kind === 'list' ? splitRanges(source.query.entity, paths) : [...new Set(paths)];

/** Whether a person has to say why: these columns name people, or tell what nobody else may know of them. */
export const needsReason = (columns: readonly ExportColumn[]): boolean =>
  columns.some((column) => column.identifies === true || column.sensitivity !== undefined);

const syncedFolders: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['OneDrive', /^OneDrive( - .+)?$/i],
  ['Dropbox', /^Dropbox( \(.+\))?$/i],
  ['Google Drive', /^(Google ?Drive|My Drive|GoogleDrive-.+)$/i],
  ['iCloud Drive', /^(iCloud ?Drive|Mobile Documents|com~apple~CloudDocs)$/i],
  ['Box', /^(Box|Box Sync|Box-Box)$/],
  ['Nextcloud', /^(Nextcloud|ownCloud)$/i],
];

/** The cloud service that the folder of a file syncs to, by the names of its folders; null where none is known. */
export function findCloudFolder(path: string): string | null {
  const folders = path.split(/[/\\]/).slice(0, -1);
  return syncedFolders.find(([, pattern]) => folders.some((folder) => pattern.test(folder)))?.[0] ?? null;
}

export const exportProgressSchema = z.object({
  exportId: z.string(),
  rows: z.int(),
  total: z.int(),
  rowsPerSecond: z.number(),
  secondsLeft: z.number().nullable(),
});
export type ExportProgress = z.infer<typeof exportProgressSchema>;

/** A written file: several where the rows are split. `signaturePath`: where it was to be signed. */
export const exportedFileSchema = z.object({
  path: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  signaturePath: z.string().nullable(),
});
export type ExportedFile = z.infer<typeof exportedFileSchema>;

export const exportResultSchema = z.object({
  exportId: z.string(),
  rows: z.int(),
  files: z.array(exportedFileSchema).min(1),
  /** By column, amounts that can't be numbers, which no sum counts; absent where there are none. */
  notCounted: z.record(z.string(), z.int()).optional(),
  seconds: z.number(),
});
export type ExportResult = z.infer<typeof exportResultSchema>;

/** In characters. */
export const maxReasonLength = 200;
/** Of the path of a column, which unknown fields of the service may be in. */
const maxPathLength = 300;

export const exportRequestSchema = z.object({
  workspaceId: z.string(),
  source: exportSourceSchema,
  /** Rows of an open list instead of all that the source has. */
  selected: z
    .object({
      snapshotId: z.string(),
      places: z
        .array(z.tuple([z.int().min(0), z.int().min(0)]))
        .min(1)
        .max(5000),
    })
    .optional(),
  format: z.enum(exportFormats),
  /** Those of the preset `standard` where none are named. */
  columns: z.array(z.string().max(maxPathLength)).min(1).max(300).optional(),
  /** Required where columns name people. */
  reason: z.string().trim().max(maxReasonLength).optional(),
  /** Of `csv` alone. */
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  /** The workspace's SSH key signs each file; its signature is written beside it. */
  isSigned: z.boolean().optional(),
  /** Rows of a file; more are written to numbered files. */
  split: z.int().min(1).optional(),
  targetId: z.string(),
});

export const printedListSchema = z.object({
  workspaceId: z.string(),
  list: z.enum([...entities, 'claimLines']),
  rows: z.int(),
  columns: z.array(z.string().max(maxPathLength)).min(1).max(300),
  reason: z.string().trim().max(maxReasonLength).optional(),
});
