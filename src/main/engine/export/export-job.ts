import type { ExportedFile, ExportFormat, ExportResult } from '../../../contract/export.ts';
import type { StoredLetters } from '../../../contract/letter-settings.ts';
import type { Cell } from '../../../rules/query.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { SettingsOfService } from '../../lib/engine-protocol.ts';
import type { Database } from '../store/file/database.ts';
import type { DataState, NameOf } from './notes.ts';
import type { OutputFile } from './output-file.ts';
import type { TableOptions } from './read-table.ts';

export interface ExportWorkerData extends Omit<TableOptions, 'userData'> {
  readonly filePath: string;
  /** The database key, 32 bytes; wiped by the thread, as is that of the user data. */
  readonly key: Uint8Array;
  readonly format: ExportFormat;
  /** The locale by which Excel on this computer reads a CSV; the system's where undefined. */
  readonly locale: string | undefined;
  /** The delimiter of a CSV for systems; a comma where undefined. */
  readonly delimiter: string | undefined;
  /** The most rows of one file; null: as many as its format can hold. */
  readonly split: number | null;
  readonly outPath: string;
  /** Whether a signature is written next to each file. */
  readonly isSigned: boolean;
  /** The facts for statements and letters; null for other files. */
  readonly pages: {
    readonly workspace: string;
    readonly settings: SettingsOfService;
    readonly letters: StoredLetters;
  } | null;
  /** The user data file, which holds the payments, and its key; null: not needed, or there is none. */
  readonly userData: { readonly filePath: string; readonly key: Uint8Array } | null;
  /** ISO date-time. */
  readonly at: string;
  /** The name of the computer's account. */
  readonly by: string | null;
  readonly reason: string | null;
}

export interface WrittenExport {
  readonly rows: number;
  readonly files: ExportedFile[];
  /** How many amounts the sum of a column leaves out because they can't be numbers, by path; absent: none. */
  readonly notCounted?: Record<string, number>;
  readonly leftOut?: NonNullable<ExportResult['leftOut']>;
}
interface MadeOfClaim {
  readonly claimId: number;
  readonly act: Extract<ReviewAct, { kind: 'letter' }>;
}
/** The calls that the thread makes to the one that started it. */
export interface ExportCalls {
  progress(rowCounts: { readonly rows: number; readonly total: number }): void;
  /** Signatures over the SHA-512 of each file, in hexadecimal. */
  sign(digests: readonly string[]): Promise<readonly string[]>;
  /** Records the letters of the files before these appear; an export that fails afterwards undoes it. */
  record(letters: readonly MadeOfClaim[]): Promise<void>;
}

/** A file that is being written; `rows` and `part` appear in its notes. */
export interface RowWriter {
  write(rows: readonly (readonly Cell[])[]): Promise<void>;
  end?(rows: number, part: string | null): Promise<void>;
  abort?(): Promise<void>;
}

/** The state of a running export. */
export interface Job {
  readonly database: Database;
  readonly userData: Database | null;
  readonly wanted: ExportWorkerData;
  readonly nameOf: NameOf;
  readonly title: string;
  readonly data: DataState;
  readonly maskKnown: <T>(value: T) => T;
  /** The path of each part, and the most rows it contains. */
  readonly paths: readonly string[];
  readonly perFile: number;
  readonly files: { path: string; rows: number; output: OutputFile }[];
  readonly letters: MadeOfClaim[];
  readonly leftOut: NonNullable<ExportResult['leftOut']>;
  readonly calls: ExportCalls;
  readonly canceled: AbortSignal;
  writer: RowWriter | null;
}
