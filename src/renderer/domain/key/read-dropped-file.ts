import { errorTable } from '../../../contract/error-codes.ts';
import type { KeySource } from '../../../contract/ssh-keys.ts';
import { DeskError } from '../../lib/desk-error.ts';

/** Larger than any key file; larger files are not sent over the bridge. */
const maxBytes = 256 * 1024;

/**
 * Reads a file that was dropped or chosen in the page as bytes: an old PuTTY file is not UTF-8.
 * @throws DeskError `key.notAKey` where it is too large, `key.fileUnreadable` (for example a folder)
 */
export async function readDroppedFile(file: File): Promise<KeySource> {
  if (file.size > maxBytes) throw new DeskError({ code: 'key.notAKey', ...errorTable['key.notAKey'] });
  const bytes = await file.arrayBuffer().catch(() => {
    throw new DeskError({ code: 'key.fileUnreadable', ...errorTable['key.fileUnreadable'] });
  });
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return { kind: 'bytes', base64: btoa(text) };
}
