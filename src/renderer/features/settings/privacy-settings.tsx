import { Button, Group, Stack } from '@mantine/core';
import { NumberSetting } from '../../components/number-setting.tsx';
import { Hint } from '../../components/text.tsx';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { spellKeys } from '../../lib/shortcuts.ts';
import { UnlockSettings } from './unlock-settings.tsx';

/** When the desk locks, and locking it now. */
export function PrivacySettings() {
  const { maxLockMinutes } = useDeskQuery('app:getInfo', {}).data?.policy ?? {};
  const { lockNow } = useAppActions();
  return (
    <Stack gap="md">
      <NumberSetting
        name="lockAfterMinutes"
        label="Lock after inactivity (minutes)"
        description={`1 to ${maxLockMinutes ?? 60}${maxLockMinutes === undefined ? '' : ' (set by your organization)'}. No records are held in memory while locked.`}
        min={1}
        max={maxLockMinutes ?? 60}
      />
      <Group gap="xs">
        <Button variant="default" onClick={lockNow}>
          Lock now
        </Button>
        <Hint>or press {spellKeys('Ctrl Shift L', navigator.platform)}</Hint>
      </Group>
      <UnlockSettings />
      <Hint>
        Social Security numbers are masked everywhere. Claimdesk only communicates with your claims service.
      </Hint>
    </Stack>
  );
}
