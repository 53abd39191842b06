import {
  type EligibleSource,
  eligibleFields,
  type lineAmounts,
  lineFields,
  neededAmounts,
} from '../../../../rules/money/eligible-source.ts';
import { ofClaimItself } from '../record/odd-values.ts';

const isAmong = (fields: readonly string[]): string =>
  `o.field IN (${fields.map((field) => `'${field}'`).join(', ')})`;

/** The amounts of the service, as sent and calculated, as SQL over `claims c`; not covered and other paid are only sent. */
const ownColumns = (field: string): string[] =>
  [eligibleFields.notCovered, eligibleFields.otherPaid].some((name) => name === field)
    ? [`c.${field}`]
    : [`c.${field}`, `c.computed_${field}`];

const ofLines = (select: string): string => `(SELECT ${select} FROM claim_lines l WHERE l.parent=c.id)`;
/** The claim's own amount, or the sum of its lines if every line has one and the claim's own is a number or blank. */
const withLines = (name: (typeof lineAmounts)[number]): string => {
  const field = eligibleFields[name];
  const isUnread = `EXISTS (SELECT 1 FROM unread_amounts o WHERE o.claim_id=c.id AND o.position=${ofClaimItself} AND o.field='${field}')`;
  const sum = ofLines(`iif(count(*)=count(l.${field}) AND NOT ${isUnread}, sum(l.${field}), NULL)`);
  return `coalesce(${[...ownColumns(field), sum].join(', ')})`;
};
const isPartial = (name: 'notCovered' | 'otherPaid'): string => {
  const field = eligibleFields[name];
  return `c.${field} IS NULL AND ${ofLines(`count(l.${field})>0 AND count(l.${field})<count(*)`)}`;
};

/**
 * Whether an unreadable amount is one that counts: the amount as sent; if that was not sent, the calculated one; if
 * that is blank too, that of a line.
 */
const isOwnRead = `CASE WHEN o.position=${ofClaimItself}
    THEN ${isAmong(neededAmounts)} OR (${neededAmounts.map((field) => `(o.field='computed_${field}' AND c.${field} IS NULL)`).join(' OR ')})
    ELSE ${lineFields.map((field) => `(o.field='${field}' AND coalesce(${[...ownColumns(field), 'NULL'].join(', ')}) IS NULL)`).join(' OR ')} END`;

/** The values from which the eligible amount of a claim is computed, as SQL over `claims c`. */
export const eligibleColumns: Readonly<Record<keyof EligibleSource, string>> = {
  status: 'c.status',
  network: 'c.network',
  deductible: withLines('deductible'),
  coinsurance: withLines('coinsurance'),
  copay: withLines('copay'),
  responsibility: 'coalesce(c.patient_responsibility, c.computed_patient_responsibility)',
  notCovered: withLines('notCovered'),
  allowed: 'coalesce(c.amount_allowed, c.computed_amount_allowed)',
  planPaid: 'coalesce(c.amount_paid, c.computed_amount_paid)',
  otherPaid: withLines('otherPaid'),
  isNotCoveredPartial: isPartial('notCovered'),
  isOtherPaidPartial: isPartial('otherPaid'),
  isUnread: `EXISTS (SELECT 1 FROM unread_amounts o WHERE o.claim_id=c.id AND ${isOwnRead})`,
};

const flags = ['isNotCoveredPartial', 'isOtherPaidPartial', 'isUnread'] as const;
/** The flags among these values, which SQLite returns as 1 and 0. */
export const readFlags = (
  cells: Readonly<Record<(typeof flags)[number], unknown>>,
): Pick<EligibleSource, (typeof flags)[number]> => ({
  isNotCoveredPartial: cells.isNotCoveredPartial === 1,
  isOtherPaidPartial: cells.isOtherPaidPartial === 1,
  isUnread: cells.isUnread === 1,
});

const employerSql = (claim: string): string =>
  `(SELECT e.id FROM claim_members m JOIN claim_member_records r ON r.ref=m.ref
  JOIN employers e ON e.ref=r.employer_ref WHERE m.parent=${claim} ORDER BY m.position LIMIT 1)`;

/** The employer whose rules apply: that of the first member who has one. */
export const employerColumn = employerSql('c.id');

const familySql = (claim: string): string =>
  `(SELECT member_id FROM claim_members WHERE parent=${claim} ORDER BY position LIMIT 1)`;
export const familyColumn = familySql('c.id');

/**
 * For the claims in a JSON array of IDs, selects the ID, the employer, and the member to whose family it belongs. Most
 * claims name one member, who has an employer.
 */
export const ownersSql = `SELECT wanted.value, coalesce(e.id, ${employerSql('wanted.value')}),
    CASE WHEN m.parent IS NULL THEN ${familySql('wanted.value')} ELSE m.member_id END
  FROM json_each(?) wanted LEFT JOIN claim_members m ON m.parent=wanted.value AND m.position=0
  LEFT JOIN claim_member_records r ON r.ref=m.ref LEFT JOIN employers e ON e.ref=r.employer_ref`;
