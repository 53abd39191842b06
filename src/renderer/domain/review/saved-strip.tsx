import { useState } from 'react';
import { formatPersonName } from '../../../rules/person-names.ts';
import type { ReviewEvent } from '../../../rules/review/review.ts';
import { TextButton } from '../../components/text-button.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useRowsById } from '../list/use-rows-by-id.ts';
import styles from './saved-strip.module.css';
import { labelOfUndo } from './undo-route.ts';
import { useUndoEvent } from './use-undo.ts';

/**
 * Says at the foot of a page what was just saved, for six seconds, and undoes it: on a claim's page for another claim, on a
 * member's for the member. It leaves out an act from before the page opened, and one that is the newest again after an undo.
 */
export function SavedStrip(props: { workspaceId: string; isSaid: (event: ReviewEvent) => boolean }) {
  const { workspaceId } = props;
  const newest = useDeskQuery('reviews:getUndo', { workspaceId }).data;
  const { undo } = useUndoEvent(workspaceId);
  /** `at`: the time of the newest act so far, null until the first one is loaded. `saidId`: the act that is shown. */
  const [seen, setSeen] = useState<{ at: string | null; saidId: string | null }>({ at: null, saidId: null });
  const event = newest?.event ?? null;
  const at = event?.at ?? '';
  if (newest !== undefined && (seen.at === null || at > seen.at))
    setSeen({ at, saidId: seen.at === null ? null : (event?.id ?? null) });
  const isSaid = event !== null && event.id === seen.saidId && props.isSaid(event);
  return (
    <div className={styles.frame} aria-live="polite" data-screen-only>
      {isSaid && (
        <p className={styles.strip} key={event.id}>
          ✓ {labelOfUndo(event)}
          <PatientOf workspaceId={workspaceId} claimId={event.claimId} /> ·{' '}
          <TextButton onClick={() => undo(event.id)}>Undo (Ctrl Z)</TextButton>
        </p>
      )}
    </div>
  );
}

/** The patient of a claim, once it is read. */
function PatientOf({ workspaceId, claimId }: { workspaceId: string; claimId: number | null }) {
  const ids = claimId === null ? [] : [claimId];
  const name = useRowsById(workspaceId, 'claims', ids, ['patient_name']).get(claimId ?? 0)?.patient_name;
  return typeof name === 'string' ? ` ${formatPersonName(name)}` : null;
}
