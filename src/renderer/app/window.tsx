import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { ExportDialog } from '../features/export/export-dialog.tsx';
import { useLock } from '../features/lock/use-lock.ts';
import { type AppActions, AppActionsProvider, type ExportRequest } from '../lib/app-actions.tsx';
import { colorOfTone } from '../lib/claim-status.ts';
import { useBridge } from '../lib/desk-context.tsx';
import { showNotice } from '../lib/notice.ts';
import { isForDialog } from '../lib/shortcuts.ts';
import { useSingleKeys } from '../lib/use-single-keys.ts';
import { CommandPalette } from './command-palette.tsx';
import { palette } from './palette.ts';
import { useRestart } from './restart.tsx';
import { Shell } from './shell.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { useGoKeys } from './use-go-keys.ts';

/** The unlocked window: the frame, and the dialogs that any screen can open. */
export function Window() {
  const [exportRequest, setExportRequest] = useState<ExportRequest | null>(null);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const navigate = useNavigate();
  const lockNow = useLock(useRestart());
  const actions = useMemo<AppActions>(
    () => ({
      requestExport: setExportRequest,
      lockNow,
      showShortcuts: () => setIsSheetOpen(true),
      openPalette: palette.open,
    }),
    [lockNow],
  );
  useHotkeys(
    [
      ['mod+shift+L', lockNow],
      ['mod+K', () => palette.open()],
      ['F1', (event) => isForDialog(event) || void navigate({ to: '/help' })],
    ],
    [],
    true,
  );
  // Not in text fields, where these keys move the cursor by words.
  useHotkeys([
    ['alt+ArrowLeft', () => window.history.back()],
    ['alt+ArrowRight', () => window.history.forward()],
  ]);
  useSingleKeys({ '?': () => setIsSheetOpen(true) });
  useGoKeys();
  useSyncNotices();
  return (
    <AppActionsProvider actions={actions}>
      <Shell />
      <CommandPalette />
      <ExportDialog request={exportRequest} onClose={() => setExportRequest(null)} />
      <ShortcutSheet isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} />
    </AppActionsProvider>
  );
}

/** Shows a notification when a sync has ended. It has no personal data. */
function useSyncNotices(): void {
  const bridge = useBridge();
  useEffect(
    () =>
      bridge.subscribe('sync:finished', ({ receipt }) => {
        const isGood = receipt.outcome === 'complete';
        showNotice('sync', {
          color: colorOfTone[isGood ? 'good' : receipt.outcome === 'failed' ? 'bad' : 'caution'],
          title: {
            complete: 'Sync complete',
            notProven: 'Synced, not verified complete',
            refreshed: 'Refreshed, not verified complete',
            canceled: 'Sync canceled',
            failed: 'Sync failed',
          }[receipt.outcome],
          message: isGood ? 'All records are on this computer.' : 'See the Sync page for details.',
        });
      }),
    [bridge],
  );
}
