import type { ErrorCode } from '../../contract/error-codes.ts';
import type { SavePurpose } from '../../contract/save-target.ts';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import type { DeskState } from './desk-state.ts';

const codes: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'export.targetMissing',
  ENOTDIR: 'export.targetMissing',
  EISDIR: 'export.unwritable',
  EACCES: 'export.unwritable',
  EPERM: 'export.targetBusy',
  EBUSY: 'export.targetBusy',
  EROFS: 'export.unwritable',
};

/**
 * The path of a target.
 * @throws DeskError `app.forbidden` for a target that was not chosen, or was chosen for another purpose
 */
export function findSaveTarget(
  { saveTargets }: Pick<DeskState, 'saveTargets'>,
  targetId: string,
  purpose: SavePurpose,
): string {
  const target = saveTargets.get(targetId);
  if (target?.purpose !== purpose) throw new DeskError('app.forbidden');
  return target.path;
}

/**
 * Writes a small file, completely or not at all, to the place that the user chose. Only success uses up the
 * target: after a passphrase that was too short, the user need not choose the place again.
 *
 * @throws DeskError `app.forbidden` for a target that was not chosen for this purpose, `export.*`,
 *   `disk.full`, what `make` throws
 */
export async function saveToTarget(
  state: DeskState,
  targetId: string,
  file: { purpose: SavePurpose; mode: number; make: (path: string) => Promise<string> },
): Promise<{ displayPath: string }> {
  const path = findSaveTarget(state, targetId, file.purpose);
  const text = await file.make(path);
  await writeFileAtomic(path, text, { mode: file.mode }).catch((error: NodeJS.ErrnoException) => {
    const code = codes[error.code ?? ''];
    throw code === undefined ? toDeskError(error) : new DeskError(code, { cause: error });
  });
  state.saveTargets.delete(targetId);
  return { displayPath: path };
}
