import { Badge, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { NotLoaded } from '../../components/error-notice.tsx';
import { SmallButtonLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { StepList } from '../../components/step-list.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { CarrierStep } from './carrier-step.tsx';
import { KnownMembers } from './known-members.tsx';
import { LoginFlow } from './login-flow.tsx';
import { SetUpGate } from './setup-gate.tsx';
import type { Consents } from './terms-step.tsx';
import { WhoseData } from './whose-data.tsx';
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
