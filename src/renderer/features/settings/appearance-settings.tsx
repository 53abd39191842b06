import { SegmentedControl, Stack, Text } from '@mantine/core';
import type { Settings } from '../../../contract/settings.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

/** Color scheme and density. */
export function AppearanceSettings() {
  const settings = useDeskQuery('settings:get', {});
  const change = useDeskMutation('settings:set');
  if (settings.data === undefined) return null;
  return (
    <Stack gap="md">
      <div>
        <Text size="sm" fw={600} id="theme-label">
          Colors
        </Text>
        <SegmentedControl
          aria-labelledby="theme-label"
          value={settings.data.theme}
          onChange={(theme) => change.mutate({ theme: theme as Settings['theme'] })}
          data={[
            { value: 'system', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </div>
      <div>
        <Text size="sm" fw={600} id="density-label">
          Row density
        </Text>
        <SegmentedControl
          aria-labelledby="density-label"
          value={settings.data.density}
          onChange={(density) => change.mutate({ density: density as Settings['density'] })}
          data={[
            { value: 'compact', label: 'Compact' },
            { value: 'comfortable', label: 'Comfortable' },
          ]}
        />
      </div>
      <ErrorNotice error={change.error} />
    </Stack>
  );
}
