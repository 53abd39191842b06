import { Group, Stack, Text } from '@mantine/core';
import { ButtonLink } from '../../components/links.tsx';
import { NumberSetting } from '../../components/number-setting.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

/** The way to the audit log, and how long it is kept. */
export function AuditSettings() {
  const settings = useDeskQuery('settings:get', {});
  const change = useDeskMutation('settings:set');
  const { minAuditYears } = useDeskQuery('app:getInfo', {}).data?.policy ?? {};
  return (
    <Stack gap="md">
      <NumberSetting
        label="Keep audit log entries (years)"
        description={`${minAuditYears ?? 1} to 50${minAuditYears === undefined ? '' : ' (set by your organization)'}. HIPAA asks for six. Older entries are permanently removed.`}
        action="Save years"
        saved={settings.data?.auditYears}
        min={minAuditYears ?? 1}
        max={50}
        isPending={change.isPending}
        error={change.error}
        onSave={(auditYears) => change.mutate({ auditYears })}
      />
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
