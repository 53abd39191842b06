import { Stack, Switch, Text } from '@mantine/core';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

/** Switches the sample service off, to see what works offline. */
export function SampleService() {
  const state = useDeskQuery('sample:getState', {});
  const change = useDeskMutation('sample:setServiceRunning');
  return (
    <Section title="Sample service">
      <Stack gap={8}>
        <Switch
          label={`Sample service ${state.data?.isRunning === true ? 'on' : 'off'}`}
          checked={state.data?.isRunning ?? false}
          disabled={state.data === undefined || change.isPending}
          onChange={(event) => change.mutate({ isRunning: event.currentTarget.checked })}
        />
        <Text size="sm" c="dimmed">
          Turn off to try offline mode: lists, search, and export keep working.
        </Text>
        {change.error !== null && <ErrorNotice error={change.error} />}
      </Stack>
    </Section>
  );
}
