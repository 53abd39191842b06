import type { MemberRecord } from '../../../contract/records.ts';
import { Fact, FactRow } from '../../components/fact-row.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { Family } from '../../domain/member/family.tsx';
import { formatDateField } from '../../lib/format-date.ts';

/** The facts that a caller is asked for: date of birth, member ID, employer, dependents. */
export function MemberFacts({ member }: { member: MemberRecord }) {
  return (
    <FactRow>
      <Fact label="Date of birth">{formatDateField(member.date_of_birth)}</Fact>
      <Fact label="Member ID">{String(member.id)}</Fact>
      <Fact label="Employer">
        <EmployerLink employer={member.employer} />
      </Fact>
      <Fact label="Family">
        <Family dependents={member.dependents} />
      </Fact>
    </FactRow>
  );
}
