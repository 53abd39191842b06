import { Table } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { amountSteps, type ExplainedAmount } from '../../../contract/claim-amounts.ts';
import type { ClaimRecord } from '../../../contract/records.ts';
import { Amount, Total } from '../../components/amount.tsx';
import { FoldedSection, Section } from '../../components/page.tsx';
import styles from './claim-chain.module.css';
import { type Equation, explainAmounts } from './explain-amounts.ts';

const origins = {
  reported: null,
  calculated: 'calculated by the service',
  lines: 'sum of the lines',
  rest: 'calculated',
} as const satisfies Record<ExplainedAmount['origin'], string | null>;

/** The steps from the billed amount to patient responsibility, which add up on screen. */
export const ClaimChain = memo(function ClaimChain({ claim }: { claim: ClaimRecord }) {
  const { toAllowed, toPaid, patient, patientParts, paidOther, loose } = explainAmounts(claim);
  return (
    <Section title="Amounts">
      <div className={styles.chain}>
        {toAllowed !== null && <Ledger label="From billed to allowed" equation={toAllowed} />}
        {toPaid !== null && (
          <Ledger label={`From ${toPaid.from.label.toLowerCase()} to plan paid`} equation={toPaid} />
        )}
        {loose.length > 0 && (
          <dl className={styles.ledger} aria-label="Other reported amounts">
            {loose.map((amount) => (
              <Row key={amount.label} one={amount} />
            ))}
          </dl>
        )}
        <dl className={styles.ledger} aria-label="Patient">
          {patient === null ? (
            <Row label="Patient responsibility" isTotal>
              <Amount value={null} />
            </Row>
          ) : (
            <Row one={patient} isTotal>
              {patientParts !== null && patientParts.length > 0 && (
                <span className={styles.parts}>{listLabels(patientParts)}</span>
              )}
            </Row>
          )}
          {paidOther !== null && paidOther.amount !== 0n && <Row one={paidOther} />}
        </dl>
      </div>
    </Section>
  );
});

/** "deductible + copay + coinsurance". */
const listLabels = (parts: readonly ExplainedAmount[]): string =>
  parts.map(({ label }) => label.toLowerCase()).join(' + ');

const Ledger = ({ label, equation }: { label: string; equation: Equation }) => (
  <dl className={styles.ledger} aria-label={label}>
    <Row one={equation.from} />
    {equation.less.map((amount) => (
      <Row key={amount.label} one={amount} sign="−" />
    ))}
    <Row one={equation.total} sign="=" isTotal />
  </dl>
);

function Row(props: {
  one?: ExplainedAmount;
  label?: string;
  sign?: '−' | '=';
  isTotal?: boolean;
  children?: ReactNode;
}) {
  const { one } = props;
  const origin = one === undefined ? null : origins[one.origin];
  return (
    <div className={styles.row} data-total={props.isTotal}>
      <dt>
        <span className={styles.sign}>{props.sign}</span>
        {one?.label ?? props.label}
        {origin !== null && <span className={styles.origin}> {origin}</span>}
        {one !== undefined && props.children}
      </dt>
      <dd>{one === undefined ? props.children : <Total amount={one.amount} />}</dd>
    </div>
  );
}

/** Each amount as sent and as the service computed it, and which of the two is shown above. No `DataTable`: rows have headings. */
export const AmountTable = ({ claim }: { claim: ClaimRecord }) => (
  <FoldedSection title="Amount details">
    <div className={styles.scroll}>
      <Table verticalSpacing={1} horizontalSpacing={6} aria-label="Amounts, reported and calculated">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Amount</Table.Th>
            <Table.Th className={styles.number ?? ''}>Reported</Table.Th>
            <Table.Th className={styles.number ?? ''}>Calculated</Table.Th>
            <Table.Th>Meaning</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {amountSteps.map((step) => (
            <AmountRow key={step.field} claim={claim} step={step} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  </FoldedSection>
);

const AmountRow = ({ claim, step }: { claim: ClaimRecord; step: (typeof amountSteps)[number] }) => (
  <Table.Tr>
    <Table.Th scope="row" className={styles.rowLabel ?? ''}>
      {step.label}
    </Table.Th>
    <Table.Td className={styles.number ?? ''}>
      <Amount value={claim[step.field]} />
    </Table.Td>
    <Table.Td className={styles.number ?? ''}>
      {step.computedField === null ? '' : <Amount value={claim[step.computedField]} />}
    </Table.Td>
    <Table.Td className={styles.meaning ?? ''}>{step.meaning}</Table.Td>
  </Table.Tr>
);
