import { useState } from 'react';
import { TextButton } from '../../components/text-button.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import styles from './saved-strip.module.css';
import { labelOfUndo } from './undo-route.ts';
import { useUndoEvent } from './use-undo.ts';

/**
 * Says at the foot of a claim's page what was just saved for another claim, for six seconds, and undoes it. It leaves
 * out an act from before the page opened, and one that is the newest again after an undo.
 */
export function SavedStrip({ workspaceId, claimId }: { workspaceId: string; claimId: number }) {
  const newest = useDeskQuery('reviews:getUndo', { workspaceId }).data;
  const { undo } = useUndoEvent(workspaceId);
  /** `at`: the time of the newest act so far, null until the first one is loaded. `saidId`: the act that is shown. */
  const [seen, setSeen] = useState<{ at: string | null; saidId: string | null }>({ at: null, saidId: null });
  const event = newest?.event ?? null;
  const at = event?.at ?? '';
  if (newest !== undefined && (seen.at === null || at > seen.at))
    setSeen({ at, saidId: seen.at === null ? null : (event?.id ?? null) });
  const isSaid = event !== null && event.id === seen.saidId && event.claimId !== claimId;
  return (
    <div className={styles.frame} aria-live="polite" data-screen-only>
      {isSaid && (
        <p className={styles.strip} key={event.id}>
          ✓ {labelOfUndo(event)} · <TextButton onClick={() => undo(event.id)}>Undo (Ctrl Z)</TextButton>
        </p>
      )}
    </div>
  );
}
