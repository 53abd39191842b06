import { type ChainPosition, type ChainRole, resolveChains } from '../../../../rules/money/chains.ts';
import type { Database } from '../file/database.ts';
import { isOfValues, sayFailure } from './contain-failures.ts';
import { createChainReader, createRelationReader } from './read-chain-claims.ts';

/** The stored position of a claim; `chain` null: it is in none. */
interface StoredPosition {
  readonly id: number;
  readonly chain: number | null;
  readonly role: ChainRole | null;
  readonly by: number | null;
  readonly failure: string | null;
  readonly group: number;
}

/** The position of a claim. `failure`: why its chain could not be computed, so that it is unclear. */
type Position = ChainPosition & { readonly failure: string | null };

const isEqual = (stored: StoredPosition, now: Position | undefined): boolean =>
  stored.chain === (now?.chain ?? null) &&
  stored.role === (now?.role ?? null) &&
  stored.by === (now?.by ?? null) &&
  stored.failure === (now?.failure ?? null);

/**
 * The positions of these claims. If that throws because of the values of a claim, each group is computed alone, and the
 * claims of a group that fails have unknown amounts.
 * @throws what is not about the values of a claim, such as DeskError `disk.*`
 */
export function resolveContained(
  stored: readonly Pick<StoredPosition, 'id' | 'group'>[],
  resolve: (ids: readonly number[]) => ReadonlyMap<number, ChainPosition>,
): Map<number, Position> {
  try {
    const places = resolve(stored.map(({ id }) => id));
    return new Map([...places].map(([id, place]) => [id, { ...place, failure: null }]));
  } catch (thrown) {
    if (!isOfValues(thrown)) throw thrown;
    const groups = [...Map.groupBy(stored, ({ group }) => group)];
    if (groups.length > 1) return new Map(groups.flatMap(([, some]) => [...resolveContained(some, resolve)]));
    const failure = sayFailure('How it relates to claims with its number or amount', thrown);
    const chain = Math.min(...stored.map(({ id }) => id));
    return new Map(stored.map(({ id }) => [id, { chain, role: 'unclear', by: null, failure }]));
  }
}

/**
 * Makes the operation that computes the chains of outdated claims. Returns these claims with all others whose amounts
 * depend on them: those of the same chains, before and now.
 */
export function createChainUpdater(database: Database): (ids: readonly number[]) => number[] {
  const readClaims = createChainReader(database);
  const readRelations = createRelationReader(database);
  const selectGroups = database.prepare(
    `SELECT mate.id, mate.chain, mate.role, mate.by_id AS "by", mate.failure, mate.group_id AS "group" FROM (
       SELECT DISTINCT group_id FROM json_each(?) wanted CROSS JOIN claim_chains own ON own.id=wanted.value) found
     CROSS JOIN claim_chains mate USING (group_id)`,
  );
  const put = database.prepare('UPDATE claim_chains SET chain=?, role=?, by_id=?, failure=? WHERE id=?');

  return (ids) => {
    const stored = selectGroups.all(JSON.stringify(ids)) as StoredPosition[];
    if (stored.length === 0) return [...ids];
    const places = resolveContained(
      stored,
      (some) => resolveChains(readClaims(some), readRelations(some)).places,
    );
    const concerned = new Set(ids);
    for (const position of stored) {
      const now = places.get(position.id);
      if (isEqual(position, now)) continue;
      put.run(now?.chain ?? null, now?.role ?? null, now?.by ?? null, now?.failure ?? null, position.id);
      concerned.add(position.id);
    }
    const chainsOf = ({ id, chain }: StoredPosition): (number | undefined | null)[] => [
      chain,
      places.get(id)?.chain,
    ];
    const touched = new Set(stored.flatMap((mate) => (concerned.has(mate.id) ? chainsOf(mate) : [])));
    for (const mate of stored)
      if (chainsOf(mate).some((chain) => chain != null && touched.has(chain))) concerned.add(mate.id);
    return [...concerned];
  };
}
