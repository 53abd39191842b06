import { createHash } from 'node:crypto';
import { write as writeDescriptor } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { openAtomicFile } from '../../lib/atomic-file.ts';
import { DeskError } from '../../lib/errors.ts';

/** One file of an export, there whole or not at all. */
export interface OutputFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Makes it durable and puts it in its place. */
  commit(): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
  /** Of all that was written; nothing is written after it. */
  readDigest(): { bytes: number; sha256: string };
}

/** The path that stands for the standard output. */
export const standardOutput = '-';

/**
 * Opens a file of an export beside its target, readable by this account alone. A target that is a pipe or a device is
 * refused: a file is replaced, so it would be removed.
 * @throws DeskError `export.unwritable`; and what the system says
 */
export async function openOutputFile(path: string | null): Promise<OutputFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  let digest: { bytes: number; sha256: string } | null = null;
  const target = await openTargetOf(path);
  return {
    async write(chunk) {
      hash.update(chunk);
      bytes += chunk.length;
      await target.write(chunk);
    },
    commit: () => target.commit(),
    abort: () => target.abort(),
    readDigest: () => (digest ??= { bytes, sha256: hash.digest('hex') }),
  };
}

/** Null: nothing is written, the digest alone is wanted. */
async function openTargetOf(path: string | null) {
  if (path === null) return { write: nothing, commit: nothing, abort: nothing };
  return path === standardOutput ? openStandardOutput() : openTarget(path);
}

const nothing = async (): Promise<void> => undefined;

async function openTarget(path: string) {
  const facts = await stat(path).catch(() => null);
  if (facts !== null && !facts.isFile()) throw new DeskError('export.unwritable');
  // It is made readable by this account alone; a drive that keeps no permissions would refuse to be told again.
  return openAtomicFile(path);
}

/** A pipe that is full for now is tried again. */
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
