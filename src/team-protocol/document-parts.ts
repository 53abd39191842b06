import { makeSalt, openSealed, type SealedPosition, type SealingKey, seal } from './seal.ts';

// The bytes of a document are parts of the event that attached it, under numbers that no part of an entry has, and are sent
// after it. Its header does not commit to them: the event has the hash of the whole document.

/** The number of a document's first part. */
export const firstDocumentPart = 1_000_000;
/** How many bytes of a document a part has; the last one has the rest. */
const bytesOfPart = 1_000_000;
/** The largest number of parts: a document has at most 25 MB. */
export const maxDocumentParts = 25;

/** @example countDocumentParts(2_300_000) // 3 */
export const countDocumentParts = (bytes: number): number => Math.max(1, Math.ceil(bytes / bytesOfPart));

/** Seals a part of a document, counted from 0, as other parts of its entry. */
export function sealDocumentPart(
  document: Uint8Array,
  index: number,
  place: Omit<SealedPosition, 'part'>,
  key: SealingKey,
): Buffer {
  const bytes = document.subarray(index * bytesOfPart, (index + 1) * bytesOfPart);
  const content = { text: Buffer.from(bytes).toString('base64'), salt: makeSalt() };
  return seal(content, { ...place, part: firstDocumentPart + index }, key);
}

/** Null where the key or the position is another one. */
export function openDocumentPart(
  sealed: Uint8Array,
  index: number,
  place: Omit<SealedPosition, 'part'>,
  key: SealingKey,
): Buffer | null {
  const content = openSealed(sealed, { ...place, part: firstDocumentPart + index }, key);
  return content === null ? null : Buffer.from(content.text, 'base64');
}
