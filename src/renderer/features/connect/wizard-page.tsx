import { Badge, Group, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { SmallButtonLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { LoadingState } from '../../components/states.tsx';
import { StepList } from '../../components/step-list.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import { CarrierStep } from './carrier-step.tsx';
import styles from './connect.module.css';
import { KnownMembers } from './known-members.tsx';
import { LoginFlow } from './login-flow.tsx';
import { emptyMember, prefillMember } from './member-prefill.ts';
import { MemberStep } from './member-step.tsx';
import { SetUpGate } from './setup-gate.tsx';
import type { Consents } from './terms-step.tsx';
import type { WizardStep } from './wizard-step.ts';

const shown = 8;
const fields = ['id', 'first_name', 'last_name', 'email', 'employer.name'];

/** Finds a member among the records on this computer. The search is stored nowhere. */
function MemberSearch(props: { onChoose: (memberId: number) => void }) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 150);
  const answer = useWorkspaceQuery(
    'records:readFirst',
    { query: { entity: 'members', search }, limit: shown, fields },
    { enabled: search.length >= 2, isOnce: true },
  );
  const rows = search.length >= 2 ? (answer.data?.rows ?? []) : [];
  return (
    <div>
      <TextField
        label="Find a member on this computer"
        description="Search by name, email, or employer, or fill in the form below."
        value={typed}
        onChange={setTyped}
      />
      <div role="status" className={styles.found}>
        {search.length >= 2 && answer.data?.rows.length === 0 && 'No members match.'}
      </div>
      {rows.length > 0 && (
        <ul className={styles.choices} aria-label="Members found">
          {rows.map((row) => (
            <li key={String(row.id)}>
              <button type="button" className={styles.choice} onClick={() => props.onChoose(Number(row.id))}>
                <span>{fullNameOf(row, `Member ${row.id}`)}</span>
                <span>{[row.email, row['employer.name']].filter(Boolean).join(' · ')}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Leads to a watched connection in four steps: member, carrier, terms, login. */
export function WizardPage({ step }: { step: WizardStep }) {
  return (
    <Page
      title="Add member"
      documentTitle="Add member"
      isNarrow
      actions={<SmallButtonLink to="/connections">Cancel</SmallButtonLink>}
    >
      <SetUpGate>{() => <Wizard step={step} />}</SetUpGate>
    </Page>
  );
}

const steps = ['Member', 'Carrier', 'Consent', 'Sign-in'];

function Wizard({ step }: { step: WizardStep }) {
  const navigate = useNavigate();
  const [consents, setConsents] = useState<Consents | null>(null);
  const members = useWorkspaceQuery('connect:listMembers');
  const go = (next: WizardStep) => {
    setConsents(null);
    void navigate({ to: '/connections/new', search: next });
  };
  if (members.error !== null || members.data === undefined)
    return <NotLoaded query={members} what="the members" />;
  const knownMembers = members.data.members;
  const member = knownMembers.find(({ bootstrappedAt }) => bootstrappedAt === step.addedAt);
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
            <SmallButton variant="subtle" onClick={() => go({ addedAt: member.bootstrappedAt })}>
              Change carrier
            </SmallButton>
          )}
        </Group>
      )}
      {member === undefined && (
        <>
          <WhoseData
            step={step}
            onFound={(memberId) => go({ memberId })}
            onMember={(addedAt) => go({ addedAt })}
          />
          <KnownMembers
            members={knownMembers}
            onChoose={(chosen) => go({ addedAt: chosen.bootstrappedAt })}
          />
        </>
      )}
      {member !== undefined && payerId === undefined && (
        <Section title="Carrier">
          <CarrierStep
            member={member}
            onChoose={(chosen) => go({ addedAt: member.bootstrappedAt, payerId: chosen })}
          />
        </Section>
      )}
      {member !== undefined && payerId !== undefined && (
        <LoginFlow
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
  step: WizardStep;
  onFound: (memberId: number) => void;
  onMember: (addedAt: string) => void;
}) {
  const { step } = props;
  const { memberId } = step;
  const record = useWorkspaceQuery(
    'records:getMember',
    { id: memberId ?? 0 },
    { enabled: memberId !== undefined },
  );
  const employers = useWorkspaceQuery('connect:listEmployers');
  if (employers.error !== null || employers.data === undefined)
    return <NotLoaded query={employers} what="the employers" />;
  const knownEmployers = employers.data.employers;
  const isWaiting = memberId !== undefined && record.data === undefined && record.error === null;
  return (
    <Section title="Member">
      <Stack gap="md">
        <MemberSearch onChoose={props.onFound} />
        {record.error !== null && memberId !== undefined && (
          <ErrorNotice error={record.error} title="Couldn’t read the member’s record" />
        )}
        {isWaiting ? (
          <LoadingState what="the member’s record" />
        ) : (
          <MemberStep
            key={`${memberId} ${record.data === undefined}`}
            employers={knownEmployers}
            initial={
              record.data === undefined || memberId === undefined
                ? emptyMember
                : prefillMember(record.data.member, knownEmployers)
            }
            isFromStore={record.data !== undefined && memberId !== undefined}
            onMember={({ bootstrappedAt }) => props.onMember(bootstrappedAt)}
          />
        )}
      </Stack>
    </Section>
  );
}
