import type { Condition } from '../../../../rules/query.ts';
import {
  currentWorklistId,
  type WorklistId,
  worklistIds,
} from '../../../../rules/worklists/worklist-table.ts';
import { invalidQuery, type Sql } from './conditions.ts';

/** The field for filtering claims by worklist; it has no column. */
export const worklistPath = 'worklist';

/** The indexes of these worklists in the table, by which they are stored. @throws DeskError `query.invalid` */
export function worklistNumbers({ operator, values, field }: Condition): number[] {
  const numbers = values.map((value) => worklistIds.indexOf(currentWorklistId(value) as WorklistId));
  const isKnown = operator === 'isOneOf' || (operator === 'is' && values.length === 1);
  if (!isKnown || numbers.length === 0 || numbers.includes(-1)) throw invalidQuery(field);
  return numbers;
}

/** Selects the claims of these worklists. @throws DeskError `query.invalid` */
export function worklistMembers(condition: Condition): Sql {
  const numbers = worklistNumbers(condition);
  return {
    text: `SELECT id FROM claim_worklists WHERE worklist IN (${numbers.map(() => '?').join(', ')})`,
    values: numbers,
  };
}
