import { type ErrorCode, errorTable } from '../../contract/error-codes.ts';
import type { ErrorReport } from '../../contract/result.ts';
import { describeFault, type Fault } from './fault.ts';

type Details = NonNullable<ErrorReport['details']>;

/** A message with its details in the places of their names, such as `{columns}`. */
const fillIn = (message: string, details: Details = {}): string =>
  message.replace(/\{(\w+)\}/g, (_braces, name: string) => String(details[name] ?? ''));

/**
 * The error class of the backend: a stable code, and details that are safe to show. `details` and `requestId` reach
 * the window, the log and reports, so they hold no personal data and no secret. `cause` stays inside the process.
 */
export class DeskError extends Error {
  readonly code: ErrorCode;
  readonly requestId: string | undefined;
  readonly details: Details | undefined;
  /** For `internal.fault`: where the error was thrown, also in a thread or another process. */
  readonly fault: Fault | undefined;

  constructor(
    code: ErrorCode,
    options: { requestId?: string | undefined; details?: Details; cause?: unknown; fault?: Fault } = {},
  ) {
    super(
      fillIn(errorTable[code].message, options.details),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'DeskError';
    this.code = code;
    this.requestId = options.requestId;
    this.details = options.details;
    this.fault =
      options.fault ?? (code === 'internal.fault' ? describeFault(options.cause ?? this) : undefined);
  }
}

/** Codes of Node's errors that point to the disk or the folder and not to a fault of Claimdesk. */
const fileSystemCodes: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'disk.full',
  EDQUOT: 'disk.full',
  EROFS: 'disk.readOnly',
  EIO: 'disk.fault',
  EACCES: 'profile.unwritable',
  EPERM: 'profile.unwritable',
  SQLITE_FULL: 'disk.full',
  SQLITE_READONLY: 'profile.unwritable',
  // The index of the log could not grow.
  SQLITE_IOERR_SHMSIZE: 'disk.full',
  SQLITE_IOERR: 'disk.fault',
  SQLITE_CANTOPEN: 'store.unreadable',
  SQLITE_NOTADB: 'store.damaged',
  SQLITE_CORRUPT: 'store.damaged',
};

/** Converts any thrown value to a DeskError; an unknown error becomes `internal.fault` with that error as its cause. */
export function toDeskError(thrown: unknown): DeskError {
  if (thrown instanceof DeskError) return thrown;
  const code = (thrown as { code?: unknown } | null)?.code;
  if (typeof code === 'string') {
    const known = fileSystemCodes[code] ?? fileSystemCodes[code.split('_').slice(0, 2).join('_')];
    if (known !== undefined) return new DeskError(known, { cause: thrown });
  }
  return new DeskError('internal.fault', { cause: thrown });
}

/** The form of an error that is sent to a window or printed on a terminal. */
export function toErrorReport(thrown: unknown): ErrorReport {
  const error = toDeskError(thrown);
  return {
    code: error.code,
    message: error.message,
    nextStep: errorTable[error.code].nextStep,
    ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

/** An error as it is sent between Claimdesk's processes and threads: its report, and where a fault was thrown. */
export interface WireError {
  readonly report: ErrorReport;
  readonly fault?: Fault;
}

export function toWireError(thrown: unknown): WireError {
  const error = toDeskError(thrown);
  return { report: toErrorReport(error), ...(error.fault === undefined ? {} : { fault: error.fault }) };
}

/** Restores the error that another process or thread threw. */
export function fromWireError({ report, fault }: WireError): DeskError {
  return new DeskError(report.code, {
    requestId: report.requestId,
    ...(report.details === undefined ? {} : { details: report.details }),
    ...(fault === undefined ? {} : { fault }),
  });
}

/** Restores an error from a report that was sent to a window or a terminal. */
export const fromErrorReport = (report: ErrorReport): DeskError => fromWireError({ report });
