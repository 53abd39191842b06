import { Table } from '@mantine/core';
import { writeMillionths } from '../../../contract/amounts.ts';
import { comparedAmounts } from '../../../contract/fields.ts';
import type { ClaimLineRecord, ClaimRecord, SetAsideItem } from '../../../contract/records.ts';
import { Amount } from '../../components/amount.tsx';
import { Section } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { SetAside } from '../../components/set-aside.tsx';
import { Hint } from '../../components/text.tsx';
import { formatMoney, sayNotCounted } from '../../lib/format-money.ts';
import { formatRange } from '../../lib/format-range.ts';
import { formatCode, formatCountOf } from '../../lib/format-value.ts';
import { type LineSum, type LineSumField, sumLines } from './claim-amounts.ts';
import styles from './claim-lines.module.css';

const heads = {
  amount_billed: 'Billed',
  discount: 'Discount',
  amount_allowed: 'Allowed',
  amount_paid: 'Plan paid',
  reduction: 'Deductible',
  copayment: 'Copay',
  coinsurance_patient: 'Coinsurance',
  amount_not_covered: 'Not covered',
  patient_responsibility: 'Patient resp.',
} as const satisfies Record<LineSumField, string>;

/** Columns that are shown even where the amount is blank or zero everywhere; others are hidden then. */
const alwaysShown: ReadonlySet<LineSumField> = new Set([
  'amount_billed',
  'amount_paid',
  'patient_responsibility',
]);

/** The lines of a claim with their sums; a sum that differs from the claim's own amount is marked. */
export function ClaimLines({ claim, setAside }: { claim: ClaimRecord; setAside: readonly SetAsideItem[] }) {
  const lines = claim.claim_medical_lines ?? [];
  const fields = comparedAmounts.filter(
    (field) => alwaysShown.has(field) || claim[field] || lines.some((line) => line[field]),
  );
  const sums = fields.map((field) => ({ field, total: sumLines(claim, field) }));
  // The total of one line would say the same again.
  const hasTotal =
    lines.length > 1 || sums.some(({ total }) => total.difference !== null || total.notCounted > 0);
  return (
    <Section title={`Lines (${lines.length})`}>
      <SetAside items={setAside} list="claim_medical_lines" one="line" />
      {lines.length === 0 ? (
        <Hint>No service lines for this claim.</Hint>
      ) : (
        <Scrollable label="Claim lines, scrollable" className={styles.scroll}>
          <Table
            className={styles.table ?? ''}
            verticalSpacing={3}
            horizontalSpacing={5}
            aria-label="Claim lines"
          >
            <Table.Thead>
              <Table.Tr>
                {fields.map((field) => (
                  <Table.Th key={field} className={styles.number ?? ''}>
                    {heads[field]}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            {lines.map((line, index) => (
              <LineRows key={line.uuid ?? line.id ?? index} line={line} fields={fields} />
            ))}
            {hasTotal && (
              <Table.Tfoot>
                <Table.Tr>
                  <Table.Th colSpan={fields.length} scope="rowgroup" className={styles.text ?? ''}>
                    Total
                  </Table.Th>
                </Table.Tr>
                <Table.Tr>
                  {sums.map(({ field, total }) => (
                    <SumCell key={field} total={total} />
                  ))}
                </Table.Tr>
              </Table.Tfoot>
            )}
          </Table>
        </Scrollable>
      )}
    </Section>
  );
}

/** What was done in one row, its amounts in the next: all amounts fit beside the review without scrolling. */
function LineRows({ line, fields }: { line: ClaimLineRecord; fields: readonly LineSumField[] }) {
  const details = [
    line.diagnosis_code && `Diagnosis ${line.diagnosis_code}`,
    typeof line.quantity === 'number' && `Qty ${line.quantity}`,
    line.national_drug_code && `NDC ${line.national_drug_code}`,
    formatCode('prescription_type_str', line.prescription_type_str),
    typeof line.days_supply === 'number' && `${formatCountOf(line.days_supply, 'day')} supply`,
  ].filter(Boolean);
  return (
    <Table.Tbody className={styles.line ?? ''}>
      <Table.Tr>
        <Table.Th colSpan={fields.length} scope="rowgroup" className={styles.text ?? ''}>
          <span className={styles.days}>{formatRange(line.date_of_service)}</span>
          {line.procedure_code && <b>{line.procedure_code} </b>}
          {line.procedure_name}
          {details.length > 0 && <span className={styles.details}>{details.join(' · ')}</span>}
        </Table.Th>
      </Table.Tr>
      <Table.Tr>
        {fields.map((field) => (
          <Table.Td key={field} className={styles.number ?? ''}>
            <Amount value={line[field]} />
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tbody>
  );
}

function SumCell({ total }: { total: LineSum }) {
  return (
    <Table.Td className={styles.number ?? ''}>
      <b>
        <Amount value={total.sum === null ? null : writeMillionths(total.sum)} />
      </b>
      {total.difference !== null && (
        <div className={styles.warning}>
          <span aria-hidden>⚠ </span>
          {formatMoney(writeMillionths(total.difference < 0n ? -total.difference : total.difference))}{' '}
          {total.difference > 0n ? 'more' : 'less'} than the claim
        </div>
      )}
      {total.notCounted > 0 && <div className={styles.extra}>{sayNotCounted(total.notCounted)}</div>}
      {total.difference === null && total.counted > 0 && total.missing > 0 && (
        <div className={styles.extra}>{total.missing} not reported</div>
      )}
    </Table.Td>
  );
}
