import { createHmac, randomBytes } from 'node:crypto';
import type { ListQuery } from '../../../contract/query.ts';
import { asksForSsn } from '../store/query/build-query.ts';
import type { EngineState } from './engine-state.ts';

/** The same search opened again within this time (new data, another sort) is one search. */
const oneSearchMs = 60_000;

/**
 * Audits that a person was searched for by SSN, before anything is found: in which list, never which number. Recent
 * searches are remembered as a keyed hash that ends with the process.
 */
export function createSsnSearchAudit(state: Pick<EngineState, 'clock' | 'auditAction'>) {
  const key = randomBytes(32);
  const recent = new Map<string, number>();

  return {
    /** @throws DeskError `store.*`, `disk.full`, `keychain.*`: a search that cannot be audited is not made */
    async record(workspaceId: string, query: ListQuery): Promise<void> {
      if (!asksForSsn(query)) return;
      const asked = JSON.stringify([workspaceId, query.entity, query.search, query.conditions]);
      const mark = createHmac('sha256', key).update(asked).digest('hex');
      const now = state.clock.now();
      const last = recent.get(mark);
      if (last === undefined || now - last >= oneSearchMs) {
        await state.auditAction(workspaceId, 'ssn.searched', { list: query.entity });
      }
      recent.delete(mark);
      recent.set(mark, now);
      for (const [oldest, at] of recent) {
        if (now - at < oneSearchMs) break;
        recent.delete(oldest);
      }
    },
  };
}
