import { Badge } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { MemberRecord } from '../../../contract/records.ts';
import { formatPersonName } from '../../../rules/person-names.ts';
import type { Condition } from '../../../rules/query.ts';
import { AllFields } from '../../components/all-fields.tsx';
import { ErrorNotice, Loaded } from '../../components/error-notice.tsx';
import { Fact, FactRow } from '../../components/fact-row.tsx';
import { Columns, FoldedSection, Page, Section } from '../../components/page.tsx';
import { SetAside } from '../../components/set-aside.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { ClaimsOf } from '../../domain/claim/claims-of.tsx';
import { PersonYears } from '../../domain/claim/person-years.tsx';
import { PlanYears } from '../../domain/claim/plan-years.tsx';
import { EmployerLink } from '../../domain/employer/employer-link.tsx';
import { PapersTable } from '../../domain/letter/papers-table.tsx';
import { LeaveRecord } from '../../domain/list/leave-record.tsx';
import { type ListRef, memberClaimsList } from '../../domain/list/list-ref.ts';
import { ListWalk } from '../../domain/list/list-walk.tsx';
import { MissingBadge } from '../../domain/list/missing-badge.tsx';
import { useNewGate } from '../../domain/list/record-gate.ts';
import type { ConditionLabels } from '../../domain/list/use-open-list.ts';
import { Family } from '../../domain/member/family.tsx';
import { SavedStrip } from '../../domain/review/saved-strip.tsx';
import { useRefreshRecord } from '../../domain/sync/use-refresh-record.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatDateField } from '../../lib/format-date.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import { useAuditOpened } from '../../lib/use-audit-opened.ts';
import { DependentsTable } from './dependents-table.tsx';
import { FamilyPlanYear } from './family-plan-year.tsx';
import { LogCall, MemberCalls, MemberDocuments } from './member-calls.tsx';
import { MemberEmployer, MemberIdentity, MemberKeys, memberIdsOf } from './member-sections.tsx';
import { OwedLedger } from './owed-ledger.tsx';

const nameOf = (member: MemberRecord): string =>
  fullNameOf(member, formatPersonName(member.full_name_derived ?? '') || `Member ${member.id}`);

/**
 * One member, in the order of questions on the phone: identity, the family's progress, this plan year by person,
 * carriers, claims, then the details.
 */
export function MemberPage(props: {
  memberId: number;
  from: ListRef;
  /** The claim whose plan year is shown at first. */
  ofClaim?: number | undefined;
  /** The member’s carrier logins, passed in since features do not import each other. */
  logins: (member: MemberRecord) => ReactNode;
}) {
  const { memberId, from, ofClaim } = props;
  const query = useWorkspaceQuery('records:getMember', { id: memberId }, { keepsPrevious: true });
  const conditions = useMemo<Condition[]>(
    () => [{ field: 'members.id', operator: 'is', values: [memberId] }],
    [memberId],
  );
  const member = query.data?.member;
  useAuditOpened('members', member?.id);
  const gate = useNewGate(memberId, query.isError ? memberId : member?.id, from);
  const labels: ConditionLabels = member === undefined ? [] : [['members.id', memberId, nameOf(member)]];
  const refresh = useRefreshRecord('record');
  return (
    <Page
      title={member === undefined ? `Member ${memberId}` : nameOf(member)}
      documentTitle="Member"
      facts={member !== undefined && <MemberFacts member={member} />}
      beside={
        <>
          {member?.archived && (
            <Badge size="lg" variant="default">
              Archived
            </Badge>
          )}
          <MissingBadge missing={query.data?.missing} />
        </>
      }
      actions={
        <>
          {member !== undefined && <LogCall memberId={memberId} name={nameOf(member)} />}
          <SmallButton
            loading={refresh.refreshing !== null}
            onClick={() => refresh.refresh({ kind: 'member', memberId })}
          >
            Refresh member
          </SmallButton>
          <ListWalk gate={gate} id={memberId} from={from} of="members" />
          <LeaveRecord from={from} usual="members" />
        </>
      }
    >
      <ErrorNotice error={refresh.error} title="Couldn’t refresh this member" />
      <Loaded query={query} what="the member" title="Couldn’t load this member">
        {({ member, setAside, unknownFields }) => (
          <>
            <FamilyPlanYear key={`${memberId} ${ofClaim}`} memberId={memberId} ofClaim={ofClaim} />
            <MemberCalls key={`calls ${memberId}`} memberId={memberId} />
            <PersonYears member={member} labels={labels} />
            {props.logins(member)}
            <ClaimsOf
              key={memberId}
              listId={memberClaimsList(memberId)}
              conditions={conditions}
              emptyText="No claims for this member."
            />
            <MemberDocuments key={`documents ${memberId}`} memberId={memberId} />
            <MemberPapers key={`papers ${memberId}`} memberId={memberId} />
            <FoldedSection title="All plan years">
              <PlanYears
                conditions={conditions}
                labels={labels}
                emptyText="No claims for this member."
                employerId={member.employer?.id ?? null}
                employerName={member.employer?.name}
              />
            </FoldedSection>
            <OwedLedger memberId={memberId} />
            <SetAside items={setAside} list="dependents" one="dependent" />
            <DependentsTable dependents={member.dependents ?? []} />
            <Columns>
              <MemberIdentity member={member} name={nameOf(member)} />
              <MemberEmployer member={member} />
              <MemberKeys member={member} />
            </Columns>
            <AllFields record={member} unknownFields={unknownFields} omit={['ssn', 'dependents']} />
            <SavedStrip isSaid={(event) => event.memberId === memberId} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The facts by which a caller is identified: the member ID first, the number of the record last. */
const MemberFacts = ({ member }: { member: MemberRecord }) => (
  <FactRow>
    {memberIdsOf(member).map(([label, id]) => (
      <Fact key={label} label={label}>
        {id}
      </Fact>
    ))}
    <Fact label="Date of birth">{formatDateField(member.date_of_birth)}</Fact>
    <Fact label="Employer">
      <EmployerLink employer={member.employer} />
    </Fact>
    <Fact label="Family">
      <Family dependents={member.dependents} />
    </Fact>
    <Fact label="Record no.">{String(member.id)}</Fact>
  </FactRow>
);

/** The documents and letters of the claims of a member; nothing where there are none. The claim shows and saves them. */
function MemberPapers({ memberId }: { memberId: number }) {
  const { data, error, refetch } = useWorkspaceQuery('reviews:listPapers', { memberId });
  const { papers = [], isWhole = true } = data ?? {};
  if (error === null && papers.length === 0) return null;
  return (
    <Section title={`Documents and letters of claims (${papers.length})`}>
      <ErrorNotice error={error} title="Couldn’t load documents and letters" onRetry={refetch} />
      <PapersTable label="Documents and letters of claims" papers={papers} isWhole={isWhole} />
    </Section>
  );
}
