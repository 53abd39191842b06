import { IconHelp, IconLock } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { Output } from '../../contract/procedures.ts';
import type { SyncStatus } from '../../contract/sync.ts';
import { formatCount } from '../../rules/count.ts';
import parts from '../components/navigation.module.css';
import { useListMemory } from '../domain/list/list-memory.tsx';
import { parseListRef } from '../domain/list/list-ref.ts';
import { useWorklistCounts } from '../domain/worklist/use-worklist-counts.ts';
import { PinnedViews } from '../features/views/pinned-views.tsx';
import { SidebarWorklists } from '../features/worklists/sidebar-worklists.tsx';
import { WorkspaceSwitcher } from '../features/workspaces/workspace-switcher.tsx';
import { useAppActions } from '../lib/app-actions.tsx';
import { useWorkspaceQuery } from '../lib/desk-query.ts';
import { formatGrowing } from '../lib/format-value.ts';
import { footItems, type NavigationItem, navigationGroups, startItem } from '../lib/navigation.tsx';
import { usePagePath } from '../lib/use-page-path.ts';
import { useWorkspace } from '../lib/workspace-context.tsx';
import styles from './sidebar.module.css';

/** Whether a sync has read everything once; until then claims are in no worklist. */
const hasReadAll = ({ lastComplete, lastReceipt }: SyncStatus): boolean =>
  lastComplete !== null || lastReceipt?.outcome === 'notProven';

/** Whether any sync was ever started. Until then there is nothing to count, and no count is shown. */
const hasBegun = ({ running, lastReceipt, isResumable }: SyncStatus): boolean =>
  running !== null || lastReceipt !== null || isResumable;

type RecordCount = Exclude<NonNullable<NavigationItem['count']>, 'connections'>;

/** The count that the list shows when it opens, without archived members. */
const countShown = (summary: Output<'records:getSummary'>, count: RecordCount): number =>
  count === 'members' ? summary.members - summary.archivedMembers : summary[count];

/** The navigation: work first, then records and reports; rarely needed pages are at the foot. */
export function Sidebar({ onGo }: { onGo?: () => void }) {
  const workspace = useWorkspace();
  const summary = useWorkspaceQuery('records:getSummary', {}, { keepsPrevious: true });
  const connections = useWorklistCounts()?.connections ?? 0;
  const sync = useWorkspaceQuery('sync:getStatus').data;
  const isFinal = sync !== undefined && hasReadAll(sync) && !summary.isFetching;
  const isCounting = sync !== undefined && hasBegun(sync);
  const { lockNow } = useAppActions();
  const memory = useListMemory();
  const pathname = usePagePath();
  // A claim that was opened from a worklist is marked there.
  const isOfWorklist = useLocation({
    select: ({ search }) => parseListRef({ ...search }).list?.startsWith('worklist-') === true,
  });
  const countOf = ({ count }: NavigationItem): string | undefined => {
    if (count === 'connections') return connections === 0 ? undefined : formatCount(connections);
    if (count === undefined || summary.data === undefined) return undefined;
    const shown = countShown(summary.data, count);
    if (shown === 0 && !isCounting) return undefined;
    return formatGrowing(shown, isFinal || (shown > 0 && sync?.running === null));
  };
  const link = (item: NavigationItem) => {
    const count = countOf(item);
    return (
      <Link
        key={item.to}
        to={item.to}
        className={parts.link}
        data-of-worklist={isOfWorklist || undefined}
        data-open={item.tabs?.some(({ to }) => `${pathname}/`.startsWith(`${to}/`)) || undefined}
        onClick={() => {
          // Lists of records have the names of their pages.
          if (pathname === item.to) memory.comeTo(workspace.id, item.to.slice(1));
          onGo?.();
        }}
      >
        {item.icon}
        <span className={parts.label}>{item.label}</span>
        {count !== undefined && <span className={parts.count}>{count}</span>}
      </Link>
    );
  };
  return (
    <nav aria-label="Main" className={styles.sidebar}>
      <div className={styles.top}>
        <WorkspaceSwitcher />
        {link(startItem)}
      </div>
      <div className={styles.rest}>
        <SidebarWorklists isCounting={isCounting} onGo={onGo} />
        <PinnedViews onGo={onGo} />
        {navigationGroups.map(({ title, items }) => (
          <div key={title} className={parts.group}>
            <span className={parts.title}>{title}</span>
            {items.map(link)}
          </div>
        ))}
      </div>
      <div className={styles.foot}>
        {footItems.map(link)}
        <Link to="/help" className={parts.link} title="F1" onClick={() => onGo?.()}>
          <IconHelp size={16} aria-hidden />
          <span className={parts.label}>Help</span>
        </Link>
        <button type="button" className={parts.link} onClick={lockNow}>
          <IconLock size={16} aria-hidden />
          <span className={parts.label}>Lock</span>
        </button>
      </div>
    </nav>
  );
}
