import { hash } from 'node:crypto';
import type { Entry } from './entry.ts';

/** The hash before the first entry. */
export const firstChainHash = Buffer.alloc(32).toString('base64url');

/**
 * The hash after an entry: over the previous hash, the number of the entry, its header and its signature. It covers the
 * content through the commitments in the header, so it stays valid when content is removed or sealed again.
 */
export const nextChainHash = (
  before: string,
  number: number,
  { header, signature }: Pick<Entry, 'header' | 'signature'>,
): string => {
  const signed = Buffer.from(signature).toString('base64url');
  return hash('sha256', JSON.stringify([before, number, header, signed]), 'base64url');
};
