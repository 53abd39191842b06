import { createHmac, randomBytes } from 'node:crypto';
import { fieldsOf } from '../../../rules/list-fields.ts';
import type { Condition, ListQuery } from '../../../rules/query.ts';
import { DeskError } from '../../lib/errors.ts';
import type { EngineState } from '../state/engine-state.ts';
import { asksForSsn } from '../store/query/build-query.ts';

/** A value that identifies one person or one claim in a search. */
type Identifier = 'ssn' | 'memberId' | 'claimNumber' | 'birthDate' | 'email' | 'phone';

const isOfPeople = ({ entity }: ListQuery): boolean => entity === 'members' || entity === 'dependents';

const memberFields: ReadonlySet<string> = new Set(['$member_id', 'members.id', 'partner_key']);
const claimFields: ReadonlySet<string> = new Set([
  '$claim_id',
  'vendor_system_id',
  'uuid',
  'patient_account_number',
  'patient_payer_number',
]);

function identifierOf(query: ListQuery, condition: Condition): Identifier | null {
  const { field, values } = condition;
  if (values.length === 0) return null;
  if (fieldsOf[query.entity].find(({ path }) => path === field)?.sensitivity === 'birthDate')
    return 'birthDate';
  if (field === 'email') return 'email';
  if (memberFields.has(field) || (field === 'id' && isOfPeople(query))) return 'memberId';
  if (claimFields.has(field) || (field === 'id' && query.entity === 'claims')) return 'claimNumber';
  return null;
}

/** The kind of identifier that a typed text looks like; null for words. */
function typedIdentifier(query: ListQuery): Identifier | null {
  const text = query.search?.trim() ?? '';
  if (/^\S+@\S+\.\S+$/.test(text)) return 'email';
  if (!/^[\d\s().+-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  if (digits.length < 3) return null;
  if (digits.length === 10 && isOfPeople(query) && /[\s().+-]/.test(text)) return 'phone';
  return isOfPeople(query) ? 'memberId' : 'claimNumber';
}

/** The kinds of identifiers in a query, without their values; empty for most queries. */
function findIdentifiers(query: ListQuery): Identifier[] {
  const identifiers = new Set<Identifier>();
  if (asksForSsn(query)) identifiers.add('ssn');
  for (const condition of query.conditions ?? []) {
    const identifier = identifierOf(query, condition);
    if (identifier !== null) identifiers.add(identifier);
  }
  const typed = typedIdentifier(query);
  if (typed !== null && !(typed === 'memberId' && identifiers.has('ssn'))) identifiers.add(typed);
  return [...identifiers].sort();
}

/**
 * The one member whose claims or dependents are listed, as on the member's page; null for any other query. Opening a
 * member is not recorded as a search.
 */
function findOneMember({ entity, conditions = [], search }: ListQuery): number | null {
  const path = entity === 'claims' ? 'members.id' : '$member_id';
  const [first, ...others] = conditions.filter(({ field }) => field === path);
  if (first === undefined || others.length > 0 || first.operator !== 'is' || search !== undefined)
    return null;
  const id = Number(first.values[0]);
  return Number.isSafeInteger(id) ? id : null;
}

/** The same search opened again within this time (new data, another sort) is recorded as one search. */
const oneSearchMs = 60_000;
/** A search is recorded only after this pause while the user types. */
const typedForMs = 2_000;

const isByIdOnly = ({ conditions = [] }: ListQuery): boolean =>
  conditions.length > 0 && conditions.every(({ field }) => field === 'id');

/** Returns null for a list that was closed before it was made: it was searched, but has no count. */
function nullIfClosed(thrown: unknown): null {
  if (thrown instanceof DeskError && thrown.code === 'snapshot.expired') return null;
  throw thrown;
}

type Ports = Pick<EngineState, 'clock' | 'auditAction' | 'auditLater' | 'auditOpened'>;

/**
 * Records searches for people or claims by an identifier: in which list, by what kind of identifier, with how many
 * hits, never the value. A search by SSN is recorded before the answer, others after it, so that no list waits. Recent
 * searches are cached in memory as keyed hashes.
 */
export function createSearchAudit(state: Ports, wait: (run: () => void, ms: number) => () => void = waitFor) {
  const key = randomBytes(32);
  const noted = new Map<string, number>();
  /** Typed searches that may still be continued, one per list. */
  const typed = new Map<string, { report: () => void; stop: () => void }>();

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
     * `countHits`: null where the rows are not counted here. `isLookup`: the list is shown next to another record, so a
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
      const report = (): void =>
        state.auditLater(workspaceId, async () => ({
          action: 'identifier.searched',
          details: { ...(await details()), by: others.join(' ') },
        }));
      const place = `${workspaceId} ${query.entity}`;
      if (query.search === undefined) {
        report();
        return;
      }
      typed.get(place)?.stop();
      const stop = wait(() => {
        typed.delete(place);
        report();
      }, typedForMs);
      typed.set(place, { report, stop });
    },
    /** Records what was typed last; called when the engine ends. */
    end(): void {
      for (const { report, stop } of typed.values()) {
        stop();
        report();
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
