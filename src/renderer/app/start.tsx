import { Button } from '@mantine/core';
import type { QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { DeskBridge } from '../../contract/bridge.ts';
import type { ErrorReport } from '../../contract/result.ts';
import { ReportNotice } from '../components/error-notice.tsx';
import { ListMemory } from '../domain/list/list-memory.tsx';
import { LockScreen } from '../features/lock/lock-screen.tsx';
import { ask, reportOf } from '../lib/desk-error.ts';
import { createDeskMode } from '../lib/desk-mode.ts';
import { createDeskCache, deskQuery, forgetRecords } from '../lib/desk-query.ts';
import type { Backend } from '../lib/enter-window.ts';
import { keepCacheLive } from '../lib/live-cache.ts';
import { palette } from './palette.ts';
import { type Foundation, Providers } from './providers.tsx';
import { RestartContext } from './restart.tsx';
import { createDeskRouter } from './router.tsx';
import styles from './start.module.css';

/**
 * How long to wait for a reload before the page starts again without one: the shell may have refused it, or failed its
 * proof.
 */
const reloadGraceMs = 2500;
/** The same after an unlock, where the reload also waits for the engine to start. */
const unlockGraceMs = 10_000;
/** After a lock: the host of a browser window needs a moment to notice that its engine has ended. */
const reloadDelayMs = 400;

/** Shows the lock screen or the unlocked window, by the current state. */
export async function startDesk(container: HTMLElement, backend: Backend, nonce: string): Promise<void> {
  const root = createRoot(container);
  const cache = createDeskCache();
  const desk = createDeskMode(backend.bridge);
  const { bridge } = desk;
  const lists = new ListMemory(bridge);
  desk.onChange(() => {
    lists.forgetLabels();
    void forgetRecords(cache);
  });
  let isStarting = false;
  const startAgain = (delayMs: number, graceMs: number): void => {
    if (isStarting) return;
    isStarting = true;
    setTimeout(() => void backend.reload(), delayMs);
    setTimeout(() => {
      root.unmount();
      void startDesk(container, backend, nonce);
    }, graceMs);
  };
  /** Empties the page and loads it again, so that no record stays in its memory. */
  const restart = (): void => {
    palette.close();
    root.unmount();
    startAgain(reloadDelayMs, reloadGraceMs);
  };
  const show = (foundation: Foundation, content: ReactNode) =>
    root.render(<Providers foundation={foundation}>{content}</Providers>);

  const base: Foundation = { bridge, cache, lists, nonce, theme: 'system' };
  try {
    const settingsAsked = cache.fetchQuery(deskQuery(bridge, 'settings:get', {}));
    // Lists measure their columns by it. The page asks for it first; where it fails, the system's is used.
    const fontLoaded = document.fonts.load('13px "Inter Variable"').catch(() => []);
    const lock = await ask(bridge, 'lock:getState', {});
    if (!lock.isLocked) await askAhead(bridge, cache);
    const settings = await settingsAsked;
    await fontLoaded;
    const foundation = { ...base, theme: settings.theme };
    keepCacheLive(bridge, cache);
    if (lock.isLocked) {
      show(foundation, <LockScreen {...lock} onUnlocked={() => startAgain(0, unlockGraceMs)} />);
      return;
    }
    bridge.subscribe('records:changed', ({ workspaceId }) => lists.markStale(workspaceId));
    bridge.subscribe('worklists:changed', ({ workspaceId }) => lists.markReviewed(workspaceId));
    bridge.subscribe('reviews:changed', ({ workspaceId }) => lists.markReviewed(workspaceId));
    bridge.subscribe('sync:finished', ({ workspaceId }) => lists.markStale(workspaceId));
    bridge.onReconnected?.(() => lists.markStale(null));
    const router = createDeskRouter();
    show(
      foundation,
      <RestartContext value={restart}>
        <RouterProvider router={router} />
      </RestartContext>,
    );
  } catch (error) {
    show(base, <StartFailed report={reportOf(error)} onRetry={restart} />);
  }
}

/**
 * Reads the workspaces, without which the window would be drawn twice, and requests what lists begin with while it is drawn. That
 * is not waited for: the store may be migrating. Errors are shown by the window and by the lists.
 */
async function askAhead(bridge: DeskBridge, cache: QueryClient): Promise<void> {
  try {
    const { activeId } = await cache.fetchQuery(deskQuery(bridge, 'workspaces:list', {}));
    if (activeId !== null)
      void cache.prefetchQuery(deskQuery(bridge, 'views:list', { workspaceId: activeId }));
  } catch {
    // The screen requests it again.
  }
}

const StartFailed = ({ report, onRetry }: { report: ErrorReport; onRetry: () => void }) => (
  <main className={styles.failed}>
    <h1 className={styles.title}>Claimdesk couldn’t start</h1>
    <ReportNotice
      report={report}
      action={
        <Button size="compact-sm" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  </main>
);
