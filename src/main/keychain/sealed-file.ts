import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { acquireLeaseWithin } from '../lib/lease.ts';
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
  /** null where there is none. @throws DeskError `vault.damaged`, `profile.unwritable` */
  read(): Promise<SealedFile | null>;
  /**
   * Creates the file and resolves to its key; null, without calling `build`, where the file exists by then.\n@throws
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

/** How long one process waits while another writes the same file. */
const writeWaitMs = 10_000;

/** The file with a profile's secrets. Main, the engine and commands write it, so every change is made under a lease. */
export function openSealedFile(filePath: string): SealedSecrets {
  const read = async (): Promise<SealedFile | null> => {
    const text = await readFile(filePath, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw toDeskError(error);
    });
    return text === null ? null : parseSealedFile(text);
  };

  /** Writes the file and reads it back before resolving, because old copies are deleted after that. */
  const write = async ({ head, content }: SealedState, profileKey: Buffer): Promise<void> => {
    await writeFileAtomic(filePath, sealContent(head, content, profileKey));
    const written = await read();
    if (written === null || !isDeepStrictEqual(openContent(written, profileKey), content)) {
      throw new DeskError('disk.fault');
    }
  };

  const underLease = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      await mkdir(dirname(filePath), { recursive: true, mode: 0o700 });
      const lease = await acquireLeaseWithin(`${filePath}.lease`, writeWaitMs);
      return await act().finally(() => lease.release());
    } catch (error) {
      throw toDeskError(error);
    }
  };

  return {
    read,
    make: (build) =>
      underLease(async () => {
        if ((await read()) !== null) return null;
        const { profileKey, ...state } = await build();
        await write(state, profileKey);
        return profileKey;
      }),
    change: (givenKey, apply) => {
      // Copied first: a lock overwrites the caller's bytes, and nothing may be encrypted with zeros.
      const profileKey = Buffer.from(givenKey);
      return underLease(async () => {
        const file = await read();
        if (file === null) throw new DeskError('keychain.entryMissing');
        const { id, version, inKeychain, passphrase, recovery } = file;
        const head = { version, id, inKeychain, passphrase, recovery };
        const changed = await apply({ head, content: openContent(file, profileKey) });
        if (changed !== null) await write(changed, profileKey);
      });
    },
  };
}
