import type { DependentRecord, MemberRecord } from '../../../contract/records.ts';
import { Fact, FactRow } from '../../components/fact-row.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { formatDateField } from '../../lib/format-date.ts';
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
              {[member.first_name, member.last_name].filter(Boolean).join(' ') || `Member ${member.id}`}
            </AnchorLink>
          </Fact>
          <Fact label="Employer">{formatValue(member.employer?.name, 'text')}</Fact>
        </>
      )}
    </FactRow>
  );
}
