import { Stack, Switch, Text } from '@mantine/core';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

/** Pulls the plug of the sample service, to see that everything goes on offline. */
export function SampleService() {
  const state = useDeskQuery('sample:getState', {});
  const change = useDeskMutation('sample:setServiceRunning');
  return (
    <Section title="Sample service">
      <Stack gap={8}>
        <Switch
          label="The sample service is running"
          checked={state.data?.isRunning ?? false}
          disabled={state.data === undefined || change.isPending}
          onChange={(event) => change.mutate({ isRunning: event.currentTarget.checked })}
        />
        <Text size="sm" c="dimmed">
          Switch it off to see Claimdesk without its service: lists, search and export go on working with what
          is on this computer.
        </Text>
        {change.error !== null && <ErrorNotice error={change.error} />}
      </Stack>
    </Section>
  );
}
