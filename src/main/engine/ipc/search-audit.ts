import { createHmac, randomBytes } from 'node:crypto';
import type { ListQuery } from '../../../contract/query.ts';
import { findIdentifiers, findOneMember } from '../audit/describe-search.ts';
import type { EngineState } from './engine-state.ts';

/** The same search opened again within this time (new data, another sort) is one search. */
const oneSearchMs = 60_000;
/** While somebody types, only where they stop is a search. */
const typedForMs = 2_000;

const isByIdOnly = ({ conditions = [] }: ListQuery): boolean =>
  conditions.length > 0 && conditions.every(({ field }) => field === 'id');

type Ports = Pick<EngineState, 'clock' | 'auditAction' | 'auditLater' | 'auditOpened'>;

/**
 * Writes down that people or claims were looked for by an identifier: in which list, by what kind, with how many
 * hits, never the value. By SSN before anything is answered; by others behind the answer, so that no list waits.
 * What was noted lately is remembered as a keyed hash that ends with the process.
 */
export function createSearchAudit(state: Ports, wait: (run: () => void, ms: number) => () => void = waitFor) {
  const key = randomBytes(32);
  const noted = new Map<string, number>();
  /** Typed searches that may go on, one a list. */
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
     * `countHits`: null where the rows are not counted here. `isLookup`: shown beside another record, so that the one
     * member whose claims are listed was not opened, and records are named by the IDs that are on screen already.
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
        hits: countHits === null ? null : await countHits(),
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
    /** Writes down what was typed last, for the end of the engine. */
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
