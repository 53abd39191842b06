import { createHash } from 'node:crypto';
import { write as writeDescriptor } from 'node:fs';
import { lstat, readdir, realpath, stat, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { exportFormats, purposeOf } from '../../../contract/export.ts';
import { saveExtensions, standardOutput } from '../../../contract/save-target.ts';
import { openAtomicFile } from '../../lib/atomic-file.ts';
import { DeskError } from '../../lib/errors.ts';
import { toExportError } from './export-error.ts';

/** One file of an export. Only the complete file appears at its path. */
export interface OutputFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Flushes the file to the disk and renames it to its target path. */
  commit(): Promise<void>;
  /** Removes the temporary file. */
  abort(): Promise<void>;
  /**
   * Returns the size of all written bytes and their digests, in hexadecimal. Called once, after the last
   * write. `sha512` is null unless the file is signed.
   */
  readDigest(): { bytes: number; sha256: string; sha512: string | null };
}

/**
 * Opens a temporary file in the folder of the target, readable by this account alone. A target that is a pipe or a
 * device is refused: the file replaces its target, so the pipe would be removed.
 * @throws DeskError `export.unwritable`; and errors of the file system
 */
export async function openOutputFile(path: string, isSigned = false): Promise<OutputFile> {
  const sha256 = createHash('sha256');
  const sha512 = isSigned ? createHash('sha512') : null;
  let bytes = 0;
  const target = path === standardOutput ? openStandardOutput() : await openTarget(path);
  return {
    async write(chunk) {
      sha256.update(chunk);
      sha512?.update(chunk);
      bytes += chunk.length;
      await target.write(chunk);
    },
    commit: () => target.commit(),
    abort: () => target.abort(),
    readDigest: () => ({ bytes, sha256: sha256.digest('hex'), sha512: sha512?.digest('hex') ?? null }),
  };
}

/**
 * Writes one file. It appears at its path once `write` is done, which ends with the entry of the audit log: without the
 * entry there is no file.
 * @throws DeskError `export.*`; and what `write` throws
 */
export async function writeOutput<T>(
  path: string,
  write: (file: Pick<OutputFile, 'write' | 'readDigest'>) => Promise<T>,
): Promise<T> {
  const toExport = (thrown: unknown): never => {
    throw toExportError(thrown);
  };
  const file = await openOutputFile(path).catch(toExport);
  try {
    const done = await write({ ...file, write: (bytes) => file.write(bytes).catch(toExport) });
    await file.commit().catch(toExport);
    return done;
  } catch (thrown) {
    await file.abort();
    throw thrown;
  }
}

const nothing = async (): Promise<void> => undefined;

async function openTarget(path: string) {
  const facts = await stat(path).catch(() => null);
  if (facts !== null && !facts.isFile()) throw new DeskError('export.unwritable');
  // The file is created with these permissions; setting them again fails on drives that store none.
  return openAtomicFile(path);
}

/** Writes to the standard output. A write to a full pipe is tried again. */
function openStandardOutput() {
  const put = (chunk: Uint8Array): Promise<number> =>
    new Promise((fulfil, reject) =>
      writeDescriptor(1, chunk, (error, count) => (error === null ? fulfil(count) : reject(error))),
    );
  return {
    async write(chunk: Uint8Array) {
      for (let rest = chunk; rest.length > 0; ) {
        const count = await put(rest).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EAGAIN') throw error;
          await wait(5);
          return 0;
        });
        rest = rest.subarray(count);
      }
    },
    commit: nothing,
    abort: nothing,
  };
}

/** The paths of an export's files: `path`, or numbered ones (`claims-1.csv`, `claims-2.csv`) for several parts. */
export function partPaths(path: string, parts: number): string[] {
  if (parts <= 1) return [path];
  const extension = extname(path);
  const name = basename(path, extension);
  const width = String(parts).length;
  return Array.from({ length: parts }, (_none, index) =>
    join(dirname(path), `${name}-${String(index + 1).padStart(width, '0')}${extension}`),
  );
}

const plainPurposes = [...exportFormats.map((format) => purposeOf[format]), 'teamLog' as const];
/** Names of the temporary files of exports. */
const leftover = new RegExp(
  `^\\..+(${plainPurposes.map((purpose) => `\\${saveExtensions[purpose]}`).join('|')})(\\.sig)?\\.[0-9a-f]{16}\\.tmp$`,
);
/** A running export, in this process or another one, writes to its file more often than this. */
const abandonedAfterMs = 3_600_000;

/**
 * Removes from the folder of `path` the temporary files of exports whose process was killed, because they contain
 * records that are not encrypted. Removes only files of this account that were not written to for an hour. Never
 * throws, so that it cannot keep an export from being written.
 */
export async function removeLeftovers(path: string, nowMs: number): Promise<void> {
  const folder = dirname(await realpath(path).catch(() => path));
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((candidate) => leftover.test(candidate))) {
    const file = join(folder, name);
    const facts = await lstat(file).catch(() => null);
    if (facts === null || !facts.isFile() || nowMs - facts.mtimeMs < abandonedAfterMs) continue;
    const isOwn = process.getuid === undefined || facts.uid === process.getuid();
    if (isOwn) await unlink(file).catch(() => undefined);
  }
}
