import { addDays, startOfLocalDay } from '../../../../rules/days.ts';
import type { Condition } from '../../../../rules/query.ts';
import { type DecidedBy, readDecidedBy } from '../../../../rules/review/decided-by.ts';
import { type ReviewOutcome, reviewOutcomes } from '../../../../rules/review/decision.ts';
import { invalidQuery, type Sql } from './conditions.ts';

/** The times from the first day to the end of the last day, both local, as a condition on a column of times. */
export function duringDays(column: string, { first, last }: Pick<DecidedBy, 'first' | 'last'>): Sql {
  const end = addDays(last, 1) ?? last;
  return {
    text: `${column}>=? AND ${column}<?`,
    values: [startOfLocalDay(first), startOfLocalDay(end)],
  };
}

/** Selects the claims of one value of the filter. */
function claimsOf({ kind, author, ...days }: DecidedBy): Sql {
  const during = duringDays('at', days);
  const where = {
    text: `${during.text}${author === null ? '' : ' AND author=? AND is_verified=?'}`,
    values: [...during.values, ...(author === null ? [] : [author.email, Number(author.isVerified)])],
  };
  if (kind === 'checked' || kind === 'disagreed')
    return {
      text: `SELECT claim_id FROM claim_checks WHERE ${where.text}${kind === 'disagreed' ? ' AND agrees=0' : ''}`,
      values: where.values,
    };
  // The outcome is that of the row with the largest position: each person's last decision.
  const made = `SELECT claim_id, outcome, max(position), sum(is_reopened) AS reopened FROM claim_decisions
    WHERE ${where.text} GROUP BY author, is_verified, claim_id`;
  const isOutcome = reviewOutcomes.includes(kind as ReviewOutcome);
  const which = isOutcome
    ? 'outcome=?'
    : `outcome IS NOT NULL${kind === 'reopened' ? ' AND reopened>0' : ''}`;
  return {
    text: `SELECT claim_id FROM (${made}) WHERE ${which}`,
    values: [...where.values, ...(isOutcome ? [kind] : [])],
  };
}

/** Selects the claims that meet a filter by decisions of an author. @throws DeskError `query.invalid` */
export function decidedByClaims({ operator, values, field }: Condition): Sql {
  const deciders = values.map((value) => readDecidedBy(String(value)));
  const isKnown = operator === 'isOneOf' || (operator === 'is' && values.length === 1);
  if (!isKnown || deciders.length === 0) throw invalidQuery(field);
  const all = deciders.map((decider) => {
    if (decider === null) throw invalidQuery(field);
    return claimsOf(decider);
  });
  return {
    text: all.map(({ text }) => text).join(' UNION ALL '),
    values: all.flatMap((part) => part.values),
  };
}
