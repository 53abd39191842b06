import { Badge } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { formatCode } from '../../../contract/code-labels.ts';
import type { DependentRecord, MemberRecord } from '../../../contract/records.ts';
import type { Condition } from '../../../rules/query.ts';
import { AllFields } from '../../components/all-fields.tsx';
import { Loaded } from '../../components/error-notice.tsx';
import { Fact, FactRow } from '../../components/fact-row.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Columns, FieldSection, Page, Section } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { ClaimsOf } from '../../domain/claim/claims-of.tsx';
import { PersonYears } from '../../domain/claim/person-years.tsx';
import { PlanYears } from '../../domain/claim/plan-years.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { LeaveRecord } from '../../domain/list/leave-record.tsx';
import { dependentClaimsList, type ListRef } from '../../domain/list/list-ref.ts';
import { ListWalk } from '../../domain/list/list-walk.tsx';
import { MissingBadge } from '../../domain/list/missing-badge.tsx';
import { useNewGate } from '../../domain/list/record-gate.ts';
import { Family } from '../../domain/member/family.tsx';
import { SsnField } from '../../domain/member/ssn-field.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatDateField, formatDateTime } from '../../lib/format-date.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import { formatValue } from '../../lib/format-value.ts';
import { useAuditOpened } from '../../lib/use-audit-opened.ts';

const text = (value: unknown) => formatValue(value, 'text');

const memberName = (member: MemberRecord): string => fullNameOf(member, `Member ${member.id}`);

/** One dependent, the member they belong to, and the claims that match their name. */
export function DependentPage(props: {
  dependentId: number;
  from: ListRef;
  /** The member’s carrier logins, passed in since features do not import each other. */
  logins: (member: MemberRecord) => ReactNode;
}) {
  const { dependentId, from } = props;
  const query = useWorkspaceQuery('records:getDependent', { id: dependentId }, { keepsPrevious: true });
  const dependent = query.data?.dependent;
  const memberId = query.data?.memberId;
  useAuditOpened('dependents', dependent?.id ?? undefined);
  const gate = useNewGate(dependentId, query.isError ? dependentId : dependent?.id, from);
  const member = useWorkspaceQuery(
    'records:getMember',
    { id: memberId ?? 0, isLookup: true },
    { enabled: memberId !== undefined },
  ).data?.member;
  return (
    <Page
      title={(dependent && fullNameOf(dependent)) || `Dependent ${dependentId}`}
      documentTitle="Dependent"
      facts={dependent !== undefined && <DependentFacts dependent={dependent} member={member} />}
      beside={<MissingBadge missing={query.data?.missing} />}
      actions={
        <>
          <ListWalk gate={gate} id={dependentId} from={from} of="dependents" />
          <LeaveRecord from={from} usual="dependents" />
        </>
      }
    >
      <Loaded query={query} what="the dependent" title="Couldn’t load this dependent">
        {({ dependent, memberId }) => (
          <>
            {member !== undefined && (
              <PersonYears
                member={member}
                labels={[['members.id', memberId, memberName(member)]]}
                only={{ kind: 'dependent', id: dependentId }}
              />
            )}
            {member !== undefined && props.logins(member)}
            <MatchedClaims dependent={dependent} memberId={memberId} member={member} id={dependentId} />
            <Columns>
              <FieldSection
                title="Identity"
                fields={[
                  ['Dependent ID', text(dependent.id)],
                  ['First name', text(dependent.first_name)],
                  ['Middle name', text(dependent.middle_name)],
                  ['Last name', text(dependent.last_name)],
                  ['Relationship', text(formatCode('relationship', dependent.relationship))],
                  ['Date of birth', formatDateField(dependent.date_of_birth)],
                  [
                    'SSN',
                    <SsnField
                      key={dependentId}
                      entity="dependents"
                      id={dependentId}
                      masked={dependent.ssn}
                      name={fullNameOf(dependent)}
                    />,
                  ],
                ]}
              />
              <FieldSection
                title="Member and contact"
                fields={[
                  [
                    'Member',
                    <AnchorLink key="member" size="sm" to="/members/$memberId" params={{ memberId }}>
                      {member === undefined ? `Member ${memberId}` : memberName(member)}
                    </AnchorLink>,
                  ],
                  ['Email', text(dependent.email)],
                  ['Address', text(dependent.address)],
                  ['Partner ID', text(dependent.partner_key)],
                  ['Created', formatDateTime(dependent.createddate)],
                  ['Modified', formatDateTime(dependent.modifieddate)],
                ]}
              />
            </Columns>
            <AllFields record={dependent} unknownFields={query.data?.unknownFields ?? []} omit={['ssn']} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function MatchedClaims(props: {
  dependent: DependentRecord;
  memberId: number;
  member: MemberRecord | undefined;
  id: number;
}) {
  const { dependent, memberId, member } = props;
  const conditions = useMemo(() => nameMatchConditions(dependent, memberId), [dependent, memberId]);
  if (conditions === null) {
    return (
      <Section title="Claims">
        <Hint>Can’t match claims: this dependent has no first name on file.</Hint>
      </Section>
    );
  }
  return (
    <>
      <ClaimsOf
        key={props.id}
        listId={dependentClaimsList(props.id)}
        conditions={conditions}
        isOfPatient
        emptyText="No claims with this person as the patient."
        beside={<MatchedBadge />}
      />
      <PlanYears
        conditions={conditions}
        labels={[['members.id', memberId, member === undefined ? `Member ${memberId}` : memberName(member)]]}
        emptyText="No claims with this person as the patient."
        employerId={member?.employer?.id ?? null}
        employerName={member?.employer?.name}
        beside={<MatchedBadge />}
      />
    </>
  );
}

function MatchedBadge() {
  return (
    <Badge
      variant="default"
      title="Claims have no dependent ID; these have this person’s name as the patient"
    >
      Matched by name
    </Badge>
  );
}

/** The facts about a dependent by which a caller is identified, and their family. */
function DependentFacts(props: { dependent: DependentRecord; member: MemberRecord | undefined }) {
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
          <Fact label="Member record no.">{String(member.id)}</Fact>
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

/**
 * Conditions for a dependent's claims. A claim has no dependent, so the member's claims whose patient name contains
 * the dependent's first and last name are used (docs/service.md, "What the claim fields mean"). Null without a first
 * name.
 */
export function nameMatchConditions(dependent: DependentRecord, memberId: number): Condition[] | null {
  const first = dependent.first_name?.trim();
  if (!first) return null;
  const last = dependent.last_name?.trim();
  return [
    { field: 'members.id', operator: 'is', values: [memberId] },
    { field: 'patient_name', operator: 'contains', values: [first] },
    ...(last ? [{ field: 'patient_name', operator: 'contains' as const, values: [last] }] : []),
  ];
}
