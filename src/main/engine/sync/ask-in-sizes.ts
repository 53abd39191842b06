import type { PageReply } from '../service/data-api.ts';
import type { PageSizes } from '../service/page-sizes.ts';

/** A page by its number, from 1, among pages of this many records. */
export interface PagePosition {
  readonly page: number;
  readonly perPage: number;
}

/** The position at which smaller pages continue after `page - 1` larger ones; some records may be received twice. */
export const positionInSmaller = ({ page, perPage }: PagePosition, smaller: number): PagePosition => ({
  page: Math.floor(((page - 1) * perPage) / smaller) + 1,
  perPage: smaller,
});

/**
 * Requests a page of a short list. Where the service refuses it because of its size, requests a smaller page that
 * begins with or before the same first record. Returns which page was received.
 *
 * @throws DeskError `service.*`, `sync.canceled`
 */
export async function askInSizes(
  start: PagePosition,
  { pageSizes }: { readonly pageSizes: PageSizes },
  ask: (position: PagePosition) => Promise<PageReply>,
): Promise<PagePosition & { readonly reply: PageReply }> {
  for (let position = start; ; ) {
    try {
      const reply = await ask(position);
      await pageSizes.keepServed(position.perPage);
      return { ...position, reply };
    } catch (thrown) {
      const smaller = pageSizes.stepDown(position.perPage, thrown);
      if (smaller === null) throw thrown;
      position = positionInSmaller(position, smaller);
    }
  }
}
