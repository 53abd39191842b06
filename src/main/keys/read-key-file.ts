import { open } from 'node:fs/promises';
import { DeskError } from '../lib/errors.ts';

/** The size limit of key files (`import-armor.ts`); the user may choose a video by mistake. */
const maxKeyFileBytes = 256 * 1024;

/**
 * Reads a file to be imported as bytes; it may be a pipe.
 * @throws DeskError `key.fileUnreadable`, `key.notAKey` if it is too large for any key
 */
export async function readKeyFile(path: string): Promise<Buffer> {
  const handle = await open(path, 'r').catch(rejectAsUnreadable);
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for (;;) {
      const { bytesRead, buffer } = await handle
        .read(Buffer.alloc(64 * 1024), 0, 64 * 1024, null)
        .catch(rejectAsUnreadable);
      if (bytesRead === 0) return Buffer.concat(chunks, length);
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
      if (length > maxKeyFileBytes) throw new DeskError('key.notAKey');
    }
  } finally {
    await handle.close();
  }
}

function rejectAsUnreadable(error: NodeJS.ErrnoException): never {
  const reason = /^E[A-Z]{2,15}$/.test(error.code ?? '') ? (error.code as string) : 'unknown';
  throw new DeskError('key.fileUnreadable', { details: { reason }, cause: error });
}
