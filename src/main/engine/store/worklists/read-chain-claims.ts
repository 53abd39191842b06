import { readClaimNumber } from '../../../../rules/compare-values.ts';
import type { ChainClaim, JudgedRelation } from '../../../../rules/money/chain-claim.ts';
import type { ChainRole } from '../../../../rules/money/chains.ts';
import type { Database } from '../file/database.ts';
import { readHeads, readLines } from './read-compared-claims.ts';

/**
 * The role of a claim, also of one that is in no chain and missing; null: it has none. `k` is an alias of
 * `claim_chains`, `c` of `claims`, `v` of `claim_reviews`.
 */
export const roleSql = `coalesce(k.role, CASE WHEN c.gone_since IS NOT NULL THEN CASE
  iif(v.gone_answered_at>=c.gone_since, v.gone_answer, NULL)
  WHEN 'owedBack' THEN 'missingOwed' WHEN 'keep' THEN 'archived' ELSE 'missing' END END)`;

type Row = Pick<ChainClaim, 'id' | 'status' | 'processed' | 'missingAnswer'> & {
  readonly number: string | null;
  readonly isMissing: number;
};

/**
 * Makes the operation that reads the values by which claims belong to chains; claims that are not here are left out. A
 * user's answer about a missing claim is valid until the service returns the claim again.
 */
export function createChainReader(database: Database): (ids: readonly number[]) => ChainClaim[] {
  const select = database.prepare(
    `SELECT c.id, c.vendor_system_id AS number, c.status, substr(coalesce(c.processed_on, c.eob_date), 1, 10) AS processed,
       c.gone_since IS NOT NULL AS isMissing,
       iif(v.gone_answered_at>=c.gone_since, v.gone_answer, NULL) AS missingAnswer
     FROM json_each(?) wanted CROSS JOIN claims c ON c.id=wanted.value LEFT JOIN claim_reviews v ON v.claim_id=c.id`,
  );
  return (ids) => {
    const heads = readHeads(database, ids, true);
    const lines = readLines(database, ids);
    return (select.all(JSON.stringify(ids)) as Row[]).flatMap(({ id, number, isMissing, ...row }) => {
      const head = heads.get(id);
      if (head === undefined) return [];
      const { connection, name, provider, first, last, billed, patientResponsibility } = head;
      const claimLines = (lines.get(id) ?? []).map((line) => ({
        first: line.first,
        last: line.last,
        billed: line.billed,
        code: line.procedure?.code ?? line.drug,
      }));
      return [
        {
          id,
          connection,
          name,
          provider,
          billed,
          patientResponsibility,
          ...row,
          number: readClaimNumber(number),
          first: first === '' ? null : first,
          last: last === '' ? null : last,
          lines: claimLines,
          isMissing: isMissing === 1,
        },
      ];
    });
  };
}

/** Reads the users' answers about how two of these claims relate. */
export function createRelationReader(database: Database): (ids: readonly number[]) => JudgedRelation[] {
  const select = database.prepare(
    `SELECT claim_id AS claimId, other_id AS otherClaimId, relation FROM related_claims
     WHERE claim_id IN (SELECT value FROM json_each(:ids)) AND other_id IN (SELECT value FROM json_each(:ids))
     ORDER BY 1, 2`,
  );
  return (ids) => select.all({ ids: JSON.stringify(ids) }) as JudgedRelation[];
}

/** A claim of a chain. If the claim is in none with others, `chain` is its own ID. */
export interface ChainMate {
  readonly id: number;
  readonly chain: number;
  readonly role: ChainRole;
  readonly by: number | null;
}

/** Finds all claims of the chains of these claims; claims in no chain are left out. */
export const readChainMates = (
  database: Database,
  { claimIds }: { readonly claimIds: readonly number[] },
): ChainMate[] =>
  database
    .prepare(
      `WITH wanted AS MATERIALIZED (SELECT value AS id FROM json_each(:ids)),
         mates AS (SELECT id FROM wanted UNION SELECT mate.id FROM wanted CROSS JOIN claim_chains own USING (id)
           CROSS JOIN claim_chains mate ON mate.chain=own.chain)
       SELECT c.id, ifnull(k.chain, c.id) AS chain, ${roleSql} AS role, k.by_id AS "by"
       FROM mates CROSS JOIN claims c USING (id) LEFT JOIN claim_chains k USING (id)
       LEFT JOIN claim_reviews v ON v.claim_id=c.id WHERE ${roleSql} IS NOT NULL ORDER BY c.id`,
    )
    .all({ ids: JSON.stringify(claimIds) }) as ChainMate[];
