import { Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SmallButtonLink } from '../../components/links.tsx';
import { Page, Section } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { StepList } from '../../components/step-list.tsx';
import { Registration } from '../../domain/key/registration.tsx';
import { SecretsStep } from '../../domain/key/secrets-step.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { AddressStep } from './address-step.tsx';
import { type ConnectStep, connectStepOf, connectSteps } from './connect-steps.ts';
import { FirstSyncStep } from './first-sync-step.tsx';
import { KeyStep } from './key-step.tsx';
import { UnlockStep } from './unlock-step.tsx';

const titles: Readonly<Record<ConnectStep, string>> = {
  secrets: 'Secret storage',
  address: 'Service and account',
  unlock: 'Unlock passphrase',
  key: 'Key',
  register: 'Registration',
  sync: 'First sync',
};

/** From an address to the first sync; where one is follows from what is there, so it can be left any time. */
export function ConnectPage({ isNew }: { isNew: boolean }) {
  const navigate = useNavigate();
  const info = useDeskQuery('app:getInfo', {});
  const keys = useDeskQuery('keys:list', {});
  const unlock = useDeskQuery('unlock:getState', {});
  const [isUnlockOffered, setIsUnlockOffered] = useState(true);
  const [isSettingPassphrase, setIsSettingPassphrase] = useState(false);
  const { workspaces, active, isLoading, error } = useWorkspaces();
  const workspace = isNew || active === null || active.isSample ? null : active;
  const status = useDeskQuery(
    'sync:getStatus',
    { workspaceId: workspace?.id ?? '' },
    { enabled: workspace !== null },
  );
  const failure = error ?? info.error ?? keys.error ?? unlock.error;
  if (failure !== null) {
    return (
      <Page title="Connect to your service" documentTitle="Connect" isNarrow>
        <ErrorNotice error={failure} />
      </Page>
    );
  }
  if (isLoading || info.data === undefined || keys.data === undefined || unlock.data === undefined) {
    return (
      <Page title="Connect to your service" documentTitle="Connect" isNarrow>
        <LoadingState what="the setup" />
      </Page>
    );
  }
  const found = connectStepOf({
    secrets: info.data.secrets,
    workspace,
    keys: keys.data.keys,
    status: status.data ?? null,
  });
  const reached = found === 'done' ? 'sync' : found;
  const isFirst = workspaces.filter(({ isSample }) => !isSample).length === 1;
  // Held until the recovery code was kept, though the passphrase is set by then.
  const step =
    reached === 'key' && isFirst && isUnlockOffered && (!unlock.data.hasPassphrase || isSettingPassphrase)
      ? 'unlock'
      : reached;
  const shownSteps = connectSteps.filter((id) => (id !== 'secrets' && id !== 'unlock') || step === id);
  const key = keys.data.keys.find((candidate) => candidate.id === workspace?.keyId);
  return (
    <Page title="Connect to your service" documentTitle="Connect" isNarrow>
      <StepList steps={shownSteps.map((id) => titles[id])} current={shownSteps.indexOf(step)} />
      <Section title={titles[step]}>
        {step === 'secrets' && <SecretsStep secrets={info.data.secrets} />}
        {step === 'address' && (
          <AddressStep onAdded={() => void navigate({ to: '/welcome/connect', replace: true })} />
        )}
        {step === 'unlock' && (
          <UnlockStep onSet={() => setIsSettingPassphrase(true)} onDone={() => setIsUnlockOffered(false)} />
        )}
        {step === 'key' && workspace !== null && <KeyStep workspace={workspace} keys={keys.data.keys} />}
        {step === 'register' && workspace !== null && key !== undefined && (
          <Registration workspace={workspace} sshKey={key} />
        )}
        {step === 'sync' && workspace !== null && <FirstSyncStep workspace={workspace} />}
      </Section>
      {found !== 'done' && (
        <Group mt="md">
          <SmallButtonLink variant="subtle" to={workspaces.length > 0 ? '/claims' : '/welcome'}>
            {workspaces.length > 0 ? 'Finish later' : 'Back'}
          </SmallButtonLink>
        </Group>
      )}
    </Page>
  );
}
