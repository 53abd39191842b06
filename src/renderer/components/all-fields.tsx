import { Badge, Code, Table } from '@mantine/core';
import { formatCountOf } from '../../rules/count.ts';
import { formatUnknown } from '../lib/format-value.ts';
import styles from './all-fields.module.css';
import { FoldedSection } from './page.tsx';

/**
 * Every field of a record as the service sent it, unknown ones marked, in a section that is closed at first. `omit`
 * lists what the page shows elsewhere.
 */
export function AllFields(props: {
  record: Readonly<Record<string, unknown>>;
  unknownFields: readonly string[];
  omit?: readonly string[];
}) {
  const unknown = new Set(props.unknownFields);
  const isUnknown = (path: string) => props.unknownFields.some((field) => rootOf(field) === path);
  const names = Object.keys(props.record).filter((name) => !props.omit?.includes(name));
  return (
    <FoldedSection title={describeRawData(names.length, unknown.size)}>
      <Table verticalSpacing={2} className={styles.table ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Value</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => (
            <Table.Tr key={name}>
              <Table.Td>
                <code>{name}</code>{' '}
                {isUnknown(name) && (
                  <Badge size="xs" variant="default">
                    unknown
                  </Badge>
                )}
              </Table.Td>
              <Table.Td className={styles.value ?? ''}>
                {typeof props.record[name] === 'object' && props.record[name] !== null ? (
                  <Code block className={styles.code ?? ''}>
                    {formatUnknown(props.record[name])}
                  </Code>
                ) : (
                  formatUnknown(props.record[name])
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </FoldedSection>
  );
}

/** "Raw data (53 fields, 2 unrecognized)". */
export const describeRawData = (fields: number, unrecognized: number): string =>
  `Raw data (${formatCountOf(fields, 'field')}${unrecognized > 0 ? `, ${unrecognized} unrecognized` : ''})`;

const rootOf = (path: string): string => /^[^.[]+/.exec(path)?.[0] ?? path;
