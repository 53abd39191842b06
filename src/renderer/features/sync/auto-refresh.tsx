import { Select } from '@mantine/core';
import { limitRefresh } from '../../../contract/policy.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

const intervals = [
  { value: '0', label: 'Never' },
  { value: '15', label: 'Every 15 minutes' },
  { value: '30', label: 'Every 30 minutes' },
  { value: '60', label: 'Every hour' },
  { value: '240', label: 'Every 4 hours' },
  { value: '1440', label: 'Once a day' },
];

/** How often workspaces are refreshed automatically: every 30 minutes until you choose. */
export function AutoRefresh() {
  const settings = useDeskQuery('settings:get', {});
  const { policy = {} } = useDeskQuery('app:getInfo', {}).data ?? {};
  const change = useDeskMutation('settings:set');
  const minutes = String(settings.data?.autoRefreshMinutes ?? 0);
  const isAllowed = (value: string) => limitRefresh(Number(value), policy) === Number(value);
  const listed = intervals.some(({ value }) => value === minutes)
    ? intervals
    : [...intervals, { value: minutes, label: `Every ${minutes} minutes` }];
  const data = listed.filter(({ value }) => isAllowed(value));
  const isLimited = data.length < listed.length;
  return (
    <Select
      label="Refresh automatically"
      description={`While Claimdesk is unlocked, and when you unlock it. Where no quick refresh is possible, every 4 hours at most.${isLimited ? ' Limited, set by your IT.' : ''}`}
      data={data}
      value={minutes}
      allowDeselect={false}
      disabled={settings.data === undefined || change.isPending || (isLimited && data.length < 2)}
      onChange={(value) => value !== null && change.mutate({ autoRefreshMinutes: Number(value) })}
      w={260}
    />
  );
}
