import type { Sort } from '../../../../rules/query.ts';
import { reviewOutcomes } from '../../../../rules/review/decision.ts';
import { conditionsOn, type Worklist, worklistTable } from '../../../../rules/worklists/worklist-table.ts';
import { comparison, invalidQuery } from '../query/conditions.ts';
import { columnOf, findField, listTables, sortColumnOf } from '../query/list-tables.ts';
import type { SqlValue } from '../record/decompose.ts';

/** A worklist's conditions on a claim as one SQL term. @throws DeskError `query.invalid` */
function termsSql(worklist: Worklist, day: string): { text: string; values: SqlValue[] } {
  const terms = conditionsOn(worklist, day).map((condition) => {
    const spec = findField('claims', condition.field);
    if (spec === undefined) throw invalidQuery(condition.field);
    return comparison(spec, columnOf('claims', spec.path), condition);
  });
  const here = worklist.includesMissing ? [] : [{ text: listTables.claims.isHere, values: [] }];
  return {
    text: ['true', ...[...here, ...terms].map(({ text }) => text)].join(' AND '),
    values: terms.flatMap(({ values }) => values),
  };
}

export const blankRank = -9e15;

/** The outcomes in the order of a list. */
const outcomesInOrder = reviewOutcomes.toSorted();

/** The value of a sort as an integer that sorts the same way; blank values come last. */
function rankSql({ field, direction }: Sort): string {
  const kind = findField('claims', field)?.kind;
  const column = sortColumnOf('claims', field);
  const last = direction === 'desc' ? blankRank : -blankRank;
  if (kind === 'date')
    return `CAST(coalesce(replace(substr(${column}, 1, 10), '-', ''), ${last}) AS INTEGER)`;
  if (kind === 'dateTime') return `CAST(coalesce(unixepoch(${column}, 'subsec')*1000, ${last}) AS INTEGER)`;
  if (field === 'review.outcome')
    return `coalesce(CASE ${column} ${outcomesInOrder.map((outcome, index) => `WHEN '${outcome}' THEN ${index}`).join(' ')} END, ${last})`;
  return `CAST(coalesce(${column}, ${last}) AS INTEGER)`;
}

/**
 * Selects for the claims in a JSON array of IDs: the ID and, for each worklist in the order of the table, the rank
 * (null where the claim does not meet its terms) and the amount that its sum adds up. A blank amount adds nothing.
 */
export function membershipSql(day: string): { text: string; values: SqlValue[] } {
  const terms = worklistTable.map((worklist) => ({ worklist, ...termsSql(worklist, day) }));
  const cells = terms.map(
    ({ worklist, text }) =>
      `CASE WHEN ${text} THEN ${rankSql(worklist.sort)} END, ifnull(${columnOf('claims', worklist.amount.field)}, 0)`,
  );
  return {
    text: `SELECT c.id, ${cells.join(', ')}
      FROM json_each(?) wanted CROSS JOIN claims c ON c.id=wanted.value ${listTables.claims.joins}`,
    values: terms.flatMap(({ values }) => values),
  };
}
