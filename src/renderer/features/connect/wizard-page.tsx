import { Badge, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { SmallButtonLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { LoadingState } from '../../components/states.tsx';
import { StepList } from '../../components/step-list.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { CarrierStep } from './carrier-step.tsx';
import { KnownMembers } from './known-members.tsx';
import { LoginFlow } from './login-flow.tsx';
import { emptyMember, prefillMember } from './member-prefill.ts';
import { MemberSearch } from './member-search.tsx';
import { MemberStep } from './member-step.tsx';
import { SetUpGate } from './setup-gate.tsx';
import type { Consents } from './terms-step.tsx';
import type { WizardStep } from './wizard-step.ts';

/** Member, carrier, terms, login: from a person to a watched connection. */
export function WizardPage({ step }: { step: WizardStep }) {
  const workspace = useWorkspace();
  return (
    <Page
      title="Add member"
      documentTitle="Add member"
      isNarrow
      actions={<SmallButtonLink to="/connections">Cancel</SmallButtonLink>}
    >
      <SetUpGate workspace={workspace}>{() => <Wizard step={step} />}</SetUpGate>
    </Page>
  );
}

const steps = ['Member', 'Carrier', 'Consent', 'Sign-in'];

function Wizard({ step }: { step: WizardStep }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const [consents, setConsents] = useState<Consents | null>(null);
  const members = useDeskQuery('connect:listMembers', { workspaceId: workspace.id });
  const go = (next: WizardStep) => {
    setConsents(null);
    void navigate({ to: '/connections/new', search: next });
  };
  if (members.error !== null || members.data === undefined)
    return <NotLoaded query={members} what="the members" />;
  const known = members.data.members;
  const member = known.find(({ bootstrappedAt }) => bootstrappedAt === step.broughtIn);
  const { payerId } = step;
  const stepIndex = member === undefined ? 0 : payerId === undefined ? 1 : consents === null ? 2 : 3;
  return (
    <Stack gap={10}>
      <StepList steps={steps} current={stepIndex} />
      {member !== undefined && (
        <Group gap="xs">
          <Badge variant="default" size="lg">
            {member.firstName} {member.lastName} · {member.employer.name}
          </Badge>
          <SmallButton variant="subtle" onClick={() => go({})}>
            Change member
          </SmallButton>
          {payerId !== undefined && (
            <SmallButton variant="subtle" onClick={() => go({ broughtIn: member.bootstrappedAt })}>
              Change carrier
            </SmallButton>
          )}
        </Group>
      )}
      {member === undefined && (
        <>
          <WhoseData
            workspace={workspace}
            step={step}
            onFound={(memberId) => go({ memberId })}
            onMember={(broughtIn) => go({ broughtIn })}
          />
          <KnownMembers
            workspaceId={workspace.id}
            members={known}
            onChoose={(chosen) => go({ broughtIn: chosen.bootstrappedAt })}
          />
        </>
      )}
      {member !== undefined && payerId === undefined && (
        <Section title="Carrier">
          <CarrierStep
            workspace={workspace}
            member={member}
            onChoose={(chosen) => go({ broughtIn: member.bootstrappedAt, payerId: chosen })}
          />
        </Section>
      )}
      {member !== undefined && payerId !== undefined && (
        <LoginFlow
          workspace={workspace}
          member={member}
          payerId={payerId}
          policyHolderId={null}
          consents={consents}
          onConsent={setConsents}
          onSubmitted={({ policyHolderId }) =>
            void navigate({ to: '/connections/$policyHolderId', params: { policyHolderId } })
          }
        />
      )}
    </Stack>
  );
}

/** The member's data: searched on this computer, filled in from a record, or entered by hand. */
function WhoseData(props: {
  workspace: Workspace;
  step: WizardStep;
  onFound: (memberId: number) => void;
  onMember: (broughtIn: string) => void;
}) {
  const { workspace, step } = props;
  const { memberId } = step;
  const record = useDeskQuery(
    'records:getMember',
    { workspaceId: workspace.id, id: memberId ?? 0 },
    { enabled: memberId !== undefined },
  );
  const employers = useDeskQuery('connect:listEmployers', { workspaceId: workspace.id });
  if (employers.error !== null || employers.data === undefined)
    return <NotLoaded query={employers} what="the employers" />;
  const known = employers.data.employers;
  const isWaiting = memberId !== undefined && record.data === undefined && record.error === null;
  return (
    <Section title="Member">
      <Stack gap="md">
        <MemberSearch workspaceId={workspace.id} onChoose={props.onFound} />
        {record.error !== null && memberId !== undefined && (
          <ErrorNotice error={record.error} title="Couldn’t read the member’s record" />
        )}
        {isWaiting ? (
          <LoadingState what="the member’s record" />
        ) : (
          <MemberStep
            key={`${memberId} ${record.data === undefined}`}
            workspace={workspace}
            employers={known}
            initial={
              record.data === undefined || memberId === undefined
                ? emptyMember
                : prefillMember(record.data.member, known)
            }
            isFromStore={record.data !== undefined && memberId !== undefined}
            onMember={({ bootstrappedAt }) => props.onMember(bootstrappedAt)}
          />
        )}
      </Stack>
    </Section>
  );
}
