import { formatCode } from '../../../contract/code-labels.ts';
import type { DependentRecord } from '../../../contract/records.ts';
import { DataTable } from '../../components/data-table.tsx';
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
export function DependentsTable(props: { dependents: readonly DependentRecord[] }) {
  const { dependents } = props;
  return (
    <Section title={`Dependents (${dependents.length})`}>
      {dependents.length === 0 ? (
        <Hint>No dependents on file.</Hint>
      ) : (
        <div className={styles.scroll}>
          <DataTable
            label="Dependents"
            verticalSpacing={3}
            rows={dependents}
            keyOf={({ id }, index) => id ?? index}
            columns={[
              [
                'Name',
                (dependent) =>
                  typeof dependent.id === 'number' ? (
                    <AnchorLink
                      size="sm"
                      to="/dependents/$dependentId"
                      params={{ dependentId: dependent.id }}
                    >
                      {nameOf(dependent)}
                    </AnchorLink>
                  ) : (
                    nameOf(dependent)
                  ),
              ],
              [
                'Relationship',
                ({ relationship }) => formatValue(formatCode('relationship', relationship), 'text'),
              ],
              ['Date of birth', (dependent) => formatDateField(dependent.date_of_birth)],
              [
                'SSN',
                (dependent) =>
                  typeof dependent.id === 'number' ? (
                    <SsnField
                      entity="dependents"
                      id={dependent.id}
                      masked={dependent.ssn}
                      name={nameOf(dependent)}
                    />
                  ) : (
                    formatSsn(dependent.ssn)
                  ),
              ],
              ['Email', ({ email }) => formatValue(email, 'text')],
              ['Partner ID', ({ partner_key: key }) => formatValue(key, 'text')],
            ]}
          />
        </div>
      )}
    </Section>
  );
}
