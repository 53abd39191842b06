import type { Output } from '../../../contract/procedures.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SavedPath } from '../../components/saved-path.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Status } from '../../components/text.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useSaveFile } from '../../lib/use-secret-call.ts';

/** Saves the deadlines of a workspace's claims as a calendar file: the button, and below the title what was saved. */
export function useSaveCalendar(workspaceId: string) {
  const bridge = useBridge();
  const { saved, save, isPending, error } = useSaveFile<Output<'worklists:saveCalendar'>>({
    purpose: 'calendar',
    suggestedName: 'claimdesk-deadlines.ics',
  });
  return {
    button: (
      <SmallButton
        loading={isPending}
        onClick={() => save((targetId) => ask(bridge, 'worklists:saveCalendar', { workspaceId, targetId }))}
      >
        Save calendar…
      </SmallButton>
    ),
    result: (
      <>
        {saved !== null && (
          <Status>
            Deadlines of {formatCountOf(saved.claims, 'claim')} on {formatCountOf(saved.days, 'day')}, without
            names or amounts
            {saved.over > 0 && `; ${formatCountOf(saved.over, 'claim')} over time left out`}, saved as{' '}
            <SavedPath path={saved.displayPath} />
          </Status>
        )}
        <ErrorNotice error={error} title="Couldn’t save the calendar" />
      </>
    ),
  };
}
