import { comparedAmounts } from '../../../../rules/list-fields.ts';
import type { Database } from '../file/database.ts';
import { eligibleColumns, employerColumn, familyColumn, readFlags } from './eligible-columns.ts';
import type { FactSource } from './fact-source.ts';
import { roleSql } from './read-chain-claims.ts';
import { daysSql, readSpan } from './read-compared-claims.ts';

type Cell = string | number | null;

/** The columns that are read of each claim, by the name used in the code. */
const columns = {
  id: 'c.id',
  ...eligibleColumns,
  type: 'c.type_name',
  patientName: 'c.patient_name',
  provider: "coalesce(nullif(trim(c.service_provider), ''), c.service_provider_billing_name)",
  days: daysSql('c'),
  created: 'substr(c.createddate, 1, 10)',
  processed: 'substr(coalesce(c.processed_on, c.eob_date), 1, 10)',
  isMissing: 'c.gone_since IS NOT NULL',
  employerId: employerColumn,
  memberId: familyColumn,
  outcome: 'v.outcome',
  keptEligible: 'v.kept_eligible',
  keptByRules: 'v.kept_by_rules',
  reimbursed: 'v.reimbursed',
  writtenOff: 'v.written_off',
  earlierPaid: 'v.earlier_paid',
  oddPayment: 'v.odd_payment',
  failedReview: 'v.failure',
  failedComparison: '(SELECT why FROM failed_comparisons f WHERE f.id=c.id)',
  paidValues: 'v.paid_values',
  changedFields: 'v.changed_fields',
  secondLook: 'v.second_look',
  paidOn: 'v.paid_on',
  appealSent: 'v.appeal_sent',
  answerDue: 'v.appeal_due',
  isSubstantiated: 'v.is_substantiated',
  cause: 'v.cause',
  letterSaid: 'v.letter_said',
  chain: 'ifnull(k.chain, c.id)',
  role: roleSql,
  by: 'k.by_id',
  failedChain: 'k.failure',
} as const;

/** Reads the values from which facts are computed; claims that are no longer here are left out. */
export function createFactReader(database: Database): (ids: readonly number[]) => FactSource[] {
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const sums = comparedAmounts.map((name) => `sum(l.${name}), count(*)-count(l.${name})`).join(', ');
  const selectLines = database
    .prepare(
      `SELECT l.parent, count(*), count(coalesce(nullif(trim(l.procedure_code), ''),
         nullif(trim(l.procedure_name), ''), nullif(trim(l.national_drug_code), ''))), ${sums}
       FROM json_each(?) wanted CROSS JOIN claim_lines l ON l.parent=wanted.value GROUP BY l.parent`,
    )
    .raw();
  const selectClaims = database
    .prepare(
      `SELECT ${names.map((name) => columns[name]).join(', ')}, ${comparedAmounts.map((name) => `c.${name}`).join(', ')}
       FROM json_each(?) wanted CROSS JOIN claims c ON c.id=wanted.value
       LEFT JOIN claim_reviews v ON v.claim_id=c.id LEFT JOIN claim_chains k ON k.id=c.id`,
    )
    .raw();

  return (ids) => {
    const idsJson = JSON.stringify(ids);
    const lines = new Map<Cell, Cell[]>();
    for (const row of selectLines.iterate(idsJson) as Iterable<Cell[]>) lines.set(row[0] ?? null, row);
    return (selectClaims.all(idsJson) as Cell[][]).map((row) => {
      const lineSums = lines.get(row[0] ?? null);
      // A loop: Object.fromEntries() takes three times as long.
      const cells = {} as Record<keyof typeof columns, never>;
      for (let at = 0; at < names.length; at += 1)
        cells[names[at] as keyof typeof columns] = (row[at] ?? null) as never;
      return {
        ...cells,
        ...readSpan(cells.days),
        isMissing: Number(cells.isMissing) === 1,
        ...readFlags(cells),
        lines: Number(lineSums?.[1] ?? 0),
        describedLines: Number(lineSums?.[2] ?? 0),
        compared: comparedAmounts.map((_name, at) => ({
          own: (row[names.length + at] ?? null) as number | null,
          sum: (lineSums?.[3 + at * 2] ?? null) as number | null,
          blank: Number(lineSums?.[4 + at * 2] ?? 0),
        })),
      };
    });
  };
}
