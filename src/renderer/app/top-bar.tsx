import { ActionIcon, Drawer, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowLeft, IconArrowRight, IconLock, IconMenu2, IconSearch } from '@tabler/icons-react';
import type { Workspace } from '../../contract/workspace.ts';
import { SmallButton } from '../components/small-button.tsx';
import { DeskModeButton } from '../features/desk-mode/desk-mode-button.tsx';
import { SyncStatusBar } from '../features/sync/sync-status.tsx';
import { useAppActions } from '../lib/app-actions.tsx';
import { spellKeys } from '../lib/shortcuts.ts';
import { Sidebar } from './sidebar.tsx';
import styles from './top-bar.module.css';

/** Search, state of the sync, lock; a menu where the window is narrow. */
export function TopBar({ workspace }: { workspace: Workspace }) {
  const { openPalette, lockNow } = useAppActions();
  const [isMenuOpen, menu] = useDisclosure(false);
  const platform = navigator.platform;
  return (
    <section className={styles.bar} aria-label="Tools" data-screen-only>
      <ActionIcon
        className={styles.burger ?? ''}
        variant="default"
        aria-label="Open menu"
        aria-expanded={isMenuOpen}
        onClick={menu.open}
      >
        <IconMenu2 size={17} aria-hidden />
      </ActionIcon>
      <Drawer
        opened={isMenuOpen}
        onClose={menu.close}
        size={240}
        padding={0}
        title="Claimdesk"
        closeButtonProps={{ 'aria-label': 'Close menu' }}
      >
        <Sidebar workspace={workspace} onGo={menu.close} />
      </Drawer>
      <ActionIcon
        className={styles.step ?? ''}
        variant="subtle"
        color="gray"
        aria-label="Back"
        aria-keyshortcuts="Alt+ArrowLeft"
        onClick={() => window.history.back()}
      >
        <IconArrowLeft size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        className={styles.step ?? ''}
        variant="subtle"
        color="gray"
        aria-label="Forward"
        aria-keyshortcuts="Alt+ArrowRight"
        onClick={() => window.history.forward()}
      >
        <IconArrowRight size={16} aria-hidden />
      </ActionIcon>
      <SmallButton
        className={styles.find ?? ''}
        justify="flex-start"
        fullWidth={false}
        classNames={{ label: styles.findLabel ?? '' }}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={<kbd className={styles.kbd}>{spellKeys('Ctrl K', platform)}</kbd>}
        onClick={openPalette}
        aria-keyshortcuts="Control+K"
      >
        Search or jump to…
      </SmallButton>
      <div className={styles.sync}>
        <SyncStatusBar workspace={workspace} />
      </div>
      <DeskModeButton />
      <Tooltip label={`Lock now (${spellKeys('Ctrl Shift L', platform)})`}>
        <ActionIcon
          variant="default"
          aria-label="Lock now"
          aria-keyshortcuts="Control+Shift+L"
          onClick={lockNow}
        >
          <IconLock size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </section>
  );
}
