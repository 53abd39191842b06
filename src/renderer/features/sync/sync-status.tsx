import { Tooltip } from '@mantine/core';
import { SmallButton } from '../../components/small-button.tsx';
import { StatusLink } from '../../components/status-link.tsx';
import { type SyncSummary, summarizeSync } from '../../domain/sync/sync-messages.ts';
import { useSync } from '../../domain/sync/use-sync.ts';
import { useUnfinishedStep } from '../../domain/workspace/use-unfinished-step.ts';
import { reportOf } from '../../lib/desk-error.ts';
import { useNow } from '../../lib/use-now.ts';
import styles from './sync-status.module.css';

/** The sync in one line of the top bar: its state, and the button to start. */
export function SyncStatusBar() {
  const sync = useSync();
  const now = useNow();
  const step = useUnfinishedStep();
  if (sync.status === undefined) return null;
  // Where a start failed, the reason is shown instead of the last sync's result.
  const summary: SyncSummary =
    sync.startError === null || sync.status.running !== null
      ? summarizeSync(sync.status, sync.isOffline, now)
      : { tone: 'failed', text: reportOf(sync.startError).message };
  return (
    <div className={styles.bar}>
      <StatusLink to="/sync" tone={summary.tone} text={summary.text} />
      {sync.status.running === null && (step === null || step === 'sync') && (
        <Tooltip
          label={sync.status.isResumable ? 'Picks up where it stopped' : 'Full check: reads everything again'}
        >
          <SmallButton onClick={sync.start} loading={sync.isStarting}>
            {sync.status.isResumable ? 'Resume sync' : 'Sync now'}
          </SmallButton>
        </Tooltip>
      )}
    </div>
  );
}
