import { Link } from '@tanstack/react-router';
import type { Workspace } from '../../contract/workspace.ts';
import { WorkspaceSwitcher } from '../features/workspaces/workspace-switcher.tsx';
import { useAppActions } from '../lib/app-actions.tsx';
import { useDeskQuery } from '../lib/desk-query.ts';
import { formatCount } from '../lib/format-value.ts';
import { navigation } from './navigation.tsx';
import styles from './sidebar.module.css';

/** Where one can go, with how much is there. */
export function Sidebar({ workspace, onGo }: { workspace: Workspace; onGo?: () => void }) {
  const summary = useDeskQuery('records:getSummary', { workspaceId: workspace.id }, { keepsPrevious: true });
  const { showShortcuts, lockNow } = useAppActions();
  return (
    <div className={styles.sidebar}>
      <WorkspaceSwitcher />
      <nav aria-label="Main" className={styles.nav}>
        {navigation.map((item) => (
          <Link key={item.to} to={item.to} className={styles.link} onClick={() => onGo?.()}>
            {item.icon}
            <span className={styles.label}>{item.label}</span>
            {item.count !== undefined && summary.data !== undefined && (
              <span className={styles.count}>{formatCount(summary.data[item.count])}</span>
            )}
          </Link>
        ))}
      </nav>
      <div className={styles.foot}>
        <button type="button" className={styles.plain} onClick={showShortcuts}>
          Keyboard shortcuts <kbd>?</kbd>
        </button>
        <button type="button" className={styles.plain} onClick={lockNow}>
          Lock now
        </button>
      </div>
    </div>
  );
}
