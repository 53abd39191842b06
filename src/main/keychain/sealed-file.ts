import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { acquireWriteLockWithin } from '../lib/write-lock.ts';
import { readSealedCopies, type SealedPaths } from './sealed-copies.ts';
import {
  openContent,
  parseSealedFile,
  type SealedContent,
  type SealedFile,
  type SealedHead,
  sealContent,
} from './sealed-format.ts';

/** The content of the sealed file: how its key is obtained (the head), and the secrets it protects. */
export interface SealedState {
  readonly head: SealedHead;
  readonly content: SealedContent;
}

export interface SealedSecrets {
  /** The intact copy; null where there is none. @throws DeskError `vault.damaged`, `profile.unwritable`, `disk.fault` */
  read(): SealedFile | null;
  /** Replaces a copy that is damaged, missing or older by the other one. @throws DeskError `profile.*`, `disk.*` */
  mend(): Promise<void>;
  /**
   * Creates the file and resolves to its key; null, without calling `build`, where the file exists by then.
   *
   * @throws
   * DeskError `profile.unwritable`, `disk.*`, and what `build` throws
   */
  make(build: () => Promise<SealedState & { profileKey: Buffer }>): Promise<Buffer | null>;
  /**
   * Reads the file, applies a change and writes it; null from `apply` leaves it unchanged. No other process writes at
   * the same time, so entries of the keychain are made and deleted only in `apply`.
   * @throws DeskError `keychain.entryMissing` where there is no file, `vault.damaged`, `profile.*`, `disk.*`
   */
  change(
    profileKey: Buffer,
    apply: (state: SealedState) => SealedState | null | Promise<SealedState | null>,
  ): Promise<void>;
}

/** How long a process waits while another one writes the same file. */
const writeWaitMs = 10_000;

/**
 * The file with a profile's secrets, in two copies, so that damage of one loses nothing. Main, the engine and commands
 * write it, so every change is made under a write lock. `onMended` is called after a damaged or deleted copy was replaced.
 */
export function openSealedFile(paths: SealedPaths, onMended: () => void = () => undefined): SealedSecrets {
  const read = (): SealedFile | null => {
    const { file, error } = readSealedCopies(paths);
    if (file === null && error !== null) throw toDeskError(error);
    return file;
  };

  /** Writes a copy and reads it back before resolving, because old copies are deleted after that. */
  const writeCopy = async (path: string, text: string): Promise<void> => {
    await writeFileAtomic(path, text);
    if ((await readFile(path, 'utf8')) !== text) throw new DeskError('disk.fault');
  };
  const write = async ({ head, content }: SealedState, profileKey: Buffer): Promise<void> => {
    const text = sealContent(head, content, profileKey);
    if (!isDeepStrictEqual(openContent(parseSealedFile(text), profileKey), content))
      throw new DeskError('disk.fault');
    for (const path of [paths.secretsCopy, paths.secrets]) await writeCopy(path, text);
  };

  /** Makes both copies equal to the first intact one. */
  const mend = async (): Promise<void> => {
    const { first, second } = readSealedCopies(paths);
    if (first.text === second.text) return;
    const [intact, other] = first.file !== null ? [first, second] : [second, first];
    if (intact.file === null || intact.text === null) return;
    await writeCopy(other.path, intact.text);
    // A profile of version 0.2 has only one copy, so a missing second one is no damage.
    if (other.error !== null || other === first) onMended();
  };

  const underLease = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      await mkdir(dirname(paths.secrets), { recursive: true, mode: 0o700 });
      const writeLock = await acquireWriteLockWithin(`${paths.secrets}.lease`, writeWaitMs);
      return await act().finally(() => writeLock.release());
    } catch (error) {
      throw toDeskError(error);
    }
  };

  return {
    read,
    async mend() {
      const { first, second } = readSealedCopies(paths);
      if (first.text !== second.text) await underLease(mend);
    },
    make: (build) =>
      underLease(async () => {
        if (read() !== null) return null;
        const { profileKey, ...state } = await build();
        await write(state, profileKey);
        return profileKey;
      }),
    change: (givenKey, apply) => {
      // A copy, because a lock overwrites the caller's bytes, and nothing may be encrypted with zeros.
      const profileKey = Buffer.from(givenKey);
      return underLease(async () => {
        const file = read();
        if (file === null) throw new DeskError('keychain.entryMissing');
        await mend();
        const { id, version, inKeychain, passphrase, recovery } = file;
        const head = { version, id, inKeychain, passphrase, recovery };
        const changed = await apply({ head, content: openContent(file, profileKey) });
        if (changed !== null) await write(changed, profileKey);
      });
    },
  };
}
