import { useMutation } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SavedPath } from '../../components/saved-path.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Status } from '../../components/text.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { formatCountOf } from '../../lib/format-value.ts';

/** Saves the deadlines of a workspace's claims as a calendar file: the button, and below the title what was saved. */
export function useSaveCalendar(workspaceId: string) {
  const bridge = useBridge();
  const save = useMutation({
    mutationFn: async () => {
      const target = await ask(bridge, 'files:chooseSaveTarget', {
        purpose: 'calendar',
        suggestedName: 'claimdesk-deadlines.ics',
      });
      if (target === null) return null;
      const { targetId, displayPath } = target;
      return { ...(await ask(bridge, 'worklists:saveCalendar', { workspaceId, targetId })), displayPath };
    },
  });
  return {
    button: (
      <SmallButton loading={save.isPending} onClick={() => save.mutate()}>
        Save calendar…
      </SmallButton>
    ),
    result: (
      <>
        {save.data && (
          <Status>
            Deadlines of {formatCountOf(save.data.claims, 'claim')} on {formatCountOf(save.data.days, 'day')},
            without names or amounts
            {save.data.over > 0 && `; ${formatCountOf(save.data.over, 'claim')} over time left out`}, saved as{' '}
            <SavedPath path={save.data.displayPath} />
          </Status>
        )}
        <ErrorNotice error={save.error} title="Couldn’t save the calendar" />
      </>
    ),
  };
}
