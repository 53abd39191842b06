import { z } from 'zod';
import { errorCodes } from './error-codes.ts';

/** The two files: what the service sent (one a workspace), and what people did and wrote (one a profile). */
export const storeFiles = ['records', 'userData'] as const;
export type StoreFile = (typeof storeFiles)[number];

/** The steps of a repair, in the order they are tried. */
export const repairSteps = [
  /** Open it again and check it all. */
  'reopen',
  /** Put the first page, or its head, back from the copy kept beside the file. */
  'firstPage',
  /** The log of the latest writes: what of it can be used. */
  'log',
  /** Copy every record that can be read whole into a new file. */
  'salvage',
  /** Go back to the newest backup that can be read. */
  'backup',
  /** Begin with an empty file; a sync fetches the records again. */
  'rebuild',
] as const;
export type RepairStep = (typeof repairSteps)[number];

/** `needsConsent`: it would lose what is said in `lost`, so it was not done. */
export const repairOutcomes = ['sound', 'done', 'notPossible', 'needsConsent'] as const;

/** What this computer lost. `count` is null where the number is unknown. */
export const lossSchema = z.object({
  what: z.enum(['members', 'claims', 'setAside', 'latestWrites', 'reviews', 'views', 'auditEntries']),
  count: z.int().nullable(),
});
export type Loss = z.infer<typeof lossSchema>;

export const repairReportSchema = z.object({
  at: z.string(),
  file: z.enum(storeFiles),
  outcome: z.enum(['sound', 'repaired', 'needsConsent']),
  steps: z.array(z.object({ step: z.enum(repairSteps), outcome: z.enum(repairOutcomes) })),
  /** Empty: nothing was lost. */
  lost: z.array(lossSchema),
  /** The name of the damaged file, kept beside, encrypted as it was; null if nothing had to be replaced. */
  keptAside: z.string().nullable(),
  /** Whether the service has to be asked for the records again. */
  needsSync: z.boolean(),
});
export type RepairReport = z.infer<typeof repairReportSchema>;

export const storeCheckSchema = z.object({
  at: z.string(),
  isFull: z.boolean(),
  isSound: z.boolean(),
  /** What the check found, counted; it names no record. */
  problems: z.int(),
  seconds: z.number(),
});
export type StoreCheck = z.infer<typeof storeCheckSchema>;

/** How far long work on a file is: in parts of it, in records, or in megabytes of a backup. */
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

/** What is done, what it is counted in, and whether the part in progress is counted. */
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

/** `Checking records: 12,000 of 110,000`: for the window, and for the command line. */
export function describeStoreProgress({ doing, done, of }: StoreProgress): string {
  const [text, unit, isPart] = progressTexts[doing];
  const format = (count: number): string => count.toLocaleString('en-US');
  return `${text} ${format(done + isPart)} of ${format(of)}${unit}`;
}

/** What a removal by date or member left behind: a sync leaves these out, and says so. */
export const retentionRulesSchema = z.object({
  claimsBefore: z.string().nullable(),
  memberIds: z.array(z.int()),
});
export type RetentionRules = z.infer<typeof retentionRulesSchema>;

/** A backup that was due and could not be made: when, and the code of the error. */
export const failedBackupSchema = z.object({ at: z.string(), code: z.enum(errorCodes) });
export type FailedBackup = z.infer<typeof failedBackupSchema>;

const keptFileSchema = z.object({ name: z.string(), bytes: z.int(), at: z.string() });
export const storeFileStateSchema = z.object({
  file: z.enum(storeFiles),
  isThere: z.boolean(),
  bytes: z.int(),
  /** Known to be damaged: by the last check, or because it did not open. */
  isDamaged: z.boolean(),
  lastCheck: storeCheckSchema.nullable(),
  /** The last repair that did something; stays until the next one. */
  lastRepair: repairReportSchema.nullable(),
  backups: z.array(keptFileSchema),
  /** null once a backup succeeded again. */
  failedBackup: failedBackupSchema.nullable(),
  keptAside: z.array(keptFileSchema),
});
export type StoreFileState = z.infer<typeof storeFileStateSchema>;

export const storeStateSchema = z.object({
  records: storeFileStateSchema,
  userData: storeFileStateSchema,
  retention: retentionRulesSchema,
});
export type StoreState = z.infer<typeof storeStateSchema>;

/** ISO calendar date. */
const isoDate = z.iso.date();

/** What is to go. Claims before a date: those whose last day of service is before it; undated ones stay. */
export const removalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('claimsBefore'), date: isoDate }),
  z.object({ kind: z.literal('member'), memberId: z.int() }),
]);
export type Removal = z.infer<typeof removalSchema>;

/** Counts of a removal, before or after. `sharedClaims` stay: they belong to another member as well. */
export const removalCountsSchema = z.object({
  members: z.int(),
  claims: z.int(),
  sharedClaims: z.int(),
  /** Entries in the history of reviews. */
  reviews: z.int(),
});
export type RemovalCounts = z.infer<typeof removalCountsSchema>;

/** A list as a person named it; `query` is JSON text, kept as it came. */
export const savedViewSchema = z.object({
  id: z.string(),
  name: z.string().min(1).max(120),
  query: z.string().max(50_000),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type SavedView = z.infer<typeof savedViewSchema>;
