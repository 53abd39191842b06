import type { WorklistCounts, WorklistReason } from '../../../../contract/worklist-counts.ts';
import { toAmount } from '../../../../rules/money/amounts.ts';
import type { Row } from '../../../../rules/query.ts';
import type { FeedWarning } from '../../../../rules/review/duplicates.ts';
import { fieldsOfReason } from '../../../../rules/worklists/worklist-reasons.ts';
import {
  worklistConditions,
  worklistIds,
  worklistQuery,
  worklistTable,
} from '../../../../rules/worklists/worklist-table.ts';
import type { Database } from '../file/database.ts';
import { buildSelection } from '../query/build-query.ts';
import type { Sql } from '../query/conditions.ts';
import { readRows } from '../query/read-rows.ts';
import { ofClaimItself } from '../record/odd-values.ts';
import { readState } from '../record/state.ts';
import { blankRank } from './compile-worklists.ts';
import { countEqual } from './duplicate-pairs.ts';
import { readFeedWarning } from './write-duplicates.ts';

interface StoredCounts {
  readonly worklists: WorklistCounts['worklists'];
  readonly feedWarning: FeedWarning | null;
  readonly moved: WorklistCounts['moved'];
}

/** The name of the state that is stored until the user has seen which amounts chains moved after an update. */
export const movedName = 'chains.moved';

/** Reads which amounts chains moved in a file from before chains; null: none, or the user has seen them. */
function readMoved(database: Database): WorklistCounts['moved'] {
  if (readState(database, movedName) === null) return null;
  const moved = database
    .prepare(
      `SELECT count(*) AS claims, ifnull(sum(chain_moved), 0) AS amount FROM claim_facts WHERE chain_moved IS NOT NULL`,
    )
    .get() as { claims: number; amount: number };
  return moved.claims === 0 ? null : moved;
}

/**
 * Reads the stored counts of all worklists, as of their last update. For a worklist that differs between members of a
 * team, the claims of this user's list are counted.
 */
export function readWorklistCounts(database: Database, person: string | null): StoredCounts {
  const rows = database
    .prepare('SELECT worklist, claims, amount FROM worklist_counts')
    .raw()
    .safeIntegers()
    .all() as [bigint, bigint, bigint][];
  const counts = new Map(rows.map(([worklist, claims, sum]) => [Number(worklist), { claims, sum }]));
  const unread = readUnread(database);
  for (const [index, id] of worklistIds.entries()) {
    if (worklistConditions(id, person).length === 1 || !counts.get(index)?.claims) continue;
    const list = buildSelection(worklistQuery(id, [], person));
    const [claims, sum] = database
      .prepare(
        `SELECT count(*), ifnull(sum(amount), 0) FROM claim_worklists WHERE worklist=? AND id IN (${list.text})`,
      )
      .raw()
      .safeIntegers()
      .get(index, ...list.values) as [bigint, bigint];
    counts.set(index, { claims, sum });
    for (const [key, count] of readUnread(database, list))
      if (key.startsWith(`${index} `)) unread.set(key, count);
  }
  const countBlank = database
    .prepare('SELECT count(*) FROM claim_worklists WHERE worklist=? AND rank=?')
    .pluck();
  return {
    worklists: worklistTable.map(({ id, amount, sort }, index) => {
      const notCounted = unread.get(`${index} ${amount.field}`) ?? 0;
      return {
        id,
        claims: Number(counts.get(index)?.claims ?? 0),
        amount: toAmount(counts.get(index)?.sum ?? 0n),
        amountLabel: amount.label,
        notKnown:
          sort.field === amount.field && sort.direction === 'desc'
            ? (countBlank.get(index, blankRank) as number) - notCounted
            : null,
        ...(notCounted === 0 ? {} : { notCounted }),
      };
    }),
    feedWarning: readFeedWarning(database),
    moved: readMoved(database),
  };
}

/** How many amounts in each worklist are not numbers, by worklist index and column. `list`: only these claims. */
function readUnread(database: Database, list?: Sql): Map<string, number> {
  const rows = database
    .prepare(
      `SELECT w.worklist||' '||o.field, count(*)
       FROM unread_amounts o JOIN claim_worklists w ON w.id=o.claim_id WHERE o.position=${ofClaimItself}
       ${list === undefined ? '' : `AND o.claim_id IN (${list.text})`} GROUP BY 1`,
    )
    .raw()
    .all(list?.values ?? []) as [string, number][];
  return new Map(rows);
}

/** The worklists that a claim is in, with the claim's values that show why. */
export function readReasons(database: Database, claimId: number): WorklistReason[] {
  const worklists = database
    .prepare('SELECT worklist FROM claim_worklists WHERE id=? ORDER BY worklist')
    .pluck()
    .all(claimId) as number[];
  // The parts of a list without terms explain more than the list does.
  const reasonIds = worklists.flatMap((index) => {
    const { id, terms } = worklistTable[index] ?? {};
    return id === undefined || terms?.length === 0 ? [] : [id];
  });
  const fields = [...new Set(reasonIds.flatMap(fieldsOfReason))];
  const [row] = readRows(database, 'claims', [claimId], fields) as [Row];
  return reasonIds.map((id) => ({
    id,
    values: {
      ...Object.fromEntries(fieldsOfReason(id).map((field) => [field, row[field] ?? null])),
      ...(id === 'duplicates' ? { $equalClaims: countEqual(database, claimId) } : {}),
    },
  }));
}
