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
  /**
   * Reads the file, applies a change and writes it; one change at a time in this process.
   * @throws DeskError `profile.damaged`, `disk.full`, `profile.unwritable`
   */
  change<R>(apply: (current: T) => { next: T; result: R }): Promise<R>;
}

/**
 * Opens a file of the profile. A missing file counts as `initial`. A file that does not match the schema is an error
 * when it is read and when it is changed, so that a damaged file is never overwritten.
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
