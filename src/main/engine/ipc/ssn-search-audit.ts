import { createHmac, randomBytes } from 'node:crypto';
import type { ListQuery } from '../../../contract/query.ts';
import { asksForSsn } from '../store/query/build-query.ts';
import type { EngineState } from './engine-state.ts';

/** The same search opened again within this time (new data, another sort) is one search. */
const oneSearchMs = 60_000;

/**
 * Writes down that a person was looked for by their SSN, before anything is found: in which list, never which
 * number. What was noted lately is remembered as a keyed hash that ends with the process.
 */
export function createSsnSearchNotes(state: Pick<EngineState, 'clock' | 'noteDone'>) {
  const key = randomBytes(32);
  const noted = new Map<string, number>();

  return {
    /** @throws DeskError `store.*`, `disk.full`, `keychain.*`: what cannot be written down is not done */
    async note(workspaceId: string, query: ListQuery): Promise<void> {
      if (!asksForSsn(query)) return;
      const asked = JSON.stringify([workspaceId, query.entity, query.search, query.conditions]);
      const mark = createHmac('sha256', key).update(asked).digest('hex');
      const now = state.clock.now();
      const last = noted.get(mark);
      if (last === undefined || now - last >= oneSearchMs) {
        await state.noteDone(workspaceId, 'ssn.searched', { list: query.entity });
      }
      noted.delete(mark);
      noted.set(mark, now);
      for (const [oldest, at] of noted) {
        if (now - at < oneSearchMs) break;
        noted.delete(oldest);
      }
    },
  };
}
