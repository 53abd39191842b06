import { Group, Select, Stack } from '@mantine/core';
import { SmallButtonLink } from '../../components/links.tsx';
import { OfActiveWorkspace } from '../../domain/workspace/of-active-workspace.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

/** The settings of the sync. */
export function SyncSettings() {
  return (
    <OfActiveWorkspace none="No workspaces yet, so there is nothing to sync.">
      {() => (
        <Stack gap="sm">
          <AutoRefresh />
          <Group>
            <SmallButtonLink to="/sync">Go to Sync</SmallButtonLink>
          </Group>
        </Stack>
      )}
    </OfActiveWorkspace>
  );
}

const intervals = [
  { value: '0', label: 'Never' },
  { value: '15', label: 'Every 15 minutes' },
  { value: '60', label: 'Every hour' },
  { value: '240', label: 'Every 4 hours' },
  { value: '1440', label: 'Once a day' },
];

/** How often workspaces are refreshed automatically. Off by default. */
function AutoRefresh() {
  const settings = useDeskQuery('settings:get', {});
  const change = useDeskMutation('settings:set');
  const minutes = String(settings.data?.autoRefreshMinutes ?? 0);
  const isListed = intervals.some(({ value }) => value === minutes);
  return (
    <Select
      label="Refresh automatically"
      description="While Claimdesk is open and unlocked. Uses quick refresh when available."
      data={isListed ? intervals : [...intervals, { value: minutes, label: `Every ${minutes} minutes` }]}
      value={minutes}
      allowDeselect={false}
      disabled={settings.data === undefined || change.isPending}
      onChange={(value) => value !== null && change.mutate({ autoRefreshMinutes: Number(value) })}
      w={260}
    />
  );
}
