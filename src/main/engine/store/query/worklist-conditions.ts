import type { Condition, ListQuery } from '../../../../contract/query.ts';
import { findWorklist } from '../../../../contract/worklist-table.ts';
import { type WorklistId, worklistIds } from '../../../../contract/worklists.ts';
import type { Database } from '../file/database.ts';
import { invalidQuery, type Sql } from './conditions.ts';

/** The field by which claims are filtered by worklist; it has no column. */
export const worklistPath = 'worklist';

/** Worklists are stored by their index in the table. @throws DeskError `query.invalid` */
function numbersOf({ operator, values, field }: Condition): number[] {
  const numbers = values.map((value) => worklistIds.indexOf(value as WorklistId));
  const isKnown = operator === 'isOneOf' || (operator === 'is' && values.length === 1);
  if (!isKnown || numbers.length === 0 || numbers.includes(-1)) throw invalidQuery(field);
  return numbers;
}

/** Selects the claims of these worklists. @throws DeskError `query.invalid` */
export function worklistMembers(condition: Condition): Sql {
  const numbers = numbersOf(condition);
  return {
    text: `SELECT id FROM claim_worklists WHERE worklist IN (${numbers.map(() => '?').join(', ')})`,
    values: numbers,
  };
}

/** How many claims of a worklist are read in its order, in growing attempts, before the other conditions are asked first. */
const walks = [600, 2_500, 8_000];

/**
 * The first claims of a worklist in its own order, which is stored; null for any other list, or where too few meet the
 * other conditions. `others` are those, as terms that no index answers.
 */
export function firstOfWorklist(
  database: Database,
  query: ListQuery,
  joins: string,
  others: readonly Sql[],
  limit: number,
): number[] | null {
  const { conditions = [], sort = [], search } = query;
  const [own, ...more] = conditions.filter(({ field }) => field === worklistPath);
  if (own?.operator !== 'is' || more.length > 0 || sort.length !== 1 || search !== undefined) return null;
  const [number] = numbersOf(own);
  const { sort: usual } = findWorklist(own.values[0] as WorklistId);
  if (sort[0]?.field !== usual.field || sort[0].direction !== usual.direction || sort[0].nulls === 'first')
    return null;
  const order = `rank ${usual.direction}, id ${usual.direction}`;
  const where = others.map(({ text }) => `AND ${text}`).join(' ');
  const values = others.flatMap((term) => term.values);
  for (const rows of others.length === 0 ? [limit] : walks) {
    const found = database
      .prepare(
        `SELECT c.id FROM (SELECT rank, id FROM claim_worklists WHERE worklist=? ORDER BY ${order} LIMIT ?) w
         CROSS JOIN claims c ON c.id=w.id ${joins} WHERE true ${where}
         ORDER BY w.rank ${usual.direction}, w.id ${usual.direction} LIMIT ?`,
      )
      .pluck()
      .all(number, rows, ...values, limit) as number[];
    if (found.length === limit || others.length === 0) return found;
  }
  return null;
}
