import { errorTable } from '../../../contract/error-codes.ts';
import type { KeySource } from '../../../contract/workspace.ts';
import { DeskError } from '../../lib/desk-error.ts';

/** No key file is near this; what is larger does not go over the bridge. */
const maxBytes = 256 * 1024;

/**
 * A file that was dropped or chosen in the page, as it is: an old PuTTY file is no UTF-8.
 * @throws DeskError `key.notAKey` where it is too large to be one, `key.fileUnreadable` (a folder, say)
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
