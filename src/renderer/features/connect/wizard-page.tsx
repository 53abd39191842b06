import { Badge, Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { StepList } from '../../components/step-list.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { CarrierStep } from './carrier-step.tsx';
import { KnownMembers } from './known-members.tsx';
import { LoginFlow } from './login-flow.tsx';
import { SetUpGate } from './setup-gate.tsx';
import type { Consents } from './terms-step.tsx';
import { WhoseData } from './whose-data.tsx';
import type { WizardPlace } from './wizard-place.ts';

/** Member, carrier, terms, login: from a person to a connection that is watched. */
export function WizardPage({ workspace, place }: { workspace: Workspace; place: WizardPlace }) {
  return (
    <Page
      title="Bring a member in"
      documentTitle="Bring a member in"
      isNarrow
      actions={
        <ButtonLink to="/connections" variant="default" size="compact-sm">
          To the connections
        </ButtonLink>
      }
    >
      <SetUpGate workspace={workspace}>{() => <Wizard workspace={workspace} place={place} />}</SetUpGate>
    </Page>
  );
}

const steps = ['Member', 'Carrier', 'Terms', 'Login'];

function Wizard({ workspace, place }: { workspace: Workspace; place: WizardPlace }) {
  const navigate = useNavigate();
  const [consents, setConsents] = useState<Consents | null>(null);
  const members = useDeskQuery('connect:listMembers', { workspaceId: workspace.id });
  const go = (next: WizardPlace) => {
    setConsents(null);
    void navigate({ to: '/connections/new', search: next });
  };
  if (members.error !== null) return <ErrorNotice error={members.error} />;
  if (members.data === undefined) return <LoadingState what="the members" />;
  const known = members.data.members;
  const member = known.find(({ bootstrappedAt }) => bootstrappedAt === place.broughtIn);
  const { payerId } = place;
  const step = member === undefined ? 0 : payerId === undefined ? 1 : consents === null ? 2 : 3;
  return (
    <Stack gap={10}>
      <StepList steps={steps} current={step} />
      {member !== undefined && (
        <Group gap="xs">
          <Badge variant="default" size="lg">
            {member.firstName} {member.lastName} · {member.employer.name}
          </Badge>
          <Button variant="subtle" size="compact-sm" onClick={() => go({})}>
            Another member
          </Button>
          {payerId !== undefined && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => go({ broughtIn: member.bootstrappedAt })}
            >
              Another carrier
            </Button>
          )}
        </Group>
      )}
      {member === undefined && (
        <>
          <WhoseData
            workspace={workspace}
            place={place}
            known={known}
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
