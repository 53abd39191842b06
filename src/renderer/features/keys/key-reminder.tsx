import { Button, Group, NumberInput, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';

const maxDays = 3650;

/** The age from which a key is due for rotation. */
export function KeyReminder({ saved }: { saved: number }) {
  const change = useDeskMutation('settings:set');
  const [days, setDays] = useState<number | string>(saved);
  useEffect(() => setDays(saved), [saved]);
  const isValid = typeof days === 'number' && Number.isInteger(days) && days >= 0 && days <= maxDays;
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <NumberInput
          label="Rotation reminder (days)"
          description="Enter 0 to turn off"
          value={days}
          onChange={setDays}
          min={0}
          max={maxDays}
          allowDecimal={false}
          error={isValid || days === '' ? null : `Enter a whole number from 0 to ${maxDays}.`}
          w={340}
        />
        <Button
          variant="default"
          disabled={!isValid || days === saved}
          loading={change.isPending}
          onClick={() => {
            if (typeof days === 'number') change.mutate({ keyReminderDays: days });
          }}
        >
          Save
        </Button>
      </Group>
      {change.error !== null && <ErrorNotice error={change.error} />}
    </Stack>
  );
}
