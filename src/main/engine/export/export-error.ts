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
  ENAMETOOLONG: 'export.unwritable',
};

/** Names a failure of the target file in the words of an export; the path is not told. */
export function toExportError(thrown: unknown): DeskError {
  if (thrown instanceof DeskError) return thrown;
  const code = codes[String((thrown as { code?: unknown } | null)?.code)];
  return code === undefined ? toDeskError(thrown) : new DeskError(code, { cause: thrown });
}
