import type { Sort } from '../../../../rules/query.ts';
import { reviewOutcomes } from '../../../../rules/review/decision.ts';
import { conditionsOn, type Worklist, worklistTable } from '../../../../rules/worklists/worklist-table.ts';
import { comparison, invalidQuery } from '../query/conditions.ts';
import { columnOf, findField, listTables, sortColumnOf } from '../query/list-tables.ts';
import type { SqlValue } from '../record/decompose.ts';

const reviewState = 'review.state';

/** A worklist's conditions on a claim as one SQL term. @throws DeskError `query.invalid` */
function termsSql(worklist: Worklist, day: string): { text: string; values: SqlValue[] } {
  const terms = conditionsOn(worklist, day).map((condition) => {
    const spec = findField('claims', condition.field);
    if (spec === undefined) throw invalidQuery(condition.field);
    const column = spec.path === reviewState ? 'states.state' : columnOf('claims', spec.path);
    return comparison(spec, column, condition);
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

/** The columns of the amounts that worklists add up, each once. */
const amountFields = [...new Set(worklistTable.map(({ amount }) => amount.field))];

/**
 * For the claims in a JSON array of IDs, selects the ID, the rank in each worklist in the order of the table (null
 * where the claim does not meet its terms), and the amounts of `amountFields`. `amountAt`: which of the cells a
 * worklist's sum adds up; a blank amount adds nothing. Most worklists ask for the review state, which is found once for
 * each claim.
 */
export function membershipSql(day: string): { text: string; values: SqlValue[]; amountAt: number[] } {
  const { joins } = listTables.claims;
  const terms = worklistTable.map((worklist) => ({ worklist, ...termsSql(worklist, day) }));
  const cells = [
    ...terms.map(({ worklist, text }) => `CASE WHEN ${text} THEN ${rankSql(worklist.sort)} END`),
    ...amountFields.map((field) => `ifnull(${columnOf('claims', field)}, 0)`),
  ];
  return {
    text: `WITH states AS MATERIALIZED (SELECT c.id, ${columnOf('claims', reviewState)} AS state
        FROM json_each(?) wanted CROSS JOIN claims c ON c.id=wanted.value ${joins})
      SELECT c.id, ${cells.join(', ')} FROM states CROSS JOIN claims c ON c.id=states.id ${joins}`,
    values: terms.flatMap(({ values }) => values),
    amountAt: worklistTable.map(({ amount }) => 1 + terms.length + amountFields.indexOf(amount.field)),
  };
}
