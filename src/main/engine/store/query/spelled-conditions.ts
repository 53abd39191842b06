import type { FieldSpec } from '../../../../rules/list-fields.ts';
import type { Condition } from '../../../../rules/query.ts';
import { reviewPositionName } from '../record/claim-reviews.ts';
import { comparison, type Sql } from './conditions.ts';
import { readLink } from './link-conditions.ts';

/** The column whose names are shown by the spellings of the settings. */
export const whomPath = 'review.on_whom';

/** The spellings in the rows: `written` and `shown`. */
const spellingsSql = `(SELECT value->>0 AS written, value->>1 AS shown
  FROM json_each((SELECT value->>'spellings' FROM sync_state WHERE name='${reviewPositionName}')))`;

/**
 * A condition on whom a claim waits on. The rows have the spelling that is shown; a filter or saved view with another
 * spelling finds the claims that are shown under that name. @throws DeskError `query.invalid`
 */
export function spelledComparison(spec: FieldSpec, column: string, condition: Condition): Sql {
  if (condition.values.length === 0) return comparison(spec, column, condition);
  const { wanted, isWithout } = readLink(condition);
  const shown = comparison(spec, column, wanted);
  const written = comparison(spec, 'written', wanted);
  const either = `(${shown.text} OR ${column} IN (SELECT shown FROM ${spellingsSql} WHERE ${written.text}))`;
  return {
    text: isWithout ? `NOT ifnull(${either}, 0)` : either,
    values: [...shown.values, ...written.values],
  };
}
