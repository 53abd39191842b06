import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

/** The way to the audit log, and how long it is kept. */
export function AuditSettings() {
  const settings = useDeskQuery('settings:get', {});
  const change = useDeskMutation('settings:set');
  const saved = settings.data?.auditYears;
  const [years, setYears] = useState<number | string>(saved ?? '');
  useEffect(() => {
    if (saved !== undefined) setYears(saved);
  }, [saved]);
  const isValid = typeof years === 'number' && Number.isInteger(years) && years >= 1 && years <= 50;
  return (
    <Stack gap="md">
      <Group align="flex-end" gap="xs">
        <NumberInput
          label="Keep audit log entries (years)"
          description="1 to 50. HIPAA asks for six. Older entries are permanently removed."
          value={years}
          onChange={setYears}
          min={1}
          max={50}
          allowDecimal={false}
          error={isValid || years === '' ? null : 'Enter a whole number from 1 to 50.'}
          w={340}
        />
        <Button
          variant="default"
          disabled={!isValid || years === saved}
          loading={change.isPending}
          onClick={() => {
            if (typeof years === 'number') change.mutate({ auditYears: years });
          }}
        >
          Save years
        </Button>
      </Group>
      {change.error !== null && <ErrorNotice error={change.error} />}
      <Group gap="xs">
        <ButtonLink to="/audit" variant="default">
          Open audit log
        </ButtonLink>
        <Text size="sm" c="dimmed">
          Who viewed, copied, exported, and unlocked
        </Text>
      </Group>
    </Stack>
  );
}
