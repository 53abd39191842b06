import { IconBookmark } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { worklistIds } from '../../../rules/worklists/worklist-table.ts';
import styles from '../../components/navigation.module.css';
import { useListMemory, useViewId } from '../../domain/list/list-memory.tsx';
import { worklistClaimsList } from '../../domain/list/list-ref.ts';
import { useSavedViews } from '../../domain/list/use-saved-views.ts';
import { type NamedView, settingsOf } from '../../domain/list/view-settings.ts';
import { useOpenWorkspace } from '../../lib/workspace-context.tsx';

const screens = {
  claims: '/claims',
  lines: '/lines',
  members: '/members',
  dependents: '/dependents',
} as const;

/** The list whose screen is at this address; null: not a list. */
export function listAt(pathname: string): string | null {
  const worklist = worklistIds.find((id) => pathname === `/worklists/${id}`);
  if (worklist !== undefined) return worklistClaimsList(worklist);
  const match = Object.entries(screens).find(([, screen]) => screen === pathname);
  return match?.[0] ?? null;
}

/** Opens a saved view on the screen of its list. */
export function useOpenView(): (view: NamedView) => void {
  const workspaceId = useOpenWorkspace()?.id ?? '';
  const navigate = useNavigate();
  const memory = useListMemory();
  return ({ id, content: { entity, worklist, view } }) => {
    const list = worklist === undefined ? entity : worklistClaimsList(worklist);
    memory.openView(workspaceId, list, id, settingsOf(entity, view));
    if (worklist === undefined) void navigate({ to: screens[entity] });
    else void navigate({ to: '/worklists/$worklistId', params: { worklistId: worklist } });
  };
}

/** The saved views in the sidebar. */
export function PinnedViews(props: { onGo?: (() => void) | undefined }) {
  const { views } = useSavedViews();
  const open = useOpenView();
  const list = useLocation({ select: ({ pathname }) => listAt(pathname) });
  const viewId = useViewId(list);
  const pinned = views.filter(({ content }) => content.isPinned);
  if (pinned.length === 0) return null;
  return (
    <nav aria-label="Saved views" className={styles.group}>
      <span className={styles.title} aria-hidden>
        Views
      </span>
      {pinned.map((view) => (
        <button
          key={view.id}
          type="button"
          className={styles.link}
          data-open={view.id === viewId || undefined}
          title={view.name}
          aria-current={view.id === viewId ? 'true' : undefined}
          onClick={() => {
            open(view);
            props.onGo?.();
          }}
        >
          <IconBookmark size={15} aria-hidden />
          <span className={styles.label}>{view.name}</span>
        </button>
      ))}
    </nav>
  );
}
