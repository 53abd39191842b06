import { readFileSync } from 'node:fs';
import type { ProfilePaths } from '../lib/paths.ts';
import { parseSealedFile, type SealedFile } from './sealed-format.ts';

export type SealedPaths = Pick<ProfilePaths, 'secrets' | 'secretsCopy'>;

/** One of the two copies. If `file` is null, it is missing, or `error` has the reason. */
interface SealedCopy {
  readonly path: string;
  readonly text: string | null;
  readonly file: SealedFile | null;
  readonly error: unknown;
}

/**
 * The two copies of the sealed file. `first` is used while it is intact, because it is written last: a process killed
 * in between leaves an unreported change in `second`.
 */
interface SealedCopies {
  readonly first: SealedCopy;
  readonly second: SealedCopy;
  /** The first intact one; null where there is none. */
  readonly file: SealedFile | null;
  /** Why `file` is null although there is a copy. */
  readonly error: unknown;
}

export function readSealedCopies({ secrets, secretsCopy }: SealedPaths): SealedCopies {
  const first = readCopy(secrets);
  const second = readCopy(secretsCopy);
  return { first, second, file: first.file ?? second.file, error: first.error ?? second.error };
}

function readCopy(path: string): SealedCopy {
  let text: string | null = null;
  try {
    text = readFileSync(path, 'utf8');
    return { path, text, file: parseSealedFile(text), error: null };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { path, text, file: null, error: isMissing ? null : error };
  }
}
