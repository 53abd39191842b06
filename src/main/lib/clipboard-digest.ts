import { createHash } from 'node:crypto';

/** Tells whether the clipboard still holds what we put there. Windows gives line ends in two characters. */
export function digestForClipboard(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('base64');
}
