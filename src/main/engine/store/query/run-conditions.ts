import type { Condition } from '../../../../rules/query.ts';
import { readRunFilter } from '../../../../rules/review/run-facts.ts';
import { invalidQuery, type Sql } from './conditions.ts';

/** Selects the claims that are or were in these runs. @throws DeskError `query.invalid` */
export function runClaims({ operator, values, field }: Condition): Sql {
  const isKnown = operator === 'isOneOf' || (operator === 'is' && values.length === 1);
  if (!isKnown || values.length === 0) throw invalidQuery(field);
  return {
    text: `SELECT claim_id FROM claim_runs WHERE state<>'inOther' AND run_id IN (${values.map(() => '?').join(', ')})`,
    values: values.map((value) => readRunFilter(String(value)).id),
  };
}
