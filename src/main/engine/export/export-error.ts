import type { ErrorCode } from '../../../contract/error-codes.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'export.targetMissing',
  ENOTDIR: 'export.targetMissing',
  EBUSY: 'export.targetBusy',
  EPERM: 'export.targetBusy',
  EACCES: 'export.unwritable',
  EROFS: 'export.unwritable',
  EISDIR: 'export.unwritable',
  ENAMETOOLONG: 'export.nameTooLong',
};

/** The error of an export for a failure of its target file; the path is not in it. */
export function toExportError(thrown: unknown): DeskError {
  if (thrown instanceof DeskError) return thrown;
  const code = codes[String((thrown as { code?: unknown } | null)?.code)];
  return code === undefined ? toDeskError(thrown) : new DeskError(code, { cause: thrown });
}
