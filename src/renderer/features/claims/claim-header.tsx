import type { ClaimRecord, MemberRecord } from '../../../contract/records.ts';
import { Aside, Fact, FactRow } from '../../components/fact-row.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { findPatient } from '../../domain/member/find-patient.ts';
import { formatPersonName } from '../../lib/format-name.ts';
import { formatRange } from '../../lib/format-range.ts';
import { formatCode, formatValue } from '../../lib/format-value.ts';

/** The facts that identify a claim: patient, dates, provider, subscriber. */
export function ClaimHeader({ claim, member }: { claim: ClaimRecord; member: MemberRecord | undefined }) {
  const employer = claim.members?.[0]?.employer;
  return (
    <FactRow>
      <Fact label="Patient">
        <PatientLink claim={claim} member={member} />
      </Fact>
      <Fact label="Service">{formatRange(claim.date_of_service)}</Fact>
      <Fact label="Provider">{formatValue(claim.service_provider, 'text')}</Fact>
      <Fact label="Employer">
        <EmployerLink employer={employer} />
      </Fact>
    </FactRow>
  );
}

/** The patient, linked to their own page where somebody on file has the name. */
function PatientLink({ claim, member }: { claim: ClaimRecord; member: MemberRecord | undefined }) {
  const name = formatPersonName(claim.patient_name ?? '') || formatValue(null, 'text');
  const patient = member === undefined ? null : findPatient(claim.patient_name, member);
  if (patient === null) return name;
  if (patient.kind === 'member') {
    return (
      <>
        <AnchorLink to="/members/$memberId" params={{ memberId: patient.id }}>
          {name}
        </AnchorLink>{' '}
        <Aside>{patient.sharesName ? 'member, or a dependent of the same name' : 'member'}</Aside>
      </>
    );
  }
  const relationship = formatCode('relationship', patient.relationship) ?? 'Dependent';
  return (
    <>
      <AnchorLink to="/dependents/$dependentId" params={{ dependentId: patient.id }}>
        {name}
      </AnchorLink>{' '}
      <Aside>{relationship.toLowerCase()}</Aside>
    </>
  );
}
