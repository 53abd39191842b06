import { z } from 'zod';

/** The kinds of documents, chosen by the user who attaches one. */
export const documentKinds = ['eob', 'receipt', 'necessity', 'appeal', 'other'] as const;
export type DocumentKind = (typeof documentKinds)[number];

export const documentLabels: Readonly<Record<DocumentKind, string>> = {
  eob: 'EOB',
  receipt: 'Itemized receipt',
  necessity: 'Letter of medical necessity',
  appeal: 'Appeal',
  other: 'Other document',
};

/** The types of documents by their bytes; `other` is kept and saved, but not shown. */
export const documentTypes = ['pdf', 'png', 'jpeg', 'text', 'other'] as const;
export type DocumentType = (typeof documentTypes)[number];

/** The hash of a document, which identifies it. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The largest document, in bytes. */
export const maxDocumentBytes = 25_000_000;

const maxNameLength = 120;
/** Control characters, direction marks, and characters that separate the parts of a path. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu;

/**
 * The name of a file as it is shown: on one line, without a path, at most 120 characters with its extension. It is
 * never part of a path.
 */
export function cleanDocumentName(name: string): string {
  const letters = [
    ...name
      .normalize('NFC')
      .replace(unsafe, ' ')
      .replace(/\s+/g, ' ')
      .replace(/^[. ]+|[. ]+$/g, ''),
  ];
  if (letters.length === 0) return 'Document';
  if (letters.length <= maxNameLength) return letters.join('');
  const end = /\.[A-Za-z0-9]{1,8}$/.exec(letters.join(''))?.[0] ?? '';
  return `${letters.slice(0, maxNameLength - end.length - 1).join('')}…${end}`;
}
