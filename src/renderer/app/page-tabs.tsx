import { Link } from '@tanstack/react-router';
import {
  findWorklist,
  pageOf,
  sidebarListOf,
  type WorklistId,
  worklistIds,
} from '../../rules/worklists/worklist-table.ts';
import styles from '../components/tabs.module.css';
import { areFinal, claimsIn, useWorklistCounts } from '../domain/worklist/use-worklist-counts.ts';
import { formatGrowing } from '../lib/format-value.ts';
import { findTabs, runsItem } from '../lib/navigation.tsx';
import { usePathOnScreen } from './mounted-list.tsx';

/** The pages that are tabs beside the one on screen. */
export function PageTabs() {
  const pathname = usePathOnScreen();
  const worklist = worklistIds.find((id) => pathname === `/worklists/${id}`);
  if (worklist !== undefined) return <ListTabs shown={pageOf(worklist)} />;
  if (pathname === runsItem.to) return <ListTabs shown={null} />;
  const tabs = findTabs(pathname);
  if (tabs.length === 0) return null;
  return (
    <nav aria-label="Tabs" className={styles.tabs} data-screen-only>
      {tabs.map(({ to, label }) => (
        <Link key={to} to={to} className={styles.tab}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** The tabs of a list of the sidebar, with their numbers of claims. Null: the runs are on screen, a tab of *To pay*. */
function ListTabs({ shown }: { shown: WorklistId | null }) {
  const counts = useWorklistCounts();
  const tabs = sidebarListOf(shown ?? 'toPay')?.tabs ?? [];
  if (tabs.length < 2) return null;
  return (
    <nav aria-label="Tabs" className={styles.tabs} data-screen-only>
      {tabs.flatMap((id) => [
        <Link
          key={id}
          to="/worklists/$worklistId"
          params={{ worklistId: id }}
          className={styles.tab}
          data-open={id === shown || undefined}
        >
          {findWorklist(id).name}
          {counts !== undefined && (
            <span className={styles.count}>{formatGrowing(claimsIn(counts, id), areFinal(counts))}</span>
          )}
        </Link>,
        id === 'toPay' && (
          <Link key={runsItem.to} to={runsItem.to} className={styles.tab}>
            {runsItem.label}
          </Link>
        ),
      ])}
    </nav>
  );
}
