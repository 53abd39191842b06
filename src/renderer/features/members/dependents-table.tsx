import { Table } from '@mantine/core';
import { formatCode } from '../../../contract/code-labels.ts';
import type { DependentRecord } from '../../../contract/records.ts';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { SsnField } from '../../domain/member/ssn-field.tsx';
import { formatDateField } from '../../lib/format-date.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import { formatSsn, formatValue } from '../../lib/format-value.ts';
import styles from './dependents-table.module.css';

const nameOf = (dependent: DependentRecord): string =>
  fullNameOf(dependent, `Dependent ${dependent.id ?? 'without ID'}`);

/** The dependents of a member; each has a page. */
export function DependentsTable(props: { workspaceId: string; dependents: readonly DependentRecord[] }) {
  const { workspaceId, dependents } = props;
  return (
    <Section title={`Dependents (${dependents.length})`}>
      {dependents.length === 0 ? (
        <Hint>No dependents on file.</Hint>
      ) : (
        <div className={styles.scroll}>
          <Table verticalSpacing={3} aria-label="Dependents">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Relationship</Table.Th>
                <Table.Th>Date of birth</Table.Th>
                <Table.Th>SSN</Table.Th>
                <Table.Th>Email</Table.Th>
                <Table.Th>Partner ID</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {dependents.map((dependent, index) => (
                <Table.Tr key={dependent.id ?? index}>
                  <Table.Td>
                    {typeof dependent.id === 'number' ? (
                      <AnchorLink
                        size="sm"
                        to="/dependents/$dependentId"
                        params={{ dependentId: dependent.id }}
                      >
                        {nameOf(dependent)}
                      </AnchorLink>
                    ) : (
                      nameOf(dependent)
                    )}
                  </Table.Td>
                  <Table.Td>
                    {formatValue(formatCode('relationship', dependent.relationship), 'text')}
                  </Table.Td>
                  <Table.Td>{formatDateField(dependent.date_of_birth)}</Table.Td>
                  <Table.Td>
                    {typeof dependent.id === 'number' ? (
                      <SsnField
                        workspaceId={workspaceId}
                        entity="dependents"
                        id={dependent.id}
                        masked={dependent.ssn}
                        name={nameOf(dependent)}
                      />
                    ) : (
                      formatSsn(dependent.ssn)
                    )}
                  </Table.Td>
                  <Table.Td>{formatValue(dependent.email, 'text')}</Table.Td>
                  <Table.Td>{formatValue(dependent.partner_key, 'text')}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Section>
  );
}
