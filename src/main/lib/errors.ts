import { type ErrorCode, errorTable } from '../../contract/error-codes.ts';
import type { ErrorReport } from '../../contract/result.ts';

type Details = NonNullable<ErrorReport['details']>;

/**
 * The one error of the backend: a stable code, and what may safely be told with it. `details` and
 * `requestId` reach the window, the log and reports, so they hold no personal data and no secret.
 * `cause` stays inside the process.
 */
export class DeskError extends Error {
  readonly code: ErrorCode;
  readonly requestId: string | undefined;
  readonly details: Details | undefined;

  constructor(
    code: ErrorCode,
    options: { requestId?: string | undefined; details?: Details; cause?: unknown } = {},
  ) {
    super(errorTable[code].message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DeskError';
    this.code = code;
    this.requestId = options.requestId;
    this.details = options.details;
  }
}

/** Codes of Node's errors that mean the disk or the folder, not us. */
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

/** Turns anything thrown into a DeskError; an unknown one becomes `internal.fault` with the cause kept inside. */
export function toDeskError(thrown: unknown): DeskError {
  if (thrown instanceof DeskError) return thrown;
  const code = (thrown as { code?: unknown } | null)?.code;
  if (typeof code === 'string') {
    const known = fileSystemCodes[code] ?? fileSystemCodes[code.split('_').slice(0, 2).join('_')];
    if (known !== undefined) return new DeskError(known, { cause: thrown });
  }
  return new DeskError('internal.fault', { cause: thrown });
}

/** The form of an error that crosses a bridge or reaches a terminal. */
export function toErrorReport(thrown: unknown): ErrorReport {
  const error = toDeskError(thrown);
  const { message, nextStep } = errorTable[error.code];
  return {
    code: error.code,
    message,
    nextStep,
    ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

/** The way back: an error that came from a worker or another process as its report. */
export function fromErrorReport(report: ErrorReport): DeskError {
  return new DeskError(report.code, {
    requestId: report.requestId,
    ...(report.details === undefined ? {} : { details: report.details }),
  });
}
