import { mkdir, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { z } from 'zod';
import { writeFileAtomic } from './atomic-file.ts';
import { DeskError, toDeskError } from './errors.ts';
import { createSerialQueue } from './serial-queue.ts';

/** A small JSON file that is read each time and changed as a whole. */
export interface JsonFile<T> {
  /** @throws DeskError `profile.damaged` */
  read(): Promise<T>;
  /** Reads, applies, writes; alone in this process. @throws DeskError `profile.damaged`, `disk.full`, `profile.unwritable` */
  change<R>(apply: (current: T) => { next: T; result: R }): Promise<R>;
}

/**
 * Opens a file of the profile. No file is the same as `initial`; a file that does not fit the schema is an
 * error at reading and at changing, so that it is never overwritten before somebody has looked at it.
 */
export function openJsonFile<T>(path: string, schema: z.ZodType<T>, initial: T): JsonFile<T> {
  const enqueue = createSerialQueue();
  const read = async (): Promise<T> => {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw toDeskError(error);
    });
    if (text === null) return initial;
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      throw new DeskError('profile.damaged', { details: { file: basename(path) }, cause: error });
    }
  };
  return {
    read,
    change: (apply) =>
      enqueue(async () => {
        const current = await read();
        const { next, result } = apply(current);
        if (next === current) return result;
        try {
          await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          await writeFileAtomic(path, `${JSON.stringify(next, null, 2)}\n`);
        } catch (error) {
          throw toDeskError(error);
        }
        return result;
      }),
  };
}
