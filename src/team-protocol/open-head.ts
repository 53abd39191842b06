import { commitTo, headPart, saltBytes } from './commitment.ts';
import type { EntryHeader } from './entry.ts';
import { makeSalt } from './seal.ts';

/** A head that is not encrypted: the salt of its commitment, then its text. */
export function writeOpenHead(text: string): { head: Buffer; commitment: string } {
  const content = { text, salt: makeSalt() };
  const head = Buffer.concat([content.salt, Buffer.from(text, 'utf8')]);
  return { head, commitment: commitTo(content, headPart) };
}

/**
 * The value of a JSON text; undefined where `JSON.stringify` would write it differently: with a key twice, readers
 * could read different content.
 * @example readOneForm('{"a":1,"a":2}') // undefined
 */
export function readOneForm(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The JSON of such a head; undefined where it is not the one of this header, longer than allowed,
 * or in another form (`readOneForm`).
 */
export function readOpenHead(
  { head: commitment }: Pick<EntryHeader, 'head'>,
  head: Uint8Array,
  maxBytes: number,
): unknown {
  if (head.length <= saltBytes || head.length > maxBytes) return undefined;
  const salt = head.subarray(0, saltBytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(head.subarray(saltBytes));
    if (commitTo({ text, salt }, headPart) !== commitment) return undefined;
    return readOneForm(text);
  } catch {
    return undefined;
  }
}
