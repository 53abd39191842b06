import type { ErrorCode } from '../../../contract/error-codes.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'export.targetMissing',
  ENOTDIR: 'export.targetMissing',
  EBUSY: 'export.targetBusy',
  EPERM: 'export.unwritable',
  EACCES: 'export.unwritable',
  EROFS: 'export.unwritable',
  EISDIR: 'export.unwritable',
  ENAMETOOLONG: 'export.nameTooLong',
  EIO: 'export.driveFailed',
  ESTALE: 'export.driveFailed',
  ETIMEDOUT: 'export.driveFailed',
  ENOTCONN: 'export.driveFailed',
  ECONNRESET: 'export.driveFailed',
  EHOSTDOWN: 'export.driveFailed',
  EHOSTUNREACH: 'export.driveFailed',
  ENETUNREACH: 'export.driveFailed',
};

/** Windows fails with these codes if another program has the file that would be replaced open. */
const isHeldOpen = ({ code, syscall }: NodeJS.ErrnoException): boolean =>
  syscall === 'rename' && (code === 'EPERM' || code === 'EACCES');

/** The error of an export for a failure to write its target file. It does not contain the path. */
export function toExportError(thrown: unknown): DeskError {
  if (thrown instanceof DeskError) return thrown;
  const failure = (thrown ?? {}) as NodeJS.ErrnoException;
  const code = isHeldOpen(failure) ? 'export.targetBusy' : codes[String(failure.code)];
  return code === undefined ? toDeskError(thrown) : new DeskError(code, { cause: thrown });
}
