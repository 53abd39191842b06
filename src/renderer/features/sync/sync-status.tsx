import { Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCloudOff,
  IconInfoCircle,
  IconRefresh,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Workspace } from '../../../contract/workspace.ts';
import { SmallButton } from '../../components/small-button.tsx';
import { type SyncSummary, type SyncTone, summarizeSync } from '../../domain/sync/sync-messages.ts';
import { useSync } from '../../domain/sync/use-sync.ts';
import { reportOf } from '../../lib/desk-error.ts';
import { useNow } from '../../lib/use-now.ts';
import styles from './sync-status.module.css';

const icons: Readonly<Record<SyncTone, ReactNode>> = {
  running: <IconRefresh size={15} aria-hidden />,
  good: <IconCircleCheck size={15} aria-hidden />,
  caution: <IconAlertTriangle size={15} aria-hidden />,
  offline: <IconCloudOff size={15} aria-hidden />,
  failed: <IconAlertTriangle size={15} aria-hidden />,
  none: <IconInfoCircle size={15} aria-hidden />,
};

/** The sync in one line of the top bar: its state, and the button to start. */
export function SyncStatusBar({ workspace }: { workspace: Workspace }) {
  const sync = useSync(workspace);
  const now = useNow();
  if (sync.status === undefined) return null;
  // Where a start failed, the reason is shown instead of the last sync's result.
  const summary: SyncSummary =
    sync.startError === null || sync.status.running !== null
      ? summarizeSync(sync.status, sync.isOffline, now)
      : { tone: 'failed', text: reportOf(sync.startError).message };
  return (
    <div className={styles.bar}>
      <Link to="/sync" className={styles.status} data-tone={summary.tone}>
        {icons[summary.tone]}
        <span className={styles.text} role="status" title={summary.text}>
          {summary.text}
        </span>
      </Link>
      {sync.status.running === null && (
        <Tooltip label={sync.status.isResumable ? 'Picks up where it stopped' : 'Reads everything again'}>
          <SmallButton onClick={sync.start} loading={sync.isStarting}>
            {sync.status.isResumable ? 'Resume sync' : 'Sync now'}
          </SmallButton>
        </Tooltip>
      )}
    </div>
  );
}
