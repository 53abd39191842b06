import { Badge, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { Total } from '../../components/amount.tsx';
import { formatCount } from '../../lib/format-value.ts';
import styles from './plan-years.module.css';

type Sum = bigint | number | string | null;

export interface ClaimSum {
  readonly key: string;
  readonly label: ReactNode;
  readonly totals: {
    readonly count: number;
    readonly billed: Sum;
    readonly allowed: Sum;
    readonly paid: Sum;
    readonly patientResponsibility: Sum;
  };
  /** Opens the claims behind the figures. */
  readonly onOpen?: () => void;
  /** An action for the row, in its last cell. */
  readonly action?: ReactNode;
}

/** Says that figures are added up here: the service sends no totals. */
export function DerivedBadge() {
  return (
    <Badge variant="default" title="Added up from synced claims; not an official accumulator">
      Calculated by Claimdesk
    </Badge>
  );
}

function Sums({ totals }: { totals: ClaimSum['totals'] }) {
  return (
    <>
      <Table.Td className={styles.number ?? ''}>{formatCount(totals.count)}</Table.Td>
      <Table.Td className={styles.number ?? ''}>
        <Total amount={totals.billed} />
      </Table.Td>
      <Table.Td className={styles.number ?? ''}>
        <Total amount={totals.allowed} />
      </Table.Td>
      <Table.Td className={styles.number ?? ''}>
        <Total amount={totals.paid} />
      </Table.Td>
      <Table.Td className={styles.number ?? ''}>
        <Total amount={totals.patientResponsibility} />
      </Table.Td>
    </>
  );
}

/** Counts and exact sums of claims, one per row; a row's name opens its claims. */
export function ClaimSums(props: { label: string; head: string; rows: readonly ClaimSum[] }) {
  const hasActions = props.rows.some(({ action }) => action);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={`${props.label}, scrollable`}>
      <Table verticalSpacing={2} aria-label={props.label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{props.head}</Table.Th>
            {['Claims', 'Billed', 'Allowed', 'Plan paid', 'Patient resp.'].map((head) => (
              <Table.Th key={head} className={styles.number ?? ''}>
                {head}
              </Table.Th>
            ))}
            {hasActions && <Table.Td />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {props.rows.map(({ key, label, totals, onOpen, action }) => (
            <Table.Tr key={key}>
              <Table.Td>
                {onOpen === undefined ? (
                  label
                ) : (
                  <button type="button" className={styles.value} title="Show these claims" onClick={onOpen}>
                    {label}
                  </button>
                )}
              </Table.Td>
              <Sums totals={totals} />
              {hasActions && <Table.Td className={styles.number ?? ''}>{action}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
