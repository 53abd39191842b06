import { type ErrorCode, errorTable } from '../../contract/error-codes.ts';
import type { ErrorReport } from '../../contract/result.ts';

/**
 * What may be shown of an internal fault so that it can be found: the class and code of the error, and its place in
 * Claimdesk's code. Never a message or a value: both can hold a record.
 */
interface Fault {
  readonly errorClass: string;
  readonly errorCode?: string;
  /** `src/main/engine/engine.ts:97`, innermost first; frames of Node and of packages are left out. */
  readonly frames: readonly string[];
}

const maxFrames = 8;
/** Lines longer than this are skipped: they are no frame of Claimdesk's code, and the pattern is slow on them. */
const maxFrameLength = 1_000;
/** A stack frame in Claimdesk's code: the sources, or a built file. */
const framePattern =
  /[/\\]((?:src[/\\](?:main|contract|rules|carrier-form|team-protocol|sandbox)|out[/\\]main)[/\\][\w./\\-]+):(\d+):\d+\)?$/;

/** Describes the error at the start of the chain of causes. */
export function describeFault(thrown: unknown): Fault {
  const error = innermost(thrown);
  if (!(error instanceof Error)) return { errorClass: 'NotAnError', frames: [] };
  const { code } = error as { code?: unknown };
  return {
    errorClass: error.constructor.name,
    ...(typeof code === 'string' ? { errorCode: code } : {}),
    frames: framesOf(error.stack ?? ''),
  };
}

function innermost(thrown: unknown): unknown {
  let cause = thrown;
  // An error can be its own cause; Claimdesk never nests more than five.
  for (let depth = 0; depth < 5 && cause instanceof Error && cause.cause instanceof Error; depth += 1)
    cause = cause.cause;
  return cause;
}

function framesOf(stack: string): string[] {
  const frames: string[] = [];
  for (const line of stack.split('\n')) {
    const match = line.length <= maxFrameLength && /^\s*at /.test(line) ? framePattern.exec(line) : null;
    if (match !== null && frames.length < maxFrames)
      frames.push(`${match[1]?.replaceAll('\\', '/')}:${match[2]}`);
  }
  return frames;
}

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
  /** The place where an `internal.fault` was thrown, also in a thread or another process. */
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
    const knownCode = fileSystemCodes[code] ?? fileSystemCodes[code.split('_').slice(0, 2).join('_')];
    if (knownCode !== undefined) return new DeskError(knownCode, { cause: thrown });
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

/** An error sent between Claimdesk's processes and threads: its report, and where a fault was thrown. */
export interface WireError {
  readonly report: ErrorReport;
  readonly fault?: Fault;
}

export function toWireError(thrown: unknown): WireError {
  const error = toDeskError(thrown);
  return { report: toErrorReport(error), ...(error.fault === undefined ? {} : { fault: error.fault }) };
}

/** Restores the error that another process or thread threw. */
export const fromWireError = ({ report, fault }: WireError): DeskError =>
  new DeskError(report.code, {
    requestId: report.requestId,
    ...(report.details === undefined ? {} : { details: report.details }),
    ...(fault === undefined ? {} : { fault }),
  });

/** Restores an error from a report that was sent to a window or a terminal. */
export const fromErrorReport = (report: ErrorReport): DeskError => fromWireError({ report });
