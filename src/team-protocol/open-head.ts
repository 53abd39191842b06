import type { EntryHeader } from './entry.ts';
import { commitTo, headPart, makeSalt, saltBytes } from './seal.ts';

/** A head that is not encrypted: the salt of its commitment, then its text. */
export function writeOpenHead(text: string): { head: Buffer; commitment: string } {
  const content = { text, salt: makeSalt() };
  const head = Buffer.concat([content.salt, Buffer.from(text, 'utf8')]);
  return { head, commitment: commitTo(content, headPart) };
}

/** The JSON of such a head; undefined where it is not the one of this header, or longer than allowed. */
export function readOpenHead(
  { head: commitment }: Pick<EntryHeader, 'head'>,
  head: Uint8Array,
  maxBytes: number,
): unknown {
  if (head.length <= saltBytes || head.length > maxBytes) return undefined;
  const salt = head.subarray(0, saltBytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(head.subarray(saltBytes));
    return commitTo({ text, salt }, headPart) === commitment ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
