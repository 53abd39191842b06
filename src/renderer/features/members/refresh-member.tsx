import { notifications } from '@mantine/notifications';
import type { Workspace } from '../../../contract/workspace.ts';
import { SmallButton } from '../../components/small-button.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatCountOf } from '../../lib/format-value.ts';

/** Reads this member and the claims of the member's carrier connections again, without a sync. */
export function useRefreshMember(workspace: Workspace, memberId: number) {
  const fetch = useDeskMutation('sync:refreshRecord');
  const button = (
    <SmallButton
      loading={fetch.isPending}
      onClick={() =>
        fetch.mutate(
          { workspaceId: workspace.id, what: { kind: 'member', memberId } },
          {
            onSuccess: ({ records, added, changed }) =>
              notifications.show({
                message:
                  added + changed === 0
                    ? 'Up to date. No changes.'
                    : `Refreshed ${formatCountOf(records, 'record')}: ${added} new, ${changed} changed.`,
              }),
          },
        )
      }
    >
      Refresh member
    </SmallButton>
  );
  return { button, error: fetch.error };
}
