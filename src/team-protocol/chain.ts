import { hash } from 'node:crypto';
import type { Entry } from './entry.ts';

/** The hash before the first entry. */
export const firstChainHash = Buffer.alloc(32).toString('base64url');

/**
 * The hash after an entry: over the one before, the number of the entry, its header and its signature. Content is in it
 * through the commitments of the header, so the chain holds after content was removed or sealed again.
 */
export const nextChainHash = (
  before: string,
  number: number,
  { header, signature }: Pick<Entry, 'header' | 'signature'>,
): string => {
  const signed = Buffer.from(signature).toString('base64url');
  return hash('sha256', JSON.stringify([before, number, header, signed]), 'base64url');
};
