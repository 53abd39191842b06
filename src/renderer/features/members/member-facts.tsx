import type { DependentRecord, MemberRecord } from '../../../contract/records.ts';
import { Aside, Fact, FactRow } from '../../components/fact-row.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { formatDateField } from '../../lib/format-date.ts';
import { formatCode } from '../../lib/format-value.ts';
import styles from './member-facts.module.css';

/** The facts that a caller is asked for: date of birth, member ID, employer, dependents. */
export function MemberFacts({ member }: { member: MemberRecord }) {
  const { employer, dependents } = member;
  return (
    <FactRow>
      <Fact label="Date of birth">{formatDateField(member.date_of_birth)}</Fact>
      <Fact label="Member ID">{String(member.id)}</Fact>
      <Fact label="Employer">
        <EmployerLink employer={employer} />
      </Fact>
      <Fact label="Family">
        {dependents == null || dependents.length === 0 ? (
          'No dependents on file'
        ) : (
          <ul className={styles.family}>
            {dependents.map((dependent, index) => (
              <li key={dependent.id ?? index} className={styles.person}>
                <DependentName dependent={dependent} />
              </li>
            ))}
          </ul>
        )}
      </Fact>
    </FactRow>
  );
}

function DependentName({ dependent }: { dependent: DependentRecord }) {
  const name = dependent.first_name || dependent.last_name || 'No name';
  const about = [
    formatCode('relationship', dependent.relationship),
    formatDateField(dependent.date_of_birth),
  ];
  return (
    <>
      {typeof dependent.id === 'number' ? (
        <AnchorLink to="/dependents/$dependentId" params={{ dependentId: dependent.id }}>
          {name}
        </AnchorLink>
      ) : (
        name
      )}{' '}
      <Aside>{about.filter((part) => part && part !== '—').join(' · ')}</Aside>
    </>
  );
}
