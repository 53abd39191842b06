import { useEffect, useState } from 'react';
import type { EventPayload } from '../../contract/events.ts';
import { describeStoreProgress, type StoreProgress } from '../../contract/store.ts';
import { ProgressBar } from '../components/progress-bar.tsx';
import { useBridge } from '../lib/desk-context.tsx';
import styles from './banners.module.css';

/** How far each file is that is being opened: the records of this workspace, and what people wrote. */
export type Opening = Readonly<Record<'records' | 'userData', StoreProgress | null>>;
export const nothingOpening: Opening = { records: null, userData: null };

/** What is known after an event; events of other workspaces change nothing. */
export function applyOpening(
  known: Opening,
  told: EventPayload<'store:opening'>,
  workspaceId: string,
): Opening {
  if (told.workspaceId === null) return { ...known, userData: told.progress };
  return told.workspaceId === workspaceId ? { ...known, records: told.progress } : known;
}

/** A file that takes long to open, since it is updated after an installation or repaired: what happens, and how far it is. */
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
