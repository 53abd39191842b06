import { Button, Tooltip } from '@mantine/core';
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
import { reportOf } from '../../lib/desk-error.ts';
import { type SyncSummary, type SyncTone, summarizeSync } from '../../lib/sync-words.ts';
import { useNow } from '../../lib/use-now.ts';
import { useSync } from '../../lib/use-sync.ts';
import styles from './sync-status.module.css';

const icons: Readonly<Record<SyncTone, ReactNode>> = {
  running: <IconRefresh size={15} aria-hidden />,
  good: <IconCircleCheck size={15} aria-hidden />,
  caution: <IconAlertTriangle size={15} aria-hidden />,
  offline: <IconCloudOff size={15} aria-hidden />,
  failed: <IconAlertTriangle size={15} aria-hidden />,
  none: <IconInfoCircle size={15} aria-hidden />,
};

/** The sync in one line of the top bar: how things stand, and the button to start. */
export function SyncStatusBar({ workspace }: { workspace: Workspace }) {
  const sync = useSync(workspace);
  const now = useNow();
  if (sync.status === undefined) return null;
  // Pressed in vain: why is more to the point than how things stood before.
  const summary: SyncSummary =
    sync.startError === null || sync.status.running !== null
      ? summarizeSync(sync.status, sync.isServiceReachable, now)
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
        <Tooltip label={sync.status.isResumable ? 'Goes on where it was' : 'Reads everything anew'}>
          <Button size="compact-sm" variant="default" onClick={sync.start} loading={sync.isStarting}>
            {sync.status.isResumable ? 'Go on syncing' : 'Sync now'}
          </Button>
        </Tooltip>
      )}
    </div>
  );
}
