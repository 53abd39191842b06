import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../../rules/count.ts';
import { sumNames, type Totals } from '../../../rules/query.ts';
import { Total } from '../../components/amount.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { figures } from '../figure/figures.ts';
import styles from './plan-years.module.css';

export interface ClaimSum {
  readonly key: string;
  readonly label: ReactNode;
  readonly totals: Totals;
  readonly rejected?: RejectedSum;
  /** Opens the claims of this row. */
  readonly onOpen?: () => void;
}

interface RejectedSum {
  readonly count: number;
  readonly patientResponsibility: Totals['patientResponsibility'];
  readonly notCounted?: Totals['notCounted'];
  readonly onOpen: () => void;
}

/**
 * Two cells for rejected claims: their number, which opens them, and their patient responsibility. `of`: the row, in
 * words.
 */
export function RejectedCells({ of, rejected }: { of: string; rejected: RejectedSum }) {
  if (rejected.count === 0)
    return (
      <>
        <Table.Td className={`amount ${styles.apart}`}>0</Table.Td>
        <Table.Td className="amount">
          <Total amount={null} />
        </Table.Td>
      </>
    );
  return (
    <>
      <Table.Td className={`amount ${styles.apart}`}>
        <TextButton
          aria-label={`Show ${formatCount(rejected.count)} denied claims: ${of}`}
          onClick={rejected.onOpen}
        >
          {formatCount(rejected.count)}
        </TextButton>
      </Table.Td>
      <Table.Td className="amount">
        <Total
          amount={rejected.patientResponsibility}
          notCounted={rejected.notCounted?.patientResponsibility}
        />
      </Table.Td>
    </>
  );
}

/** The head of a table with columns for rejected claims. `first`: the label of its first column. */
export const RejectedHeads = (props: {
  first: string;
  all: string;
  columns: readonly string[];
  rejected: string;
}) => (
  <Table.Thead>
    <Table.Tr>
      <Table.Th rowSpan={2} scope="col" className={styles.low ?? ''}>
        {props.first}
      </Table.Th>
      <Table.Th colSpan={props.columns.length} scope="colgroup" className={styles.group ?? ''}>
        {props.all}
      </Table.Th>
      <Table.Th colSpan={2} scope="colgroup" className={`${styles.group} ${styles.apart}`}>
        {props.rejected}
      </Table.Th>
    </Table.Tr>
    <Table.Tr>
      {props.columns.map((head) => (
        <Table.Th key={head} scope="col" className="amount">
          {head}
        </Table.Th>
      ))}
      <Table.Th scope="col" className={`amount ${styles.apart}`}>
        Claims
      </Table.Th>
      <Table.Th scope="col" className="amount">
        Patient resp.
      </Table.Th>
    </Table.Tr>
  </Table.Thead>
);

const sums = ['Claims', 'Billed', 'Allowed', 'Plan paid', 'Patient resp.'] as const;

/** Counts and exact sums of claims, one per row; a row's name opens its claims. No `DataTable`: a heading spans columns. */
export function ClaimSums(props: { label: string; head: string; rows: readonly ClaimSum[] }) {
  const hasRejected = props.rows.some(({ rejected }) => rejected !== undefined);
  return (
    <Scrollable label={`${props.label}, scrollable`}>
      <Table verticalSpacing={2} aria-label={props.label}>
        {hasRejected ? (
          <RejectedHeads
            first={props.head}
            all={figures.planYears.name}
            columns={sums}
            rejected={figures.planYearsRejected.name}
          />
        ) : (
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{props.head}</Table.Th>
              {sums.map((head) => (
                <Table.Th key={head} className="amount">
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
        )}
        <Table.Tbody>
          {props.rows.map(({ key, label, totals, rejected, onOpen }) => (
            <Table.Tr key={key}>
              <Table.Td>
                {onOpen === undefined ? (
                  label
                ) : (
                  <TextButton title="Show these claims" onClick={onOpen}>
                    {label}
                  </TextButton>
                )}
              </Table.Td>
              <Table.Td className="amount">{formatCount(totals.count)}</Table.Td>
              {sumNames.map((name) => (
                <Table.Td key={name} className="amount">
                  <Total amount={totals[name]} notCounted={totals.notCounted?.[name]} />
                </Table.Td>
              ))}
              {rejected !== undefined && <RejectedCells of={key} rejected={rejected} />}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scrollable>
  );
}
