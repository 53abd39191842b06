import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RotationState } from '../../../contract/rotation.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { OpenKeyPage } from '../../components/keys/open-key-page.tsx';
import { PublicKey } from '../../components/keys/public-key.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { useWorkspaces } from '../../lib/use-workspaces.ts';
import { ownTasks } from './rotation-words.ts';
import type { Rotation } from './use-rotation.ts';

interface TaskProps {
  readonly rotation: Rotation;
  readonly state: RotationState;
  readonly workspace: Workspace;
}

/** The one thing that is next: a person's part, or Claimdesk's own where it could not go on. */
export function RotationTask(props: TaskProps) {
  switch (props.state.nextTask) {
    case 'register':
      return <Register {...props} />;
    case 'askOthers':
      return <AskOthers {...props} />;
    case 'deleteOld':
      return <DeleteOld {...props} />;
    case 'none':
      return null;
    default:
      return <OwnTask {...props} title={ownTasks[props.state.nextTask]} />;
  }
}

function Task({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section title={title}>
      <Stack gap="sm">{children}</Stack>
    </Section>
  );
}

function Register({ rotation, state, workspace }: TaskProps) {
  return (
    <Task title="Register the new key">
      <Text size="sm">
        Open the service’s page for SSH keys, sign in as {workspace.email}, paste the new key and save it.
        Leave the old key there.
      </Text>
      {state.newKey !== null && <PublicKey sshKey={state.newKey} />}
      <OpenKeyPage workspace={workspace} copies={state.newKey}>
        <Button variant="default" loading={rotation.isPending} onClick={() => rotation.answer('registered')}>
          I have registered it
        </Button>
      </OpenKeyPage>
    </Task>
  );
}

function AskOthers({ rotation, state, workspace }: TaskProps) {
  const { workspaces } = useWorkspaces();
  const left = workspaces.filter(
    ({ id, keyId, baseUrl }) =>
      id !== workspace.id && keyId === state.oldKeyId && baseUrl === workspace.baseUrl,
  );
  return (
    <Task title="See that nothing else uses the old key">
      <Text size="sm">
        {workspace.name} signs with the new key now. Other programs and computers that use this account may
        still sign with the old one: scripts, scheduled jobs, a colleague’s Claimdesk. Give them a new key
        first.
      </Text>
      {left.length > 0 && (
        <Text size="sm">
          Here, these still use it:{' '}
          {left.map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <AnchorLink to="/settings/workspaces/$workspaceId" params={{ workspaceId: id }}>
                {name}
              </AnchorLink>
            </span>
          ))}
          .
        </Text>
      )}
      <Group>
        <Button loading={rotation.isPending} onClick={() => rotation.answer('othersSwitched')}>
          Nothing uses the old key any more
        </Button>
      </Group>
    </Task>
  );
}

function DeleteOld({ rotation, state, workspace }: TaskProps) {
  return (
    <Task title="Delete the old key at the service">
      <Text size="sm">
        On the service’s page for SSH keys, delete the key with this fingerprint, and no other:{' '}
        <code>{state.oldKey?.fingerprint ?? 'that of the old key'}</code>. Claimdesk then proves that the
        service refuses it.
      </Text>
      <OpenKeyPage workspace={workspace} copies={null}>
        <Button variant="default" loading={rotation.isPending} onClick={() => rotation.answer('oldDeleted')}>
          I have deleted it
        </Button>
      </OpenKeyPage>
    </Task>
  );
}

/** Claimdesk's own part. It waits only where something kept it from going on. */
function OwnTask({ rotation, title }: TaskProps & { title: string }) {
  return (
    <Task title={title}>
      <Text size="sm">Claimdesk does this by itself. The old key is kept until it has succeeded.</Text>
      <Group>
        <Button loading={rotation.isPending} onClick={rotation.resume}>
          Go on
        </Button>
      </Group>
    </Task>
  );
}
