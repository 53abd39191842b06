import { Notifications } from '@mantine/notifications';
import { Outlet, useLocation } from '@tanstack/react-router';
import { memo } from 'react';
import { LoadingState } from '../components/states.tsx';
import { KeepLastRead } from '../features/start/keep-last-read.ts';
import { useDeskMode } from '../lib/use-desk-mode.ts';
import { useOpenWorkspace } from '../lib/workspace-context.tsx';
import { Banners } from './banners.tsx';
import { MountedList } from './mounted-list.tsx';
import { PageTabs } from './page-tabs.tsx';
import styles from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';

/**
 * The frame of every screen. The welcome page and the steps of setting up a workspace stand alone. Parts that depend on the
 * address read it themselves, so that a step to another record redraws only them.
 */
export const Shell = memo(function Shell() {
  const active = useOpenWorkspace();
  const isWelcome = useLocation({ select: (location) => location.pathname.startsWith('/welcome') });
  const desk = useDeskMode();
  // Switching desk mode remounts the page: no table keeps rows that were read before.
  const content = (
    <main key={String(desk.isOn)} id="content" className={styles.main} tabIndex={-1}>
      {active !== null && !isWelcome && <PageTabs />}
      <MountedList />
      <Outlet />
    </main>
  );
  const isBare = active === null || isWelcome;
  // The page has the same place in both, so that it keeps what was typed when the first workspace is added.
  return (
    <div className={isBare ? styles.bare : styles.shell}>
      {!isBare && (
        <>
          <KeepLastRead />
          <button type="button" className="skip-link" onClick={skipToContent}>
            Skip to content
          </button>
          <div className={styles.banners}>
            <Banners />
          </div>
          <div className={styles.side}>
            <Sidebar />
          </div>
        </>
      )}
      <div className={styles.body}>
        {!isBare && <TopBar />}
        {content}
        <Notifications position="bottom-center" limit={3} autoClose={6000} withinPortal={false} />
      </div>
    </div>
  );
});

/** The part of the address after `#` is the route, so the skip link moves the focus, not the address. */
function skipToContent(): void {
  document.getElementById('content')?.focus();
}

/** Shown in place of a page while its code is loaded. */
export const Waiting = () => (
  <div className={styles.waiting}>
    <LoadingState what="the page" />
  </div>
);
