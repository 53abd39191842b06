import { inspect } from 'node:util';
import { toDeskError } from './errors.ts';
import type { Log } from './log.ts';
import type { LogEvent, LogFields } from './log-fields.ts';

/**
 * Writes a failed call to the log: its code and request ID, and for an internal fault where it was thrown. With
 * `CLAIMDESK_DEBUG` set, causes are printed as well, to stderr only: they can hold a record.
 */
export function logFailure(
  log: Pick<Log, 'write'>,
  event: LogEvent,
  thrown: unknown,
  fields: Pick<LogFields, 'procedure'> = {},
): void {
  const error = toDeskError(thrown);
  log.write(event, {
    ...fields,
    code: error.code,
    ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
    ...error.fault,
  });
  printForDebugging(thrown);
}

/** Prints an error to stderr if `CLAIMDESK_DEBUG` is set. */
function printForDebugging(thrown: unknown): void {
  if ((process.env.CLAIMDESK_DEBUG ?? '') !== '') process.stderr.write(`${inspect(thrown)}\n`);
}
