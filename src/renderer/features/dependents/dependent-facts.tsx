import type { DependentRecord, MemberRecord } from '../../../contract/records.ts';
import { Fact, FactRow } from '../../components/fact-row.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { Family } from '../../domain/member/family.tsx';
import { formatDateField } from '../../lib/format-date.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import { formatCode, formatValue } from '../../lib/format-value.ts';

/** The facts about a dependent that a caller is asked for, and their family. */
export function DependentFacts(props: { dependent: DependentRecord; member: MemberRecord | undefined }) {
  const { dependent, member } = props;
  return (
    <FactRow>
      <Fact label="Date of birth">{formatDateField(dependent.date_of_birth)}</Fact>
      <Fact label="Relationship">
        {formatValue(formatCode('relationship', dependent.relationship), 'text')}
      </Fact>
      {member !== undefined && (
        <>
          <Fact label="Member">
            <AnchorLink to="/members/$memberId" params={{ memberId: member.id }}>
              {fullNameOf(member, `Member ${member.id}`)}
            </AnchorLink>
          </Fact>
          <Fact label="Member ID">{String(member.id)}</Fact>
          <Fact label="Employer">
            <EmployerLink employer={member.employer} />
          </Fact>
          <Fact label="Family">
            <Family dependents={member.dependents} shownId={dependent.id} />
          </Fact>
        </>
      )}
    </FactRow>
  );
}
