import { Table, type TableProps } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Scrollable } from './scrollable.tsx';

/** Header, cell of a row, and the class of both. */
export type TableColumn<Row> = readonly [
  head: ReactNode,
  cell: (row: Row, index: number) => ReactNode,
  className?: string | undefined,
];

/**
 * A plain table: a header for each column, a row for each record. `keyOf` identifies a row; without it, its index does.
 */
export function DataTable<Row>(
  props: {
    label: string;
    columns: readonly TableColumn<Row>[];
    rows: readonly Row[];
    keyOf?: (row: Row, index: number) => string | number;
    /** Further attributes of a row's element. */
    rowOf?: (row: Row) => Readonly<Record<string, unknown>>;
  } & Pick<TableProps, 'className' | 'verticalSpacing'>,
) {
  const { label, columns, rows, keyOf, rowOf, ...table } = props;
  return (
    <Table aria-label={label} {...table}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(([head, , className], at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of columns is fixed
            <Table.Th key={at} className={className ?? ''}>
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, index) => (
          <Table.Tr key={keyOf?.(row, index) ?? index} {...rowOf?.(row)}>
            {columns.map(([, cell, className], at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of columns is fixed
              <Table.Td key={at} className={className ?? ''}>
                {cell(row, index)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Shows a dense table that scrolls sideways if it is wider than its container. */
export const ScrollableTable = <Row,>(props: ComponentProps<typeof DataTable<Row>>) => (
  <Scrollable label={`${props.label}, scrollable`}>
    <DataTable verticalSpacing={2} {...props} />
  </Scrollable>
);
