import type { PageReply } from '../service/data-api.ts';
import type { PageSizes } from '../service/page-sizes.ts';

/** A page by its number, from 1, among pages of this many records. */
export interface PagePosition {
  readonly page: number;
  readonly perPage: number;
}

/** The position from which smaller pages go on after `page - 1` larger ones: some records may come twice. */
export const positionInSmaller = ({ page, perPage }: PagePosition, smaller: number): PagePosition => ({
  page: Math.floor(((page - 1) * perPage) / smaller) + 1,
  perPage: smaller,
});

/**
 * Asks for a page of a short list, and where the service refuses it for its size, for a smaller one that begins with or
 * before its first record. Says which page came.
 *
 * @throws DeskError `service.*`, `sync.canceled`
 */
export async function askInSizes(
  wanted: PagePosition,
  { pageSizes }: { readonly pageSizes: PageSizes },
  ask: (position: PagePosition) => Promise<PageReply>,
): Promise<PagePosition & { readonly reply: PageReply }> {
  for (let position = wanted; ; ) {
    try {
      const reply = await ask(position);
      await pageSizes.noteServed(position.perPage);
      return { ...position, reply };
    } catch (thrown) {
      const smaller = pageSizes.stepDown(position.perPage, thrown);
      if (smaller === null) throw thrown;
      position = positionInSmaller(position, smaller);
    }
  }
}
