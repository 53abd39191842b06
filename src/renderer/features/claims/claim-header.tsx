import { memo } from 'react';
import { readAmount } from '../../../contract/claim-amounts.ts';
import { formatCode } from '../../../contract/code-labels.ts';
import type { ClaimRecord, MemberRecord } from '../../../contract/records.ts';
import { serviceOf } from '../../../rules/money/reimbursement.ts';
import { formatPersonName } from '../../../rules/person-names.ts';
import { planRulesOf } from '../../../rules/plans/plan-rules.ts';
import { Total } from '../../components/amount.tsx';
import { Aside, Fact, FactRow } from '../../components/fact-row.tsx';
import { Figure } from '../../components/figure.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { findPatient } from '../../domain/member/find-patient.ts';
import { useReview } from '../../domain/review/use-review.ts';
import { useWorkspaceSettings } from '../../domain/workspace/use-workspace-settings.ts';
import { formatRange } from '../../lib/format-range.ts';
import { formatValue } from '../../lib/format-value.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './claim-header.module.css';

/** The facts that identify a claim: patient, dates, provider, employer. */
export const ClaimHeader = memo(function ClaimHeader({
  claim,
  member,
}: {
  claim: ClaimRecord;
  member: MemberRecord | undefined;
}) {
  const employer = claim.members?.[0]?.employer;
  return (
    <FactRow>
      <Fact label="Patient">
        <PatientLink claim={claim} member={member} />
      </Fact>
      <Fact label="Service">
        <Figure>{formatRange(claim.date_of_service)}</Figure>
      </Fact>
      <Fact label="Provider">{formatValue(claim.service_provider, 'text')}</Fact>
      <Fact label="Employer">
        <EmployerLink employer={employer} />
      </Fact>
      {member !== undefined && <FamilyFact claim={claim} />}
    </FactRow>
  );
});

/** Opens what the claim’s family used of the plan’s limits; nothing where the employer has no plan rules. */
function FamilyFact({ claim }: { claim: ClaimRecord }) {
  const workspace = useWorkspace();
  const { planRules } = useWorkspaceSettings().settings;
  // A claim counts for the family of the member that it names first.
  const first = claim.members?.[0];
  const rules = planRulesOf(planRules, serviceOf(workspace), first?.employer?.id ?? null);
  if (rules === null || typeof first?.id !== 'number') return null;
  return (
    <Fact label="Family">
      <AnchorLink
        to="/members/$memberId"
        params={{ memberId: first.id }}
        search={{ claim: claim.id ?? undefined }}
      >
        Limits
      </AnchorLink>
    </Fact>
  );
}

const shownAmounts = [
  ['Billed', 'amount_billed'],
  ['Plan paid', 'amount_paid'],
  ['Patient responsibility', 'patient_responsibility'],
] as const;

/** Shows the amounts that decide a claim: those in "Amounts", and what is eligible and not reimbursed. */
export const ClaimNumbers = memo(function ClaimNumbers({ claim }: { claim: ClaimRecord }) {
  const { review } = useReview(claim.id ?? 0);
  return (
    <dl className={styles.numbers} aria-label="Amounts of the claim">
      {shownAmounts.map(([label, field]) => {
        const explained = readAmount(claim, field);
        return (
          <div key={field}>
            <dt>{label}</dt>
            <dd>
              <Total amount={explained?.amount ?? null} />
            </dd>
          </div>
        );
      })}
      <div>
        <dt>Open</dt>
        <dd>{review !== undefined && <Total amount={review.open} />}</dd>
      </div>
    </dl>
  );
});

/** The patient, linked to the member or dependent on this computer with that name. */
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
        <Aside>· {patient.sharesName ? 'member, or a dependent of the same name' : 'member'}</Aside>
      </>
    );
  }
  const relationship = formatCode('relationship', patient.relationship) ?? 'Dependent';
  return (
    <>
      <AnchorLink to="/dependents/$dependentId" params={{ dependentId: patient.id }}>
        {name}
      </AnchorLink>{' '}
      <Aside>· {relationship.toLowerCase()}</Aside>
    </>
  );
}
