import { createHmac, randomBytes } from 'node:crypto';
import type { ListQuery } from '../../../rules/query.ts';
import { DeskError } from '../../lib/errors.ts';
import { findIdentifiers, findOneMember } from '../audit/describe-search.ts';
import type { EngineState } from '../state/engine-state.ts';

/** The same search opened again within this time (new data, another sort) is recorded as one search. */
const oneSearchMs = 60_000;
/** While a person types, a search is recorded only after this pause. */
const typedForMs = 2_000;

const isByIdOnly = ({ conditions = [] }: ListQuery): boolean =>
  conditions.length > 0 && conditions.every(({ field }) => field === 'id');

/** A list that was closed before it was made, as while a person types on, was searched and has no count. */
function nullIfClosed(thrown: unknown): null {
  if (thrown instanceof DeskError && thrown.code === 'snapshot.expired') return null;
  throw thrown;
}

type Ports = Pick<EngineState, 'clock' | 'auditAction' | 'auditLater' | 'auditOpened'>;

/**
 * Records searches for people or claims by an identifier: in which list, by what kind of identifier, with how many
 * hits, never the value. A search by SSN is recorded before the answer, others after it, so that no list waits. Recent
 * searches are remembered as keyed hashes in memory.
 */
export function createSearchAudit(state: Ports, wait: (run: () => void, ms: number) => () => void = waitFor) {
  const key = randomBytes(32);
  const noted = new Map<string, number>();
  /** Typed searches that may still be continued, one a list. */
  const typed = new Map<string, { note: () => void; stop: () => void }>();

  const isNew = (workspaceId: string, query: ListQuery): (() => void) | null => {
    const asked = JSON.stringify([workspaceId, query.entity, query.search, query.conditions]);
    const mark = createHmac('sha256', key).update(asked).digest('hex');
    const now = state.clock.now();
    const last = noted.get(mark);
    const remember = (): void => {
      noted.delete(mark);
      noted.set(mark, now);
      for (const [oldest, at] of noted) {
        if (now - at < oneSearchMs) break;
        noted.delete(oldest);
      }
    };
    if (last === undefined || now - last >= oneSearchMs) return remember;
    remember();
    return null;
  };

  return {
    /**
     * `countHits`: null where the rows are not counted here. `isLookup`: the list is shown beside another record, so a
     * list of one member's claims does not mean that the member was opened, and IDs are not recorded as searches.
     * @throws DeskError `store.*`, `disk.full`, `keychain.*` of a search by SSN, which then is not answered
     */
    async record(
      workspaceId: string,
      query: ListQuery,
      countHits: (() => Promise<number>) | null,
      isLookup = false,
    ): Promise<void> {
      if (isLookup && query.search === undefined && isByIdOnly(query)) return;
      const member = findOneMember(query);
      if (member !== null && !isLookup) state.auditOpened(workspaceId, 'members', member);
      const kinds = findIdentifiers(query);
      const others = kinds.filter((kind) => kind !== 'ssn' && !(kind === 'memberId' && member !== null));
      if (kinds.length === 0 || (others.length === 0 && !kinds.includes('ssn'))) return;
      const remember = isNew(workspaceId, query);
      if (remember === null) return;
      const details = async () => ({
        list: query.entity,
        hits: countHits === null ? null : await countHits().catch(nullIfClosed),
      });
      if (kinds.includes('ssn')) await state.auditAction(workspaceId, 'ssn.searched', await details());
      remember();
      if (others.length === 0) return;
      const note = (): void =>
        state.auditLater(workspaceId, async () => ({
          action: 'identifier.searched',
          details: { ...(await details()), by: others.join(' ') },
        }));
      const place = `${workspaceId} ${query.entity}`;
      if (query.search === undefined) {
        note();
        return;
      }
      typed.get(place)?.stop();
      const stop = wait(() => {
        typed.delete(place);
        note();
      }, typedForMs);
      typed.set(place, { note, stop });
    },
    /** Records what was typed last; called when the engine ends. */
    end(): void {
      for (const { note, stop } of typed.values()) {
        stop();
        note();
      }
      typed.clear();
    },
  };
}

export type SearchAudit = ReturnType<typeof createSearchAudit>;

function waitFor(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
}
