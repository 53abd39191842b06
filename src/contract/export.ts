import { z } from 'zod';
import { letterKinds } from '../rules/letters/letter-kinds.ts';
import { type Entity, entities } from '../rules/list-fields.ts';
import { cellSchema, listQuerySchema } from '../rules/query.ts';
import { runLayoutSchema } from '../rules/review/run-layout.ts';
import { typedLetterSchema } from './letters.ts';
import type { SavePurpose } from './save-target.ts';
import { teamRemovalSchema } from './store.ts';

/**
 * `xlsx` and `excel-csv` are for people, with labels as headers; `csv` is for other systems, with the service's names.
 */
export const tableFormats = ['xlsx', 'excel-csv', 'csv'] as const;
/** `pdf` is for statements and letters, which are no table, and have no other form; letters are also `text`, for mail. */
export const exportFormats = [...tableFormats, 'pdf', 'text'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The save purpose of each form, which determines the extension (`saveExtensions`). */
export const purposeOf: Readonly<Record<ExportFormat, SavePurpose>> = {
  xlsx: 'workbook',
  'excel-csv': 'records',
  csv: 'records',
  pdf: 'statement',
  text: 'text',
};

/** The extension that is appended to the name of a file for its signature, as `ssh-keygen -Y sign` does. */
export const signatureExtension = '.sig';

/** The most rows of a sheet in Excel, including its header. */
export const maxSheetRows = 1_048_576;

/** The most rows that can be selected for an export. */
export const maxSelected = 100_000;

/** Selected rows by their keys (`$key` of a row), in the order of the list. */
const keysSchema = z.array(z.int()).min(1).max(maxSelected).optional();

/** A table of figures as the window shows it. Amounts are ten-thousandths of a dollar; sums may be decimal text. */
const reportSchema = z.object({
  kind: z.literal('report'),
  title: z.string().max(80),
  columns: z
    .array(
      z.object({
        path: z.string().max(40),
        label: z.string().max(80),
        kind: z.enum(['text', 'integer', 'number', 'money', 'date']),
        identifies: z.literal(true).optional(),
      }),
    )
    .min(1)
    .max(40),
  rows: z.array(z.array(cellSchema).max(40)).max(20_000),
  /** Its rows are all letters, which the engine reads: they may be more than a message has. */
  of: z.literal('letters').optional(),
});
export type ReportSource = z.infer<typeof reportSchema> & {
  /** Rows for another program, so that a workbook has no row of totals below them. */
  readonly isPlain?: true;
};

/** A file has exact matches of its search only. */
const exactQuerySchema = listQuerySchema.omit({ findsSimilar: true });
const claimsQuerySchema = exactQuerySchema.refine(({ entity }) => entity === 'claims');

/**
 * The source of an export: the records of a list; the lines of a list of claims, each with its claim's
 * columns; payments, substantiation statements or letters of a list of claims; the groups of a list with their sums; a
 * sync's changes, one row per field; a report; or a run's file, of all its claims or one employer's.
 */
const exportSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list'), query: exactQuerySchema, keys: keysSchema }),
  z.object({ kind: z.literal('claimLines'), query: claimsQuerySchema, keys: keysSchema }),
  z.object({ kind: z.literal('payments'), query: claimsQuerySchema, keys: keysSchema }),
  z.object({ kind: z.literal('statements'), query: claimsQuerySchema, keys: keysSchema }),
  z.object({
    kind: z.literal('letters'),
    query: claimsQuerySchema,
    keys: keysSchema,
    letter: z.enum(letterKinds),
    typed: typedLetterSchema,
  }),
  z.object({ kind: z.literal('groups'), query: exactQuerySchema, by: z.string().max(80) }),
  z.object({ kind: z.literal('changes'), syncId: z.string().max(100) }),
  reportSchema,
  z.object({
    kind: z.literal('run'),
    runId: z.string().max(60),
    employerId: z.int().nullable().optional(),
    layout: runLayoutSchema,
    /** The number of changed claims that the user has seen, as in `runs:step`. */
    acceptsMarked: z.int().min(0).optional(),
  }),
]);
export type ExportSource = z.infer<typeof exportSourceSchema>;
/** Statements and letters are pages and no table. */
export const isOfPages = ({ kind }: ExportSource | TableSource): boolean =>
  kind === 'statements' || kind === 'letters';
/** The source that a file's rows are read from; a run has become a report by then. */
export type TableSource = Exclude<ExportSource, { kind: 'run' | 'report' }> | ReportSource;

export type ExportTable =
  | Entity
  | 'claimLines'
  | 'payments'
  | 'statements'
  | 'letters'
  | 'groups'
  | 'changes'
  | 'report'
  | 'run';

export const tableOf = (source: ExportSource | TableSource): ExportTable =>
  source.kind === 'list' ? source.query.entity : source.kind;

const syncedFolders: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['OneDrive', /^OneDrive( - .+)?$/i],
  ['Dropbox', /^Dropbox( \(.+\))?$/i],
  ['Google Drive', /^(Google ?Drive|My Drive|GoogleDrive-.+)$/i],
  ['iCloud Drive', /^(iCloud ?Drive|Mobile Documents|com~apple~CloudDocs)$/i],
  ['Box', /^(Box|Box Sync|Box-Box)$/],
  ['Nextcloud', /^(Nextcloud|ownCloud)$/i],
];

/** The cloud service that syncs the folder of a file, recognized by folder names; null: none. */
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

/** A written file; there are several where rows are split. `signaturePath`: null unless it was signed. */
const exportedFileSchema = z.object({
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
  /** How many amounts of each column can't be numbers, so that no sum counts them; absent where there are none. */
  notCounted: z.record(z.string(), z.int()).optional(),
  /** The claims whose letter lacks a part, at most `maxSelected`, with why as sentences; absent where there are none. */
  leftOut: z.array(z.object({ claimId: z.int(), missing: z.string() })).optional(),
  seconds: z.number(),
});
export type ExportResult = z.infer<typeof exportResultSchema>;

/** The longest reason, in characters. */
export const maxReasonLength = 200;

/** Whether a text is a reason: at least three letters or digits, so that a dot is none. */
export const isReason = (text: string | undefined): boolean =>
  (text ?? '').replace(/[^\p{L}\p{N}]/gu, '').length >= 3;

/**
 * The most rows that can be copied without a reason, whatever their columns. People copy a cell or some rows many times
 * a day, which the audit log records; more rows are an export by another way.
 */
export const copiedWithoutReason = 100;

export const reasonSchema = z.string().trim().max(maxReasonLength).optional();

/** The longest path of a column, which can contain the name of an unknown field. */
const maxPathLength = 300;

const exportOrderSchema = z.object({
  workspaceId: z.string(),
  source: exportSourceSchema,
  /** Rows of an open list, instead of all rows of the source. */
  selected: z
    .object({
      snapshotId: z.string(),
      places: z
        .array(z.tuple([z.int().min(0), z.int().min(0)]))
        .min(1)
        .max(5000),
    })
    .optional(),
  /** Exactly the claims that a removal would remove, instead of all rows of the source. */
  removal: teamRemovalSchema.optional(),
  format: z.enum(exportFormats),
  /** The columns of the preset `standard` apply where it is absent. */
  columns: z.array(z.string().max(maxPathLength)).min(1).max(300).optional(),
  /** Required where columns name people. */
  reason: reasonSchema,
  /** Applies to `csv` only. */
  delimiter: z.enum([',', ';', '\t', '|']).optional(),
  /** Each file is signed with the workspace's SSH key, and the signature is written next to it. */
  isSigned: z.boolean().optional(),
  /** The most rows of one file; further rows are written to numbered files. */
  split: z.int().min(1).optional(),
  targetId: z.string(),
});
export const exportRequestSchema = exportOrderSchema.refine(({ source, format }) =>
  format === 'text' ? source.kind === 'letters' : isOfPages(source) === (format === 'pdf'),
);

export const printedListSchema = z.object({
  workspaceId: z.string(),
  list: z.enum([...entities, 'claimLines']),
  rows: z.int(),
  columns: z.array(z.string().max(maxPathLength)).min(1).max(300),
  reason: reasonSchema,
});
