import { useEffect, useState } from 'react';
import type { EventPayload } from '../../contract/events.ts';
import { describeStoreProgress, type StoreProgress } from '../../contract/store.ts';
import { ProgressBar } from '../components/progress-bar.tsx';
import { useBridge } from '../lib/desk-context.tsx';
import styles from './banners.module.css';

/** The progress of each file that is being opened: the records of this workspace, and the user data. */
type Opening = Readonly<Record<'records' | 'userData', StoreProgress | null>>;
export const nothingOpening: Opening = { records: null, userData: null };

/** The progress after an event; events of other workspaces change nothing. */
export function applyOpening(
  known: Opening,
  told: EventPayload<'store:opening'>,
  workspaceId: string,
): Opening {
  if (told.workspaceId === null) return { ...known, userData: told.progress };
  return told.workspaceId === workspaceId ? { ...known, records: told.progress } : known;
}

/** Shown while a file takes long to open, because it is migrated or repaired: what happens, and its progress. */
export function OpeningNotice({ workspaceId }: { workspaceId: string }) {
  const bridge = useBridge();
  const [opening, setOpening] = useState(nothingOpening);
  useEffect(
    () =>
      bridge.subscribe('store:opening', (told) =>
        setOpening((known) => applyOpening(known, told, workspaceId)),
      ),
    [bridge, workspaceId],
  );
  return <OpeningProgress opening={opening} />;
}

const updates: ReadonlySet<StoreProgress['doing']> = new Set(['backingUp', 'checkingBackup', 'migrating']);

export function OpeningProgress({ opening }: { opening: Opening }) {
  const progress = opening.records ?? opening.userData;
  if (progress === null) return null;
  const what = opening.records === null ? 'notes and the audit log' : 'records';
  const isUpdate = updates.has(progress.doing);
  const text = describeStoreProgress(progress);
  return (
    <section className={styles.notice} aria-label={isUpdate ? 'Update in progress' : 'Repair in progress'}>
      <strong role="status">
        {isUpdate ? `Updating ${what} for this version of Claimdesk.` : `Repairing ${what}.`}
      </strong>
      <span className={styles.steps}>{text}</span>
      <ProgressBar
        label="Progress"
        text={text}
        share={progress.of === 0 ? 0 : progress.done / progress.of}
        isAnimated
        className={styles.bar}
      />
      <span>If Claimdesk closes now, this continues next time.</span>
    </section>
  );
}
