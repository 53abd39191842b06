import { Stack, Switch, Text } from '@mantine/core';
import { FieldList } from '../../components/page.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { useSettings } from '../../lib/use-settings.ts';

const kinds = {
  keychain: 'This computer’s keychain',
  vault: 'Unlock passphrase',
  ephemeral: 'In memory only, cleared on exit',
} as const;
const states = { ready: '', locked: ' (locked)', missing: ' (missing)' } as const;
const shells = { electron: 'Desktop window', browser: 'Browser window', cli: 'Command line' } as const;

/** The version, and where secrets are stored. */
export function AboutSettings() {
  const { data } = useDeskQuery('app:getInfo', {});
  if (data === undefined) return null;
  return (
    <Stack gap="md">
      <FieldList
        fields={[
          ['Version', data.version],
          ['Running as', shells[data.shell]],
          ['System', data.platform],
          ['Secrets', `${kinds[data.secrets.kind]}${states[data.secrets.state]}`],
          [
            'Access',
            data.isReadOnly ? 'Read-only: Claimdesk is already open in another window' : 'Read and write',
          ],
        ]}
      />
      {data.canUpdate && <UpdateSwitch isAllowed={data.policy.allowUpdates !== false} />}
      {data.shell === 'electron' && !data.canUpdate && (
        <Text size="sm">This copy doesn’t update itself. Your administrator installs new versions.</Text>
      )}
    </Stack>
  );
}

function UpdateSwitch({ isAllowed }: { isAllowed: boolean }) {
  const { installsUpdates } = useSettings();
  const change = useDeskMutation('settings:set');
  return (
    <Switch
      label="Install updates"
      description={
        isAllowed
          ? 'New versions are downloaded in the background and installed when you quit.'
          : 'Off, set by your IT.'
      }
      checked={installsUpdates}
      disabled={!isAllowed}
      onChange={(event) => change.mutate({ installsUpdates: event.currentTarget.checked })}
    />
  );
}
