import type { DocumentType } from '../../../rules/document-kinds.ts';
import type { ReviewDocument } from '../../../rules/review/review-parts.ts';

export interface OfDocument {
  readonly claimId: number;
  readonly document: ReviewDocument;
  /** A colleague attached it, so that it may have to be fetched first. */
  readonly isOfTeam: boolean;
}

/** The bytes of a document, in memory only while it is shown. */
export interface OpenedDocument {
  readonly type: DocumentType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const notShown = 'This file is damaged or too large to be shown. You can save a copy.';

/** How wide a page is drawn, in pixels: sharp at twice its size on the screen. */
export const pageWidth = 1_400;

/** How much of a text is shown and printed: more takes a window seconds to lay out. */
export const shownTextBytes = 1_000_000;

/** The most pixels of an image: decoded, a pixel takes four bytes. */
const maxPixels = 40_000_000;

/** The width and height that a PNG or JPEG file declares, read before it is decoded; null where it declares none. */
function readImageSize(bytes: Uint8Array): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[0] === 0x89)
    return bytes.length < 24 ? null : { width: view.getUint32(16), height: view.getUint32(20) };
  // Segments of a JPEG file until the one that begins a frame.
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = bytes[at + 1] as number;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return null;
}

/** Decodes an image onto a canvas. Null where it has too many pixels, or can't be read. */
export async function drawImage(
  bytes: Uint8Array<ArrayBuffer>,
  type: DocumentType,
): Promise<HTMLCanvasElement | null> {
  const size = readImageSize(bytes);
  if (size === null || size.width * size.height > maxPixels) return null;
  const bitmap = await createImageBitmap(new Blob([bytes], { type: `image/${type}` })).catch(() => null);
  if (bitmap === null) return null;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas;
}

/** The line below a page on which something may be missing. */
export function noteMissing(number: number, missing: string): HTMLElement {
  const note = Object.assign(document.createElement('p'), { textContent: `Page ${number}: ${missing}` });
  note.setAttribute('role', 'note');
  return note;
}
