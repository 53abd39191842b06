import { IconFlask } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { EventPayload } from '../../contract/events.ts';
import { noticeTable } from '../../contract/notices.ts';
import { describeStoreProgress, type StoreProgress } from '../../contract/store.ts';
import { SmallButtonLink } from '../components/links.tsx';
import { ProgressBar } from '../components/progress-bar.tsx';
import { describeKeyAge } from '../domain/key/key-labels.ts';
import { nextSteps } from '../domain/workspace/connect-steps.ts';
import { useUnfinishedStep } from '../domain/workspace/use-unfinished-step.ts';
import { ConnectBanners } from '../features/connect/connect-banners.tsx';
import { useBridge } from '../lib/desk-context.tsx';
import { useDeskMutation, useDeskQuery, useWorkspaceQuery } from '../lib/desk-query.ts';
import { useNow } from '../lib/use-now.ts';
import { useWorkspace } from '../lib/workspace-context.tsx';
import styles from './banners.module.css';

/** The progress of each file that is being opened: the records of this workspace, and the user data. */
type Opening = Readonly<Record<'records' | 'userData', StoreProgress | null>>;
export const nothingOpening: Opening = { records: null, userData: null };

/** The progress after an event; events of other workspaces change nothing. */
export function applyOpening(
  opening: Opening,
  event: EventPayload<'store:opening'>,
  workspaceId: string,
): Opening {
  if (event.workspaceId === null) return { ...opening, userData: event.progress };
  return event.workspaceId === workspaceId ? { ...opening, records: event.progress } : opening;
}

/** Shown while a file takes long to open, because it is migrated or repaired: what happens, and its progress. */
function OpeningNotice() {
  const { id: workspaceId } = useWorkspace();
  const bridge = useBridge();
  const [opening, setOpening] = useState(nothingOpening);
  useEffect(
    () =>
      bridge.subscribe('store:opening', (event) =>
        setOpening((before) => applyOpening(before, event, workspaceId)),
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

/** Notices on every screen: sample data, an unfinished connection, a profile that cannot be written to. */
export function Banners() {
  const workspace = useWorkspace();
  const info = useDeskQuery('app:getInfo', {});
  return (
    <>
      {workspace.isSample ? (
        <SampleBanner />
      ) : (
        <>
          <UnfinishedBanner />
          <OldKeyBanner />
        </>
      )}
      <ConnectBanners />
      <DamageBanner />
      <OpeningNotice key={workspace.id} />
      {info.data?.notices.map((notice) => (
        <section key={notice} className={styles.notice} aria-label="About this computer">
          {noticeTable[notice]}
        </section>
      ))}
      {info.data?.isReadOnly && (
        <section className={styles.notice} aria-label="Read-only">
          Claimdesk is already open in another window. This window is read-only.
        </section>
      )}
    </>
  );
}

/** Damaged records, with a link to their repair. */
function DamageBanner() {
  const workspace = useWorkspace();
  const { data } = useWorkspaceQuery('store:getState');
  if (data === undefined || !(data.records.isDamaged || data.userData.isDamaged)) return null;
  const what = data.records.isDamaged ? `Records of ${workspace.name}` : 'Notes and the audit log';
  return (
    <section className={styles.notice} aria-label="Damaged file">
      <span>{what} are damaged on this computer. The service is not affected.</span>
      <SmallButtonLink size="compact-xs" to="/settings/$section" params={{ section: 'data' }}>
        {data.records.isDamaged ? 'Repair records' : 'Repair notes'}
      </SmallButtonLink>
    </section>
  );
}

function SampleBanner() {
  const close = useDeskMutation('sample:close');
  return (
    <section className={styles.sample} aria-label="Sample data">
      <IconFlask size={16} aria-hidden />
      <strong>Sample data</strong>
      <span className={styles.text}>No real people or claims.</span>
      <span className={styles.actions}>
        <Link to="/welcome/connect" search={{ isNew: true }} className={styles.link}>
          Connect to your service
        </Link>
        <button
          type="button"
          className={styles.link}
          disabled={close.isPending}
          onClick={() => close.mutate({})}
        >
          Exit sample
        </button>
      </span>
    </section>
  );
}

function OldKeyBanner() {
  const workspace = useWorkspace();
  const now = useNow();
  const settings = useDeskQuery('settings:get', {});
  const keys = useDeskQuery('keys:list', {});
  const key = keys.data?.keys.find(({ id }) => id === workspace.keyId);
  if (key === undefined || settings.data === undefined) return null;
  const age = describeKeyAge(key.createdAt, settings.data.keyReminderDays, now);
  if (!age.isDue) return null;
  return (
    <section className={styles.notice} aria-label="Key due for rotation">
      <span>
        The SSH key of {workspace.name} is {age.label}.
      </span>
      <SmallButtonLink
        size="compact-xs"
        to="/settings/workspaces/$workspaceId/rotate"
        params={{ workspaceId: workspace.id }}
      >
        Rotate key
      </SmallButtonLink>
    </section>
  );
}

function UnfinishedBanner() {
  const workspace = useWorkspace();
  const step = useUnfinishedStep();
  if (step === null) return null;
  return (
    <section className={styles.notice} aria-label="Setup not finished">
      <span>
        Setup of {workspace.name} isn’t finished. Next: {nextSteps[step]}.
      </span>
      <SmallButtonLink size="compact-xs" to="/welcome/connect">
        Finish setup
      </SmallButtonLink>
    </section>
  );
}
