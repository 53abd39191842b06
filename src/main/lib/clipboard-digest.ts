import { createHash } from 'node:crypto';

/** A digest to check whether the clipboard still holds a text. Windows' two-character line ends count as one. */
export const digestForClipboard = (text: string): string =>
  createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('base64');
