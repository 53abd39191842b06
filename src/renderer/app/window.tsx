import { Box, Kbd, Switch, Table } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, useEffect, useMemo, useRef, useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { reviewShortcuts } from '../domain/review/group-commands.ts';
import { useWorkspaces } from '../domain/workspace/use-workspaces.ts';
import { ExportDialog } from '../features/export/export-dialog.tsx';
import { useLock } from '../features/lock/use-lock.ts';
import {
  type AppActions,
  AppActionsProvider,
  type AttachTarget,
  type ExportRequest,
} from '../lib/app-actions.tsx';
import { colorOfTone } from '../lib/claim-status.ts';
import { useBridge } from '../lib/desk-context.tsx';
import { navigation } from '../lib/navigation.tsx';
import { showNotice } from '../lib/notice.ts';
import { mayPress } from '../lib/presses.ts';
import {
  areSingleKeysOn,
  isDialogOpen,
  isForDialog,
  isTypingIn,
  setSingleKeys,
  shortcutScreens,
  shortcuts,
  spellKeys,
} from '../lib/shortcuts.ts';
import { useSingleKeys } from '../lib/use-single-keys.ts';
import { WorkspaceProvider } from '../lib/workspace-context.tsx';
import { AttachDialog, type AttachRequest } from './attach-dialog.tsx';
import { CommandPalette } from './command-palette.tsx';
import { palette } from './palette.ts';
import { useRestart } from './restart.tsx';
import { Shell } from './shell.tsx';

/** How long after `g` the letter of a page may follow. */
const waitMs = 2000;

/** Opens a page by `g` and a letter. */
function useGoKeys(): void {
  const navigate = useNavigate();
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  useSingleKeys({
    g: () => {
      pressedAt.current = performance.now();
    },
  });
  useEffect(() => {
    // Before the keys of the page, which may have the same letter.
    const onKeyDown = (event: KeyboardEvent) => {
      const isWaiting = performance.now() - pressedAt.current < waitMs;
      pressedAt.current = Number.NEGATIVE_INFINITY;
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      const page = navigation.find(({ goKey }) => goKey === event.key);
      if (!isWaiting || !isPlain || page === undefined) return;
      if (isTypingIn(event.target) || isForDialog(event)) return;
      event.preventDefault();
      event.stopPropagation();
      void navigate({ to: page.to });
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [navigate]);
}

/** All keys, and the switch for single letters. */
function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [isOn, setIsOn] = useState(() => areSingleKeysOn(window.localStorage));
  const change = (next: boolean) => {
    setSingleKeys(window.localStorage, next);
    setIsOn(next);
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts" size={1080}>
      <Box style={{ columns: '400px 2', columnGap: 28 }}>
        {shortcutScreens.map((screen) => (
          <Table
            key={screen}
            aria-label={screen}
            verticalSpacing={2}
            mb="sm"
            style={{ breakInside: 'avoid' }}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th colSpan={2}>{screen}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {[...shortcuts, ...reviewShortcuts]
                .filter((shortcut) => shortcut.where === screen)
                .map((shortcut) => (
                  <Table.Tr key={shortcut.does}>
                    <Table.Td w={170}>
                      {shortcut.keys.map((keys) => (
                        <Fragment key={keys}>
                          <Kbd size="xs">{spellKeys(keys, navigator.platform)}</Kbd>{' '}
                        </Fragment>
                      ))}
                    </Table.Td>
                    <Table.Td>{shortcut.does}</Table.Td>
                  </Table.Tr>
                ))}
            </Table.Tbody>
          </Table>
        ))}
      </Box>
      <Switch
        label="Single-letter shortcuts"
        description="Turn off if they interfere with a screen reader or dictation."
        checked={isOn}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    </Dialog>
  );
}

/**
 * Files to attach that were chosen, or dropped anywhere while no dialog is open, and the record on screen, if any.
 * Switching the workspace discards them.
 */
function useAttaching(workspaceId: string | null) {
  const [request, setRequest] = useState<AttachRequest | null>(null);
  const target = useRef<AttachTarget | null>(null);
  const actions = useMemo(() => {
    const attach = (files: readonly File[]) => {
      if (workspaceId === null || files.length === 0) return;
      setRequest({ workspaceId, files, subject: target.current?.subject ?? null });
    };
    return {
      attach,
      chooseDocument() {
        const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true });
        input.addEventListener('change', () => attach([...(input.files ?? [])]));
        input.click();
      },
      offerTarget(offered: AttachTarget) {
        target.current = offered;
        return () => {
          if (target.current === offered) target.current = null;
        };
      },
    };
  }, [workspaceId]);
  if (request !== null && request.workspaceId !== workspaceId) setRequest(null);
  useEffect(() => {
    const drop = ({ dataTransfer }: DragEvent) => {
      const isPress = (target.current?.mayPress ?? mayPress)();
      if (isPress && !isDialogOpen()) actions.attach([...(dataTransfer?.files ?? [])]);
    };
    window.addEventListener('drop', drop);
    return () => window.removeEventListener('drop', drop);
  }, [actions]);
  return { request, setRequest, ...actions };
}

/** The unlocked window: the frame, and the dialogs that any screen can open. */
export function Window() {
  const [exportRequest, setExportRequest] = useState<ExportRequest | null>(null);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const navigate = useNavigate();
  const lockNow = useLock(useRestart());
  const { active } = useWorkspaces();
  const attaching = useAttaching(active?.id ?? null);
  const { chooseDocument, offerTarget } = attaching;
  const actions = useMemo<AppActions>(
    () => ({
      requestExport: setExportRequest,
      lockNow,
      showShortcuts: () => setIsSheetOpen(true),
      openPalette: palette.open,
      chooseDocument,
      offerTarget,
    }),
    [lockNow, chooseDocument, offerTarget],
  );
  useHotkeys(
    [
      ['mod+shift+L', lockNow],
      ['mod+K', () => palette.toggle()],
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
    <WorkspaceProvider workspace={active}>
      <AppActionsProvider actions={actions}>
        <Shell />
        <CommandPalette />
        <ExportDialog request={exportRequest} onClose={() => setExportRequest(null)} />
        {active !== null && <AttachDialog request={attaching.request} onRequest={attaching.setRequest} />}
        <ShortcutSheet isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} />
      </AppActionsProvider>
    </WorkspaceProvider>
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
