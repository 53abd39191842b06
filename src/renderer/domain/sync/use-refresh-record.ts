import { notifications } from '@mantine/notifications';
import type { Input } from '../../../contract/procedures.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';

/** Reads a record or the claims of a connection again, without a sync, and shows how many records changed. */
export function useRefreshRecord(noun: 'claim' | 'record') {
  const fetch = useWorkspaceMutation('sync:refreshRecord');
  const refresh = (what: Input<'sync:refreshRecord'>['what']) =>
    fetch.mutate(
      { what },
      {
        onSuccess: ({ records, added, changed }) =>
          notifications.show({
            message:
              added + changed === 0
                ? 'Up to date. No changes.'
                : `Refreshed ${formatCountOf(records, noun)}: ${added} new, ${changed} changed.`,
          }),
      },
    );
  return { refresh, refreshing: fetch.isPending ? fetch.variables.what : null, error: fetch.error };
}
