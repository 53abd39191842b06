import { Table } from '@mantine/core';
import type { ClaimRecord } from '../../../contract/records.ts';
import { Amount, MarkedAmount } from '../../components/amount.tsx';
import { FoldedSection, Section } from '../../components/page.tsx';
import { type AmountStep, chainSteps, detailSteps } from './claim-amounts.ts';
import styles from './claim-chain.module.css';

const operators = ['', '−', '=', '', ''];

/** Billed, discount, allowed, plan paid, patient: what was sent, else what the service computed, marked. */
export function ClaimChain({ claim }: { claim: ClaimRecord }) {
  return (
    <Section title="Amounts">
      <ol className={styles.chain}>
        {chainSteps.map((step, index) => (
          <li key={step.field} className={styles.step} data-sign={operators[index]}>
            <span className={styles.label}>{step.label}</span>
            <span className={styles.value}>
              <MarkedAmount raw={claim[step.field]} computed={computedOf(claim, step)} />
            </span>
            <span className={styles.meaning}>{step.meaning}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Each amount as sent and as the service computed it, and which of the two the chain shows. */
export function AmountTable({ claim }: { claim: ClaimRecord }) {
  return (
    <FoldedSection title="Amount details">
      <div className={styles.scroll}>
        <Table verticalSpacing={1} horizontalSpacing={6} aria-label="Amounts, reported and calculated">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Amount</Table.Th>
              <Table.Th className={styles.number ?? ''}>Reported</Table.Th>
              <Table.Th className={styles.number ?? ''}>Calculated</Table.Th>
              <Table.Th>Shown above</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...chainSteps, ...detailSteps].map((step) => (
              <AmountRow key={step.field} claim={claim} step={step} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </FoldedSection>
  );
}

function computedOf(claim: ClaimRecord, step: AmountStep): unknown {
  return step.computedField === undefined ? undefined : claim[step.computedField];
}

function isThere(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function AmountRow({ claim, step }: { claim: ClaimRecord; step: AmountStep }) {
  const raw = claim[step.field];
  const computed = computedOf(claim, step);
  const isInChain = chainSteps.includes(step);
  const shown = isThere(raw) ? 'Reported' : isThere(computed) ? 'Calculated' : 'Not reported';
  return (
    <Table.Tr>
      <Table.Th scope="row" className={styles.rowLabel ?? ''} title={step.meaning}>
        {step.label}
      </Table.Th>
      <Table.Td className={styles.number ?? ''}>
        <Amount value={raw} />
      </Table.Td>
      <Table.Td className={styles.number ?? ''}>
        {step.computedField === undefined ? '' : <Amount value={computed} />}
      </Table.Td>
      <Table.Td className={styles.note ?? ''}>{isInChain ? shown : ''}</Table.Td>
    </Table.Tr>
  );
}
