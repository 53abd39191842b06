import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Workspace } from '../../../contract/workspace.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatCountOf } from '../../lib/format-value.ts';

/** Reads this member and the claims of the member's carrier connections anew, without a sync. */
export function useReadAnew(workspace: Workspace, memberId: number) {
  const fetch = useDeskMutation('sync:readAnew');
  const button = (
    <Button
      size="compact-sm"
      variant="default"
      loading={fetch.isPending}
      onClick={() =>
        fetch.mutate(
          { workspaceId: workspace.id, what: { kind: 'member', memberId } },
          {
            onSuccess: ({ records, added, changed }) =>
              notifications.show({
                message:
                  added + changed === 0
                    ? `${formatCountOf(records, 'record')} read. Nothing has changed.`
                    : `${formatCountOf(records, 'record')} read: ${added} new, ${changed} changed.`,
              }),
          },
        )
      }
    >
      Read anew
    </Button>
  );
  return { button, error: fetch.error };
}
