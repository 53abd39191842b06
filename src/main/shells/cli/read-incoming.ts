import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { toDeskError } from '../../lib/errors.ts';

/** @throws DeskError of the disk */
export const readBytes = (path: string): Promise<Buffer> =>
  readFile(resolve(path)).catch((thrown) => {
    throw toDeskError(thrown);
  });

/** Reads a file of payments or results to send it to the engine. @throws DeskError of the disk */
export const readIncoming = async (path: string): Promise<string> =>
  (await readBytes(path)).toString('base64');
