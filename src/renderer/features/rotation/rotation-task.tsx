import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RotationState } from '../../../contract/rotation.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { OpenKeyPage } from '../../domain/key/open-key-page.tsx';
import { PublicKey } from '../../domain/key/public-key.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { ownTasks } from './rotation-messages.ts';
import type { Rotation } from './use-rotation.ts';

interface TaskProps {
  readonly rotation: Rotation;
  readonly state: RotationState;
  readonly workspace: Workspace;
}

/** Shows the next task: the user's, or Claimdesk's own where it failed. */
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

const Task = ({ title, children }: { title: string; children: ReactNode }) => (
  <Section title={title}>
    <Stack gap="sm">{children}</Stack>
  </Section>
);

const Register = ({ rotation, state, workspace }: TaskProps) => (
  <Task title="Register new key">
    <Text size="sm">
      Open the service’s SSH keys page, sign in as {workspace.email}, paste the new key, and save it. Leave
      the old key there.
    </Text>
    {state.newKey !== null && <PublicKey sshKey={state.newKey} />}
    <OpenKeyPage workspace={workspace} copies={state.newKey}>
      <Button variant="default" loading={rotation.isPending} onClick={() => rotation.answer('registered')}>
        I’ve registered it
      </Button>
    </OpenKeyPage>
  </Task>
);

function AskOthers({ rotation, state, workspace }: TaskProps) {
  const { workspaces } = useWorkspaces();
  const left = workspaces.filter(
    ({ id, keyId, baseUrl }) =>
      id !== workspace.id && keyId === state.oldKeyId && baseUrl === workspace.baseUrl,
  );
  return (
    <Task title="Check that nothing else uses the old key">
      <Text size="sm">
        {workspace.name} now uses the new key. Other programs and computers on this account may still use the
        old one: scripts, scheduled jobs, a colleague’s Claimdesk. Give them a new key first.
      </Text>
      {left.length > 0 && (
        <Text size="sm">
          These workspaces still use it:{' '}
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
          Nothing else uses the old key
        </Button>
      </Group>
    </Task>
  );
}

function DeleteOld({ rotation, state, workspace }: TaskProps) {
  return (
    <Task title="Delete old key at the service">
      <Text size="sm">
        On the service’s SSH keys page, delete only the key with this fingerprint:{' '}
        <code>{state.oldKey?.fingerprint ?? '(the old key’s fingerprint)'}</code>. Claimdesk then verifies
        that the service refuses it.
      </Text>
      <OpenKeyPage workspace={workspace} copies={null}>
        <Button variant="default" loading={rotation.isPending} onClick={() => rotation.answer('oldDeleted')}>
          I’ve deleted it
        </Button>
      </OpenKeyPage>
    </Task>
  );
}

/** A task of Claimdesk's own. It is shown as waiting only where it failed. */
function OwnTask({ rotation, title }: TaskProps & { title: string }) {
  return (
    <Task title={title}>
      <Text size="sm">Claimdesk does this for you. The old key is kept until it succeeds.</Text>
      <Group>
        <Button loading={rotation.isPending} onClick={rotation.resume}>
          Continue
        </Button>
      </Group>
    </Task>
  );
}
