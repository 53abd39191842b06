import { Link, useLocation } from '@tanstack/react-router';
import {
  findWorklist,
  sidebarListOf,
  type WorklistId,
  worklistIdOf,
} from '../../../rules/worklists/worklist-table.ts';
import styles from '../../components/navigation.module.css';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { parseListRef, worklistClaimsList, worklistOf } from '../../domain/list/list-ref.ts';
import { areFinal, claimsIn, useWorklistCounts } from '../../domain/worklist/use-worklist-counts.ts';
import { useSidebarLists } from '../../domain/worklist/use-worklists.ts';
import { formatGrowing } from '../../lib/format-value.ts';
import { usePagePath } from '../../lib/use-page-path.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/**
 * The lists of claims with their counts. A list without claims stays in its place. Counts of zero are shown only once
 * they are final or `isCounting`.
 */
export function SidebarWorklists(props: { isCounting: boolean; onGo?: (() => void) | undefined }) {
  const { id: workspaceId } = useWorkspace();
  const counts = useWorklistCounts();
  const isFinal = areFinal(counts);
  const lists = useSidebarLists();
  const pathname = usePagePath();
  const list = useLocation({ select: ({ search }) => parseListRef({ ...search }).list });
  const memory = useListMemory();
  const shown = pathname.startsWith('/runs')
    ? 'toPay'
    : (worklistIdOf(pathname.replace('/worklists/', '')) ?? worklistOf(list));
  const shownList = shown === undefined ? undefined : sidebarListOf(shown);
  return (
    <nav aria-label="Worklists" className={styles.group}>
      <span className={styles.title} aria-hidden>
        Worklists
      </span>
      {lists.map((list) => {
        const [id] = list.tabs;
        const counted: readonly WorklistId[] = list.counts === 'all' ? list.tabs : [id];
        const claims = counted.reduce((sum, tab) => sum + claimsIn(counts, tab), 0);
        return (
          <Link
            key={id}
            to="/worklists/$worklistId"
            params={{ worklistId: id }}
            className={styles.link}
            data-empty={(isFinal && claims === 0) || undefined}
            data-open={list === shownList || undefined}
            title={
              list.counts === 'all'
                ? list.tabs.map((tab) => findWorklist(tab).name).join(', ')
                : findWorklist(id).sentence
            }
            onClick={() => {
              if (pathname === `/worklists/${id}`) memory.comeTo(workspaceId, worklistClaimsList(id));
              props.onGo?.();
            }}
          >
            <span className={styles.label}>{list.name}</span>
            {counts !== undefined && (isFinal || claims > 0 || props.isCounting) && (
              <span className={styles.count}>{formatGrowing(claims, isFinal)}</span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
