import { idsAtOnce } from '../review/read-claims.ts';
import { createRemovedFilter } from '../review/removed-reviews.ts';
import { readHead, readPart } from '../review/signed-entry.ts';
import type { Store } from '../store/threads/store.ts';
import type { ReviewClaimRow } from '../store/user-data/write-event.ts';
import type { LeftOutCause } from './log-lines.ts';
import type { FindLeftOut, OpenedEvent } from './read-log.ts';

/**
 * Leaves out of an exported log what is about claims that were removed from this computer, as in a file of reviews, and
 * content with an SSN. An event is left out with all of its content, because its salt would allow testing guesses of
 * the missing part.
 */
export function createLeftOutFilter(
  store: Pick<Store, 'read'>,
  maskSsns: <T>(value: T) => Promise<T>,
): FindLeftOut {
  const readClaims = async function* ({ readParts }: OpenedEvent): AsyncGenerator<ReviewClaimRow[]> {
    for await (const part of readParts()) if ('text' in part) yield readPart(part.text);
  };
  return async (page) => {
    const removed = createRemovedFilter(await store.read('readRetention', null));
    const reasons = new Map<number, LeftOutCause>();
    const claimsOf = new Map<number, number[]>();
    for (const event of page) {
      const ids: number[] = [];
      try {
        const fields: unknown = readHead(event.head.text);
        let hasSsn = (await maskSsns(fields)) !== fields;
        for await (const claims of readClaims(event)) {
          removed.look({ claims });
          for (const [claimId] of claims) ids.push(claimId);
          hasSsn ||= (await maskSsns(claims)) !== claims;
        }
        if (hasSsn) reasons.set(event.number, 'hasSsn');
        claimsOf.set(event.number, ids);
      } catch (thrown) {
        // A member's computer does not write such a text.
        if (!(thrown instanceof SyntaxError || thrown instanceof TypeError)) throw thrown;
        reasons.set(event.number, 'unreadable');
      }
    }
    const looked = Float64Array.from(removed.claimIds());
    for (let at = 0; at < looked.length; at += idsAtOnce) {
      const { claimIds } = await store.read('freezeClaims', { claimIds: looked.slice(at, at + idsAtOnce) });
      removed.keep(claimIds);
    }
    for (const [number, ids] of claimsOf) if (!ids.every(removed.isKept)) reasons.set(number, 'removed');
    return reasons;
  };
}
