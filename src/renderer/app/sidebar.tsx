import { Link, useLocation } from '@tanstack/react-router';
import type { Output } from '../../contract/procedures.ts';
import type { Workspace } from '../../contract/workspace.ts';
import { parseListRef } from '../domain/list/list-ref.ts';
import { PinnedViews } from '../features/views/pinned-views.tsx';
import { SidebarWorklists } from '../features/worklists/sidebar-worklists.tsx';
import { WorkspaceSwitcher } from '../features/workspaces/workspace-switcher.tsx';
import { useAppActions } from '../lib/app-actions.tsx';
import { useDeskQuery } from '../lib/desk-query.ts';
import { formatCount } from '../lib/format-value.ts';
import { type NavigationItem, navigation } from './navigation.tsx';
import styles from './sidebar.module.css';

/** The count that the list shows when it opens, without archived members. */
function countShown(
  summary: Output<'records:getSummary'>,
  count: NonNullable<NavigationItem['count']>,
): number {
  return count === 'members' ? summary.members - summary.archivedMembers : summary[count];
}

/** The screens, with their counts. */
export function Sidebar({ workspace, onGo }: { workspace: Workspace; onGo?: () => void }) {
  const summary = useDeskQuery('records:getSummary', { workspaceId: workspace.id }, { keepsPrevious: true });
  const { showShortcuts, lockNow } = useAppActions();
  // A claim that was opened from a worklist is marked there.
  const isOfWorklist = useLocation({
    select: ({ search }) => parseListRef({ ...search }).list?.startsWith('worklist-') === true,
  });
  return (
    <div className={styles.sidebar}>
      <WorkspaceSwitcher />
      <nav aria-label="Main" className={styles.nav}>
        {navigation.map((item) => (
          <Link
            key={item.to}
            to={item.to}
            className={styles.link}
            data-of-worklist={isOfWorklist || undefined}
            onClick={() => onGo?.()}
          >
            {item.icon}
            <span className={styles.label}>{item.label}</span>
            {item.count !== undefined && summary.data !== undefined && (
              <span className={styles.count}>{formatCount(countShown(summary.data, item.count))}</span>
            )}
          </Link>
        ))}
      </nav>
      <SidebarWorklists workspaceId={workspace.id} onGo={onGo} />
      <PinnedViews workspaceId={workspace.id} onGo={onGo} />
      <div className={styles.foot}>
        <nav aria-label="Help">
          <Link to="/help" className={styles.plain} onClick={() => onGo?.()}>
            Help <kbd>F1</kbd>
          </Link>
        </nav>
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
