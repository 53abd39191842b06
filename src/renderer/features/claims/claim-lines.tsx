import { Table } from '@mantine/core';
import { memo } from 'react';
import { formatCode } from '../../../contract/code-labels.ts';
import type { ClaimLineRecord, ClaimRecord, SetAsideItem } from '../../../contract/records.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { comparedAmounts, fieldsOf } from '../../../rules/list-fields.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { Amount, Total } from '../../components/amount.tsx';
import { Section } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { SetAside } from '../../components/set-aside.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { noValue, sayNotCounted } from '../../lib/format-money.ts';
import { formatRange } from '../../lib/format-range.ts';
import { formatValue } from '../../lib/format-value.ts';
import styles from './claim-lines.module.css';
import { type LineSum, type LineSumField, sumLines } from './explain-amounts.ts';

const headOf = (field: LineSumField): string =>
  field === 'patient_responsibility'
    ? 'Patient resp.'
    : (fieldsOf.claims.find(({ path }) => path === field)?.label ?? field);

/** Columns that are shown even where the amount is blank or zero everywhere; others are hidden then. */
const alwaysShown: ReadonlySet<LineSumField> = new Set([
  'amount_billed',
  'amount_paid',
  'patient_responsibility',
]);

/** Patient responsibility comes before its parts, so that it stays visible where the table is scrolled. */
const shownOrder = comparedAmounts.toSorted((a, b) => placeOf(a) - placeOf(b));

function placeOf(field: LineSumField): number {
  return field === 'patient_responsibility'
    ? comparedAmounts.indexOf('amount_paid') + 0.5
    : comparedAmounts.indexOf(field);
}

/** Amounts between billed and paid. A narrow table with many amounts hides them and shows a note. */
const hiddenFirst: ReadonlySet<LineSumField> = new Set(['discount', 'amount_allowed']);

/** How many amounts fit next to the review. */
const usualFields = 5;

const classOf = (field: LineSumField): string =>
  `${styles.number ?? ''} ${hiddenFirst.has(field) ? (styles.hiddenFirst ?? '') : ''}`;

/**
 * The lines of a claim with their sums; a sum that differs from the claim's own amount is marked. No `DataTable`: it has a
 * foot, and rows have headings.
 */
export const ClaimLines = memo(function ClaimLines({
  claim,
  setAside,
}: {
  claim: ClaimRecord;
  setAside: readonly SetAsideItem[];
}) {
  const lines = claim.claim_medical_lines ?? [];
  const fields = shownOrder.filter(
    (field) => alwaysShown.has(field) || claim[field] || lines.some((line) => line[field]),
  );
  const isMany = fields.length > usualFields;
  const hidden = isMany ? fields.filter((field) => hiddenFirst.has(field)) : [];
  const diagnosis = lines[0]?.diagnosis_code || null;
  const isSameDiagnosis = lines.every((line) => (line.diagnosis_code || null) === diagnosis);
  const sums = fields.map((field) => ({ field, total: sumLines(claim, field) }));
  // The totals would repeat a single line.
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
            data-many={isMany || undefined}
            data-same-diagnosis={isSameDiagnosis || undefined}
            verticalSpacing={4}
            horizontalSpacing={4}
            aria-label="Claim lines"
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Date</Table.Th>
                <Table.Th className={styles.service ?? ''}>Service</Table.Th>
                <Table.Th className={styles.diagnosis ?? ''}>Diagnosis</Table.Th>
                {fields.map((field) => (
                  <Table.Th key={field} className={classOf(field)}>
                    {headOf(field)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.map((line, index) => (
                <LineRow key={line.uuid ?? line.id ?? index} line={line} fields={fields} />
              ))}
            </Table.Tbody>
            {hasTotal && (
              <Table.Tfoot>
                <Table.Tr>
                  <Table.Th scope="row" colSpan={2}>
                    Total
                  </Table.Th>
                  <Table.Td className={styles.diagnosis ?? ''} />
                  {sums.map(({ field, total }) => (
                    <SumCell key={field} field={field} total={total} />
                  ))}
                </Table.Tr>
              </Table.Tfoot>
            )}
          </Table>
          {isMany && (
            <SmallPrint className={styles.hidden ?? ''} data-screen-only>
              {isSameDiagnosis &&
                (diagnosis === null ? 'No diagnosis. ' : `Diagnosis ${diagnosis} in all lines. `)}
              {hidden.length > 0 && `A wider window also shows ${hidden.map(headOf).join(' and ')}.`}
            </SmallPrint>
          )}
        </Scrollable>
      )}
    </Section>
  );
});

function LineRow({ line, fields }: { line: ClaimLineRecord; fields: readonly LineSumField[] }) {
  const details = [
    typeof line.quantity === 'number' && line.quantity !== 1 && `Qty ${line.quantity}`,
    line.national_drug_code && `NDC ${line.national_drug_code}`,
    formatCode('prescription_type_str', line.prescription_type_str),
    typeof line.days_supply === 'number' && `${formatCountOf(line.days_supply, 'day')} supply`,
  ].filter(Boolean);
  return (
    <Table.Tr>
      <Table.Td className="figure">{formatRange(line.date_of_service)}</Table.Td>
      <Table.Th scope="row" className={styles.service ?? ''}>
        {line.procedure_code && <b>{line.procedure_code} </b>}
        {line.procedure_name ?? (line.procedure_code ? null : noValue)}
        {details.map((detail) => (
          <span key={String(detail)} className={styles.detail}>
            {' · '}
            <span className="figure">{detail}</span>
          </span>
        ))}
      </Table.Th>
      <Table.Td className={`figure ${styles.diagnosis}`}>{formatValue(line.diagnosis_code, 'text')}</Table.Td>
      {fields.map((field) => (
        <Table.Td key={field} className={classOf(field)}>
          <Amount value={line[field]} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function SumCell({ field, total }: { field: LineSumField; total: LineSum }) {
  return (
    <Table.Td className={classOf(field)}>
      <b>
        <Total amount={total.sum} />
      </b>
      {total.difference !== null && (
        <div className={styles.warning}>
          <span aria-hidden>⚠ </span>
          {formatTenThousandths(total.difference < 0n ? -total.difference : total.difference)}{' '}
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
