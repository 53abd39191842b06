import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ErrorNotice, ReportNotice } from '../../components/error-notice.tsx';
import { FirstScreen } from '../../components/first-screen.tsx';
import { Form } from '../../components/form.tsx';
import { ButtonLink, SmallButtonLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { StepList } from '../../components/step-list.tsx';
import { Registration } from '../../domain/key/registration.tsx';
import { SecretsStep } from '../../domain/key/secrets-step.tsx';
import { describeReceipt } from '../../domain/sync/sync-messages.ts';
import { RunningSync } from '../../domain/sync/sync-progress.tsx';
import { useSync } from '../../domain/sync/use-sync.ts';
import { InvitationField } from '../../domain/team/invitation-field.tsx';
import { WaitingForApproval } from '../../domain/team/waiting-for-approval.tsx';
import { RecoveryCode } from '../../domain/unlock/recovery-code.tsx';
import { SetPassphrase } from '../../domain/unlock/set-passphrase.tsx';
import { type ConnectStep, connectStepOf, connectSteps } from '../../domain/workspace/connect-steps.ts';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { reportOfCode } from '../../lib/desk-error.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useSecretCall } from '../../lib/use-secret-call.ts';
import { useOpenWorkspace } from '../../lib/workspace-context.tsx';
import { AddressStep } from './address-step.tsx';
import { InvitationStep } from './invitation-step.tsx';
import { KeyStep } from './key-step.tsx';

const titles: Readonly<Record<ConnectStep, string>> = {
  secrets: 'Secret storage',
  address: 'Service and account',
  unlock: 'Unlock passphrase',
  key: 'Key',
  team: 'Team',
  register: 'Registration',
  sync: 'First sync',
};

/**
 * The set-up of a connection, from the address to the first sync. The step is computed from what exists, so the page
 * can be left at any time.
 */
export function ConnectPage({ isNew, isInvited }: { isNew: boolean; isInvited: boolean }) {
  const navigate = useNavigate();
  const info = useDeskQuery('app:getInfo', {});
  const keys = useDeskQuery('keys:list', {});
  const unlock = useDeskQuery('unlock:getState', {});
  // Not stored: it opens a team. It can be pasted again.
  const [invitation, setInvitation] = useState('');
  const [isUnlockOffered, setIsUnlockOffered] = useState(true);
  const [isSettingPassphrase, setIsSettingPassphrase] = useState(false);
  const { workspaces, isLoading, error } = useWorkspaces();
  const active = useOpenWorkspace();
  const workspace = isNew || active === null || active.isSample ? null : active;
  const status = useDeskQuery(
    'sync:getStatus',
    { workspaceId: workspace?.id ?? '' },
    { enabled: workspace !== null },
  );
  const failure = error ?? info.error ?? keys.error ?? unlock.error;
  if (failure !== null) {
    return (
      <Setup>
        <ErrorNotice error={failure} />
        <Leave hasWorkspaces={workspaces.length > 0} />
      </Setup>
    );
  }
  if (isLoading || info.data === undefined || keys.data === undefined || unlock.data === undefined) {
    return (
      <Setup>
        <LoadingState what="the setup" />
      </Setup>
    );
  }
  const connectStep = connectStepOf({
    secrets: info.data.secrets,
    workspace,
    keys: keys.data.keys,
    status: status.data ?? null,
  });
  const reached = connectStep === 'done' ? 'sync' : connectStep;
  const isFirst = workspaces.filter(({ isSample }) => !isSample).length === 1;
  // Stays at this step until the recovery code was saved, although the passphrase is set already.
  const step =
    reached === 'key' && isFirst && isUnlockOffered && (!unlock.data.hasPassphrase || isSettingPassphrase)
      ? 'unlock'
      : reached;
  const isJoining = isInvited || workspace?.awaitsTeam === true || workspace?.team !== undefined;
  const shownSteps = connectSteps.filter(
    (id) => step === id || (id === 'team' ? isJoining : id !== 'secrets' && id !== 'unlock'),
  );
  const toSetup = () => void navigate({ to: '/welcome/connect', replace: true });
  const key = keys.data.keys.find((candidate) => candidate.id === workspace?.keyId);
  return (
    <Setup>
      <StepList steps={shownSteps.map((id) => titles[id])} current={shownSteps.indexOf(step)} />
      {workspace?.team !== undefined && <WaitingInTeam workspaceId={workspace.id} />}
      <Section title={titles[step]}>
        {step === 'secrets' && <SecretsStep secrets={info.data.secrets} />}
        {step === 'address' &&
          (isInvited ? (
            <InvitationStep
              onAdded={(pasted) => {
                setInvitation(pasted);
                toSetup();
              }}
            />
          ) : (
            <AddressStep onAdded={toSetup} />
          ))}
        {step === 'unlock' && (
          <UnlockStep onSet={() => setIsSettingPassphrase(true)} onDone={() => setIsUnlockOffered(false)} />
        )}
        {step === 'key' && workspace !== null && <KeyStep workspace={workspace} keys={keys.data.keys} />}
        {step === 'team' && workspace !== null && (
          <TeamStep workspaceId={workspace.id} invitation={invitation} />
        )}
        {step === 'register' && workspace !== null && key !== undefined && (
          <Registration workspace={workspace} sshKey={key} />
        )}
        {step === 'sync' && workspace !== null && <FirstSyncStep />}
      </Section>
      {connectStep !== 'done' && <Leave hasWorkspaces={workspaces.length > 0} />}
    </Setup>
  );
}

/** A link back from a page without a sidebar. */
const Leave = ({ hasWorkspaces }: { hasWorkspaces: boolean }) => (
  <Group mt="md">
    <SmallButtonLink variant="subtle" to={hasWorkspaces ? '/claims' : '/welcome'}>
      {hasWorkspaces ? 'Finish later' : 'Back'}
    </SmallButtonLink>
  </Group>
);

const Setup = ({ children }: { children: ReactNode }) => (
  <FirstScreen>
    <Page title="Connect to your service" documentTitle="Connect" isBare>
      {children}
    </Page>
  </FirstScreen>
);

/** The code to read to an admin, while the team has not approved this computer. */
function WaitingInTeam({ workspaceId }: { workspaceId: string }) {
  const { data } = useDeskQuery('team:getStatus', { workspaceId });
  return data?.state === 'waiting' ? <WaitingForApproval code={data.code} /> : null;
}

/** Offers an unlock passphrase with the first workspace, and explains the risk without one. */
function UnlockStep({ onSet, onDone }: { onSet: () => void; onDone: () => void }) {
  const [code, setCode] = useState<string | null>(null);
  if (code !== null) return <RecoveryCode code={code} onKept={onDone} />;
  return (
    <Stack gap="sm">
      <Text size="sm">
        Recommended: set a passphrase that Claimdesk asks for when it starts and when it unlocks. You also get
        a recovery code to print.
      </Text>
      <Text size="sm">
        Without one, anyone who is signed in to your computer account can unlock Claimdesk. If your keychain
        is ever lost, notes and SSH keys are lost with it; records sync again. You can set a passphrase later
        under Settings, Security.
      </Text>
      <SetPassphrase
        hasPassphrase={false}
        onSubmit={onSet}
        onSet={(made) => (made === null ? onDone() : setCode(made))}
        beside={
          <Button variant="subtle" onClick={onDone}>
            Continue without a passphrase
          </Button>
        }
      />
    </Stack>
  );
}

/** The first reading of everything; the lists can be used while it runs. */
function FirstSyncStep() {
  const sync = useSync();
  const running = sync.status?.running ?? null;
  const receipt = sync.status?.lastReceipt ?? null;
  const isDone = receipt?.outcome === 'complete' || receipt?.outcome === 'notProven';
  return (
    <Stack gap="sm">
      {running === null && !isDone && (
        <Text size="sm">
          The service accepted your key. The first sync downloads all members and claims into encrypted
          storage on this computer. You can start working while it runs.
        </Text>
      )}
      {running !== null && (
        <RunningSync progress={running} onCancel={sync.cancel} isCanceling={sync.isCanceling} />
      )}
      {running === null && receipt !== null && <Text size="sm">{describeReceipt(receipt).join(' ')}</Text>}
      {running === null && receipt?.outcome === 'failed' && (
        <ReportNotice
          report={reportOfCode(receipt.errorCode, receipt.requestId)}
          title="The first sync didn’t finish"
        />
      )}
      <ErrorNotice error={sync.startError} title="Couldn’t start the sync" />
      <Group justify="flex-end">
        {running === null && !isDone && (
          <Button onClick={sync.start} loading={sync.isStarting}>
            {receipt === null ? 'Start first sync' : 'Resume sync'}
          </Button>
        )}
        {isDone && (
          <ButtonLink to="/settings/$section" params={{ section: 'integration' }} variant="default">
            Connect carriers (optional)
          </ButtonLink>
        )}
        {(running !== null || receipt !== null) && (
          <ButtonLink to="/start" variant={isDone ? 'filled' : 'default'}>
            Go to Start
          </ButtonLink>
        )}
      </Group>
    </Stack>
  );
}

/** Asks to join the team. `invitation`: as it was pasted before; empty where the window was closed since. */
function TeamStep(props: { workspaceId: string; invitation: string }) {
  const { workspaceId } = props;
  const cache = useQueryClient();
  const join = useSecretCall('team:join');
  const goOn = useDeskMutation('workspaces:update');
  const [invitation, setInvitation] = useState(props.invitation);
  const submit = async () => {
    await join.call({ workspaceId, invitation: invitation.trim() });
    await cache.invalidateQueries({ queryKey: keyPrefixes.domain('workspaces') });
  };
  return (
    <Form onSubmit={submit}>
      <Text size="sm">
        Your key certifies this computer to the team. An admin of the team approves it after comparing a code
        with you, and you get the settings and reviews of the team.
      </Text>
      {props.invitation === '' && <InvitationField value={invitation} onChange={setInvitation} />}
      <ErrorNotice error={join.error} title="Couldn’t ask to join" />
      <ErrorNotice error={goOn.error} />
      <Group justify="flex-end">
        <Button
          variant="subtle"
          loading={goOn.isPending}
          onClick={() => goOn.mutate({ workspaceId, awaitsTeam: false })}
        >
          Continue without the team
        </Button>
        <Button type="submit" disabled={invitation.trim() === ''} loading={join.isPending}>
          Ask to join
        </Button>
      </Group>
    </Form>
  );
}
