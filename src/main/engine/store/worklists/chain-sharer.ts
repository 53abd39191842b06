import { type ChainMember, type ChainRest, shareChain } from '../../../../rules/money/chain-balance.ts';
import type { Database } from '../file/database.ts';
import { type FactRules, toChainMember } from './claim-facts.ts';
import type { FactSource, FamilyFacts } from './fact-source.ts';

/**
 * Makes the operation that finds the claims' shares of their chains. The other claims of a chain have the amounts with
 * which their facts were last written.
 */
export function createChainSharer(
  database: Database,
): (
  sources: readonly FactSource[],
  rules: FactRules,
  families: ReadonlyMap<number, FamilyFacts>,
) => Map<number, ChainRest> {
  const selectMates = database.prepare(
    `SELECT k.chain, k.id, k.role, k.by_id AS "by", f.eligible, ifnull(f.disputed, 0) AS disputed,
       ifnull(v.reimbursed, 0) AS reimbursed, ifnull(v.written_off, 0) AS writtenOff, v.paid_on AS paidOn
     FROM json_each(?) wanted CROSS JOIN claim_chains k ON k.chain=wanted.value
     LEFT JOIN claim_facts f ON f.id=k.id LEFT JOIN claim_reviews v ON v.claim_id=k.id`,
  );

  return (sources, rules, families) => {
    const chained = sources.filter(({ role }) => role !== null);
    if (chained.length === 0) return new Map();
    const chains = new Map<number, Map<number, ChainMember>>();
    const put = (chain: number, member: ChainMember): void => {
      const members = chains.get(chain) ?? new Map<number, ChainMember>();
      chains.set(chain, members.set(member.id, member));
    };
    const chainsJson = JSON.stringify([...new Set(chained.map(({ chain }) => chain))]);
    for (const { chain, ...member } of selectMates.all(chainsJson) as (ChainMember & { chain: number })[])
      put(chain, member);
    for (const source of chained)
      put(source.chain, toChainMember(source, rules, families.get(source.id) ?? null));
    return new Map([...chains.values()].flatMap((members) => [...shareChain([...members.values()])]));
  };
}
