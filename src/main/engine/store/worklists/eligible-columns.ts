import { type EligibleSource, neededAmounts } from '../../../../contract/eligible.ts';
import { ofClaimItself } from '../record/odd-values.ts';

/** Whether an odd amount is the one that a field shows: the amount as sent or, if not sent, the calculated one. */
const isReadFrom = (field: string): string =>
  `o.field='${field}' OR (o.field='computed_${field}' AND c.${field} IS NULL)`;

/** The values from which the eligible amount of a claim is computed, as SQL over `claims c`. */
export const eligibleColumns: Readonly<Record<keyof EligibleSource, string>> = {
  status: 'c.status',
  network: 'c.network',
  deductible: 'coalesce(c.reduction, c.computed_reduction)',
  coinsurance: 'coalesce(c.coinsurance_patient, c.computed_coinsurance_patient)',
  copay: 'coalesce(c.copayment, c.computed_copayment)',
  responsibility: 'coalesce(c.patient_responsibility, c.computed_patient_responsibility)',
  notCovered: 'c.amount_not_covered',
  allowed: 'coalesce(c.amount_allowed, c.computed_amount_allowed)',
  planPaid: 'coalesce(c.amount_paid, c.computed_amount_paid)',
  otherPaid: 'c.amount_paid_other',
  isUnread: `EXISTS (SELECT 1 FROM odd_amounts o WHERE o.claim_id=c.id AND o.position=${ofClaimItself}
    AND o.rest IS NULL AND (${neededAmounts.map(isReadFrom).join(' OR ')}))`,
};

const employerSql = (claim: string): string =>
  `(SELECT e.id FROM claim_members m JOIN claim_member_records r ON r.ref=m.ref
  JOIN employers e ON e.ref=r.employer_ref WHERE m.parent=${claim} ORDER BY m.position LIMIT 1)`;

/** The employer whose rules apply: that of the first member who has one. */
export const employerColumn = employerSql('c.id');

/** The member whose family a claim belongs to. */
const familySql = (claim: string): string =>
  `(SELECT member_id FROM claim_members WHERE parent=${claim} ORDER BY position LIMIT 1)`;
export const familyColumn = familySql('c.id');

/**
 * Selects of the claims in a JSON array of IDs: the ID, the employer, and the member whose family it belongs to. Most
 * claims name one member, who has an employer.
 */
export const ownersSql = `SELECT wanted.value, coalesce(e.id, ${employerSql('wanted.value')}),
    CASE WHEN m.parent IS NULL THEN ${familySql('wanted.value')} ELSE m.member_id END
  FROM json_each(?) wanted LEFT JOIN claim_members m ON m.parent=wanted.value AND m.position=0
  LEFT JOIN claim_member_records r ON r.ref=m.ref LEFT JOIN employers e ON e.ref=r.employer_ref`;
