import { IconBookmark } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useListMemory, useViewId } from '../../domain/list/list-memory.tsx';
import { type NamedView, settingsOf } from '../../domain/list/saved-views.ts';
import { useSavedViews } from '../../domain/list/use-saved-views.ts';
import styles from './pinned-views.module.css';

const screens = {
  claims: '/claims',
  lines: '/lines',
  members: '/members',
  dependents: '/dependents',
} as const;

/** The list that is the screen at this address; null: the screen is none. */
export function listAt(pathname: string): keyof typeof screens | null {
  const found = Object.entries(screens).find(([, screen]) => screen === pathname);
  return found === undefined ? null : (found[0] as keyof typeof screens);
}

/** Opens a saved view on the screen of its list. */
export function useOpenView(workspaceId: string): (view: NamedView) => void {
  const navigate = useNavigate();
  const memory = useListMemory();
  return ({ id, content: { entity, view } }) => {
    memory.openView(workspaceId, entity, id, settingsOf(entity, view));
    void navigate({ to: screens[entity] });
  };
}

/** The saved views in the sidebar. */
export function PinnedViews(props: { workspaceId: string; onGo?: (() => void) | undefined }) {
  const { views } = useSavedViews(props.workspaceId);
  const open = useOpenView(props.workspaceId);
  const list = useLocation({ select: ({ pathname }) => listAt(pathname) });
  const viewId = useViewId(props.workspaceId, list);
  const pinned = views.filter(({ content }) => content.isPinned);
  if (pinned.length === 0) return null;
  return (
    <nav aria-label="Saved views" className={styles.views}>
      <span className={styles.title} aria-hidden>
        Views
      </span>
      {pinned.map((view) => (
        <button
          key={view.id}
          type="button"
          className={styles.view}
          title={view.name}
          aria-current={view.id === viewId ? 'true' : undefined}
          onClick={() => {
            open(view);
            props.onGo?.();
          }}
        >
          <IconBookmark size={15} aria-hidden />
          <span className={styles.name}>{view.name}</span>
        </button>
      ))}
    </nav>
  );
}
