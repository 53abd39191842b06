import { Drawer, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowLeft, IconArrowRight, IconLock, IconMenu2, IconSearch } from '@tabler/icons-react';
import { IconButton } from '../components/icon-button.tsx';
import { SmallButton } from '../components/small-button.tsx';
import { DeskModeButton } from '../features/desk-mode/desk-mode-button.tsx';
import { SyncStatusBar } from '../features/sync/sync-status.tsx';
import { TeamStatusLine } from '../features/team/team-status-line.tsx';
import { useAppActions } from '../lib/app-actions.tsx';
import { spellKeys } from '../lib/shortcuts.ts';
import { Sidebar } from './sidebar.tsx';
import styles from './top-bar.module.css';

/** Search, state of the team and of the sync, lock; a menu if the window is narrow. */
export function TopBar() {
  const { openPalette, lockNow } = useAppActions();
  const [isMenuOpen, menu] = useDisclosure(false);
  const platform = navigator.platform;
  return (
    <section className={styles.bar} aria-label="Tools" data-screen-only>
      <IconButton
        label="Open menu"
        icon={<IconMenu2 size={17} aria-hidden />}
        className={styles.burger ?? ''}
        variant="default"
        aria-expanded={isMenuOpen}
        onClick={menu.open}
      />
      <Drawer
        opened={isMenuOpen}
        onClose={menu.close}
        size={240}
        padding={0}
        title="Claimdesk"
        closeButtonProps={{ 'aria-label': 'Close menu' }}
      >
        <Sidebar onGo={menu.close} />
      </Drawer>
      <IconButton
        label="Back"
        icon={<IconArrowLeft size={16} aria-hidden />}
        className={styles.step ?? ''}
        aria-keyshortcuts="Alt+ArrowLeft"
        onClick={() => window.history.back()}
      />
      <IconButton
        label="Forward"
        icon={<IconArrowRight size={16} aria-hidden />}
        className={styles.step ?? ''}
        aria-keyshortcuts="Alt+ArrowRight"
        onClick={() => window.history.forward()}
      />
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
        <TeamStatusLine />
        <SyncStatusBar />
      </div>
      <DeskModeButton />
      <Tooltip label={`Lock now (${spellKeys('Ctrl Shift L', platform)})`}>
        <IconButton
          label="Lock now"
          icon={<IconLock size={16} aria-hidden />}
          variant="default"
          aria-keyshortcuts="Control+Shift+L"
          onClick={lockNow}
        />
      </Tooltip>
    </section>
  );
}
