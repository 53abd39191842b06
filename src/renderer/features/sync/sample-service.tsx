import { Group, Stack, Switch } from '@mantine/core';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint } from '../../components/text.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';

/** Switches the sample service off, to see what works offline. */
export function SampleService() {
  const state = useDeskQuery('sample:getState', {});
  const change = useDeskMutation('sample:setServiceRunning');
  const nextDay = useDeskMutation('sample:nextDay');
  return (
    <Section title="Sample service">
      <Stack gap={8}>
        <Switch
          label={`Sample service ${state.data?.isRunning === true ? 'on' : 'off'}`}
          checked={state.data?.isRunning ?? false}
          disabled={state.data === undefined || change.isPending}
          onChange={(event) => change.mutate({ isRunning: event.currentTarget.checked })}
        />
        <Hint>Turn off to try offline mode: lists, search, and export keep working.</Hint>
        <Group gap={10}>
          <SmallButton
            loading={nextDay.isPending}
            disabled={state.data?.isRunning !== true}
            onClick={() => nextDay.mutate({})}
          >
            Next day
          </SmallButton>
          <Hint role="status">
            {nextDay.isSuccess
              ? 'A day has passed at the sample service. Sync to get its news.'
              : 'New, changed, and removed claims for the next sync.'}
          </Hint>
        </Group>
        <ErrorNotice error={change.error} />
        <ErrorNotice error={nextDay.error} />
      </Stack>
    </Section>
  );
}
