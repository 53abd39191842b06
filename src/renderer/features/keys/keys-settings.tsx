import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import styles from '../../components/entries.module.css';
import { NotLoaded } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { NumberSetting } from '../../components/number-setting.tsx';
import { FieldList } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { ImportKey } from '../../domain/key/import-key.tsx';
import { describeKeyAge, nameKeyType } from '../../domain/key/key-labels.ts';
import { MakeKey } from '../../domain/key/make-key.tsx';
import { SecretsStep } from '../../domain/key/secrets-step.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { colorOfTone } from '../../lib/claim-status.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatWhen, titleWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { RetireKey } from './retire-key.tsx';

/** The SSH keys that sign requests: public halves only. */
export function KeysSettings() {
  const navigate = useNavigate();
  const list = useDeskQuery('keys:list', {});
  const { data } = list;
  const settings = useDeskQuery('settings:get', {});
  const secrets = useDeskQuery('app:getInfo', {}).data?.secrets;
  const isReady = secrets?.state === 'ready';
  const { workspaces } = useWorkspaces();
  if (data === undefined) return <NotLoaded query={list} what="the keys" />;
  if (settings.data === undefined) return <NotLoaded query={settings} what="the keys" />;
  const { keyReminderDays } = settings.data;
  const open = (key: SshKey) => void navigate({ to: '/settings/keys/$keyId', params: { keyId: key.id } });
  return (
    <Stack gap="md">
      <Hint>
        Keys identify this computer to the service. The private key never leaves this computer and is never
        shown.
      </Hint>
      {secrets !== undefined && !isReady && <SecretsStep secrets={secrets} />}
      <Group gap="xs">
        <MakeKey label="Make key…" button={isReady ? { variant: 'filled' } : {}} onMade={open} />
        <ImportKey onImported={open} />
      </Group>
      <DamagedKeys workspaces={workspaces} />
      {data.keys.length === 0 && <Text size="sm">No keys yet.</Text>}
      <ul className={styles.list} aria-label="SSH keys">
        {data.keys.map((key) => (
          <KeyEntry key={key.id} sshKey={key} workspaces={workspaces} reminderDays={keyReminderDays} />
        ))}
      </ul>
      <NumberSetting
        name="keyReminderDays"
        label="Rotation reminder (days)"
        description="Enter 0 to turn off"
        min={0}
        max={3650}
      />
    </Stack>
  );
}

function KeyEntry(props: { sshKey: SshKey; workspaces: readonly Workspace[]; reminderDays: number }) {
  const { sshKey } = props;
  const now = useNow();
  const age = describeKeyAge(sshKey.createdAt, props.reminderDays, now);
  const users = props.workspaces.filter(({ id }) => sshKey.workspaceIds.includes(id));
  return (
    <li className={styles.entry}>
      <Group gap="xs" mb={6}>
        <AnchorLink to="/settings/keys/$keyId" params={{ keyId: sshKey.id }} fw={600}>
          {sshKey.name}
        </AnchorLink>
        <Badge variant="default">{nameKeyType(sshKey)}</Badge>
        {sshKey.isSample && <Badge variant="default">Sample</Badge>}
        {age.isDue && (
          <Badge variant="light" color={colorOfTone.caution}>
            Due for rotation
          </Badge>
        )}
      </Group>
      <FieldList
        fields={[
          ['Fingerprint', <code key="fingerprint">{sshKey.fingerprint}</code>],
          ['Used by', users.length === 0 ? 'No workspace' : users.map(({ name }) => name).join(', ')],
          ['Created', `${titleWhen(sshKey.createdAt, now)}${age.days > 0 ? `, ${age.label}` : ''}`],
          ['Last used', sshKey.lastSignedAt === null ? 'Never' : titleWhen(sshKey.lastSignedAt, now)],
          [
            'Registration',
            sshKey.provenAt === null ? 'Not verified' : `Verified ${formatWhen(sshKey.provenAt, now)}`,
          ],
        ]}
      />
    </li>
  );
}

/** Keys whose files exist but cannot be read, with an explanation and the next step. */
function DamagedKeys({ workspaces }: { workspaces: readonly Workspace[] }) {
  const { data } = useDeskQuery('keys:listDamaged', {});
  if (data === undefined || data.keys.length === 0) return null;
  return (
    <Notice
      tone="bad"
      role="alert"
      title={data.keys.length === 1 ? '1 key can’t be read' : `${data.keys.length} keys can’t be read`}
    >
      <Stack gap="xs">
        <Text size="sm">
          <b>What to do: </b>Restore the profile folder from a backup. If you have none, make a new key,
          register it, choose it for the workspace, and remove the damaged key.
        </Text>
        {data.keys.map((key) => {
          const users = workspaces.filter(({ id }) => key.workspaceIds.includes(id));
          return (
            <Group key={key.id} gap="xs">
              <Text size="sm">
                <Code>{key.id}</Code>
                {users.length > 0 && ` used by ${users.map(({ name }) => name).join(', ')}.`}
              </Text>
              <RetireKey
                keyId={key.id}
                name={key.id}
                isDamaged
                wantsName={users.length > 0}
                onRetired={() => undefined}
              />
            </Group>
          );
        })}
      </Stack>
    </Notice>
  );
}
