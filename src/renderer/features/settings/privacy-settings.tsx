import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { spellKeys } from '../../lib/shortcuts.ts';
import { UnlockSettings } from './unlock-settings.tsx';

/** When the desk locks, and locking it now. */
export function PrivacySettings() {
  const settings = useDeskQuery('settings:get', {});
  const change = useDeskMutation('settings:set');
  const { lockNow } = useAppActions();
  const saved = settings.data?.lockAfterMinutes;
  const [minutes, setMinutes] = useState<number | string>(saved ?? '');
  useEffect(() => {
    if (saved !== undefined) setMinutes(saved);
  }, [saved]);
  const isValid = typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 1 && minutes <= 60;
  return (
    <Stack gap="md">
      <Group align="flex-end" gap="xs">
        <NumberInput
          label="Lock after inactivity (minutes)"
          description="1 to 60. No records are held in memory while locked."
          value={minutes}
          onChange={setMinutes}
          min={1}
          max={60}
          allowDecimal={false}
          error={isValid || minutes === '' ? null : 'Enter a whole number from 1 to 60.'}
          w={340}
        />
        <Button
          variant="default"
          disabled={!isValid || minutes === saved}
          loading={change.isPending}
          onClick={() => {
            if (typeof minutes === 'number') change.mutate({ lockAfterMinutes: minutes });
          }}
        >
          Save
        </Button>
      </Group>
      {change.error !== null && <ErrorNotice error={change.error} />}
      <Group gap="xs">
        <Button onClick={lockNow}>Lock now</Button>
        <Text size="sm" c="dimmed">
          or press {spellKeys('Ctrl Shift L', navigator.platform)}
        </Text>
      </Group>
      <UnlockSettings />
      <Text size="sm" c="dimmed">
        Social Security numbers are masked everywhere. Claimdesk only communicates with your claims service.
      </Text>
    </Stack>
  );
}
