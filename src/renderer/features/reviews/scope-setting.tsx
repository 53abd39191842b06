import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { localDayOf } from '../../../contract/days.ts';
import { reviewStartOf } from '../../../contract/plan-year.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { useSettings } from '../../lib/use-settings.ts';

/** The first day of service whose claims are to be reviewed. */
export function ScopeSetting({ workspace }: { workspace: Workspace }) {
  const settings = useSettings();
  const set = useDeskMutation('settings:set');
  const saved = reviewStartOf(settings, workspace.id, localDayOf(new Date()));
  const isOwn = settings.reviewsFrom[workspace.id] !== undefined;
  const [typed, setTyped] = useState(saved);
  useEffect(() => setTyped(saved), [saved]);
  const { [workspace.id]: _own, ...others } = settings.reviewsFrom;
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <TextInput
          type="date"
          label={`Review claims of ${workspace.name} from`}
          description="First day of service. Earlier claims are not selected for review."
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          variant="default"
          aria-label="Save first day of service"
          disabled={typed === '' || typed === saved}
          loading={set.isPending}
          onClick={() => set.mutate({ reviewsFrom: { ...others, [workspace.id]: typed } })}
        >
          Save
        </Button>
        {isOwn && (
          <Button variant="subtle" onClick={() => set.mutate({ reviewsFrom: others })}>
            Use this plan year
          </Button>
        )}
      </Group>
      {!isOwn && <SmallPrint>The start of this plan year, until you choose another day.</SmallPrint>}
      <ErrorNotice error={set.error} />
    </Stack>
  );
}
