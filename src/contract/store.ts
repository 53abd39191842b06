import { z } from 'zod';
import { formatCount } from '../rules/count.ts';
import { errorCodes } from './error-codes.ts';

/**
 * The two kinds of files: records that the service sent (one file per workspace), and user data (one file per profile).
 */
export const storeFiles = ['records', 'userData'] as const;
export type StoreFile = (typeof storeFiles)[number];

/** The steps of a repair, in the order they are tried. */
const repairSteps = [
  /** Opens and checks the file again. */
  'reopen',
  /** Restores the first page, or its header, from the copy next to the file. */
  'firstPage',
  /** Uses what can be read of the write-ahead log. */
  'log',
  /** Copies every record that can be read completely to a new file. */
  'salvage',
  /** Restores the newest backup that can be read. */
  'backup',
  /** Makes an empty file; a sync reads the records again. */
  'rebuild',
] as const;
export type RepairStep = (typeof repairSteps)[number];

/** `needsConsent`: not done, because it would lose the data listed in `lost`. */
const repairOutcomes = ['sound', 'done', 'notPossible', 'needsConsent'] as const;

/** Data that this computer lost. `count` is null where the number is unknown. */
const lossSchema = z.object({
  what: z.enum(['members', 'claims', 'setAside', 'latestWrites', 'reviews', 'views', 'auditEntries']),
  count: z.int().nullable(),
});
export type Loss = z.infer<typeof lossSchema>;

export const repairReportSchema = z.object({
  at: z.string(),
  file: z.enum(storeFiles),
  outcome: z.enum(['sound', 'repaired', 'needsConsent']),
  steps: z.array(z.object({ step: z.enum(repairSteps), outcome: z.enum(repairOutcomes) })),
  /** Empty: no data was lost. */
  lost: z.array(lossSchema),
  /** The name of the damaged file, which is stored unchanged (encrypted); null where no file was replaced. */
  keptAside: z.string().nullable(),
  /** Whether a sync has to read the records again. */
  needsSync: z.boolean(),
});
export type RepairReport = z.infer<typeof repairReportSchema>;

export const storeCheckSchema = z.object({
  at: z.string(),
  isFull: z.boolean(),
  isSound: z.boolean(),
  /** The number of problems that the check found; they identify no record. */
  problems: z.int(),
  seconds: z.number(),
});
export type StoreCheck = z.infer<typeof storeCheckSchema>;

/** The possible faults of a document; the code has its sentence and the next step. */
export const documentProblems = ['document.notHere', 'document.damaged'] as const;
export type DocumentProblem = (typeof documentProblems)[number];

export const documentsCheckSchema = z.object({
  at: z.string(),
  /** Whether each file was read and compared with its hash; otherwise only its existence and length were checked. */
  isFull: z.boolean(),
  isSound: z.boolean(),
  /** How many documents claims and members have, those without a file and with a damaged one. */
  documents: z.int(),
  notHere: z.int(),
  damaged: z.int(),
  /** The number of documents whose file was replaced by its second copy, or whose copy was made again. */
  mended: z.int(),
  /** Files that are kept: of events that were lost, and of documents whose attaching was undone. */
  unused: z.int(),
  undone: z.int(),
});
export type DocumentsCheck = z.infer<typeof documentsCheckSchema>;
/** The faulty documents, with the claims, or members as their subjects (`member-subject.ts`), of the first problems. */
export const documentsReportSchema = documentsCheckSchema.extend({
  problems: z.array(z.object({ code: z.enum(documentProblems), claimId: z.int() })).max(100),
});
export type DocumentsReport = z.infer<typeof documentsReportSchema>;

/** Progress of long work on a file, counted in parts of it, in records, or in megabytes of a backup. */
export const storeProgressSchema = z.object({
  doing: z.enum([
    'checkingFile',
    'checkingRecords',
    'findingRecords',
    'copyingRecords',
    'countingRecords',
    'buildingIndexes',
    'backingUp',
    'checkingBackup',
    'migrating',
  ]),
  done: z.int(),
  of: z.int(),
});
export type StoreProgress = z.infer<typeof storeProgressSchema>;

/** The text of each activity, the unit of its count, and 1 where the part in progress is counted. */
const progressTexts: Readonly<Record<StoreProgress['doing'], readonly [string, string, 0 | 1]>> = {
  checkingFile: ['Checking the file: part', '', 1],
  checkingRecords: ['Checking records:', '', 0],
  findingRecords: ['Finding readable records: part', '', 1],
  copyingRecords: ['Copying the records to keep:', '', 0],
  countingRecords: ['Counting claims:', '', 0],
  buildingIndexes: ['Building indexes:', '', 1],
  backingUp: ['Backing up the file before the update:', ' MB', 0],
  checkingBackup: ['Checking the backup: part', '', 1],
  migrating: ['Updating the file: part', '', 1],
};

/** `Checking records: 12,000 of 110,000`, for the window and the command line. */
export function describeStoreProgress({ doing, done, of }: StoreProgress): string {
  const [text, unit, isPart] = progressTexts[doing];
  return `${text} ${formatCount(done + isPart)} of ${formatCount(of)}${unit}`;
}

/** Rules that a removal by date or member stores: a sync leaves such records out and reports how many. */
const retentionRulesSchema = z.object({
  claimsBefore: z.string().nullable(),
  memberIds: z.array(z.int()),
});
export type RetentionRules = z.infer<typeof retentionRulesSchema>;

/** A backup that was due and failed: when, and the code of the error. */
export const failedBackupSchema = z.object({ at: z.string(), code: z.enum(errorCodes) });
export type FailedBackup = z.infer<typeof failedBackupSchema>;

const keptFileSchema = z.object({ name: z.string(), bytes: z.int(), at: z.string() });
const storeFileStateSchema = z.object({
  file: z.enum(storeFiles),
  isThere: z.boolean(),
  bytes: z.int(),
  /** Known to be damaged: found by the last check, or the file could not be opened. */
  isDamaged: z.boolean(),
  lastCheck: storeCheckSchema.nullable(),
  /** The last repair that changed something, until the next one. */
  lastRepair: repairReportSchema.nullable(),
  backups: z.array(keptFileSchema),
  /** Null after a backup has succeeded. */
  failedBackup: failedBackupSchema.nullable(),
  keptAside: z.array(keptFileSchema),
});
export type StoreFileState = z.infer<typeof storeFileStateSchema>;

export const storeStateSchema = z.object({
  records: storeFileStateSchema,
  userData: storeFileStateSchema,
  /** The last check of documents; null before the first, and where there are none. */
  documents: documentsCheckSchema.nullable(),
  retention: retentionRulesSchema,
});
export type StoreState = z.infer<typeof storeStateSchema>;

const isoDate = z.iso.date();

/**
 * The records to remove. `claimsBefore`: claims whose last day of service is earlier; undated claims stay.
 */
export const removalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('claimsBefore'), date: isoDate }),
  z.object({ kind: z.literal('member'), memberId: z.int() }),
]);
export type Removal = z.infer<typeof removalSchema>;

/** The records that an admin removes for the whole team: also by employer (the service's ID), or all. */
export const teamRemovalSchema = z.discriminatedUnion('kind', [
  ...removalSchema.options,
  z.object({ kind: z.literal('employer'), employerId: z.int() }),
  z.object({ kind: z.literal('everything') }),
]);
export type TeamRemoval = z.infer<typeof teamRemovalSchema>;

/**
 * Counts of a removal, before or after it. `sharedClaims` are not removed, because they also belong to another member.
 */
export const removalCountsSchema = z.object({
  members: z.int(),
  claims: z.int(),
  sharedClaims: z.int(),
  reviews: z.int(),
});
export type RemovalCounts = z.infer<typeof removalCountsSchema>;

/** A list that the user saved under a name; `query` is JSON text, stored unchanged. */
export const savedViewSchema = z.object({
  id: z.string(),
  name: z.string().min(1).max(120),
  query: z.string().max(50_000),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** A view of the team, which is changed by `team:changeSettings`. */
  isOfTeam: z.boolean().optional(),
});
export type SavedView = z.infer<typeof savedViewSchema>;
