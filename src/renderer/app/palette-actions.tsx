import {
  IconBookmark,
  IconBuilding,
  IconChecks,
  IconEye,
  IconEyeOff,
  IconHelp,
  IconKeyboard,
  IconLayoutSidebarRight,
  IconListCheck,
  IconListSearch,
  IconLock,
  IconMail,
  IconMoon,
  IconPaperclip,
  IconPlugConnected,
  IconRefresh,
  IconSun,
  IconUserPlus,
  type Icon as TablerIcon,
} from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Workspace } from '../../contract/workspace.ts';
import { fullNameOf } from '../../rules/worklists/worklist-table.ts';
import { toggleSplitOrSay } from '../domain/list/toggle-split.ts';
import { useSavedViews } from '../domain/list/use-saved-views.ts';
import { useReviewTarget } from '../domain/review/review-target.ts';
import { useWorklists } from '../domain/worklist/use-worklists.ts';
import { useWorkspaces } from '../domain/workspace/use-workspaces.ts';
import { listAt, useOpenView } from '../features/views/pinned-views.tsx';
import { useAppActions } from '../lib/app-actions.tsx';
import { useDeskMutation } from '../lib/desk-query.ts';
import { navigation } from '../lib/navigation.tsx';
import { spellKeys } from '../lib/shortcuts.ts';
import { useDeskMode } from '../lib/use-desk-mode.ts';
import { settingsParts } from './settings-sections.tsx';

export interface PaletteAction {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

const icon = (Icon: TablerIcon): ReactNode => <Icon size={17} aria-hidden />;

/** The actions on the workspace that is open: open a screen, worklist or view, act on the list or the claim shown, sync. */
function useWorkspaceActions(active: Workspace | null): readonly PaletteAction[] {
  const navigate = useNavigate();
  const sync = useDeskMutation('sync:start');
  const { views } = useSavedViews(active !== null);
  const worklists = useWorklists();
  const review = useReviewTarget();
  const { chooseDocument } = useAppActions();
  const openView = useOpenView();
  const list = useLocation({ select: ({ pathname }) => listAt(pathname) });
  if (active === null) return [];
  const splitView = {
    id: 'split view',
    label: 'Toggle split view',
    hint: 'v',
    icon: icon(IconLayoutSidebarRight),
    run: () => list !== null && toggleSplitOrSay(list),
  };
  return [
    ...navigation.map((item) => ({
      id: `go ${item.to}`,
      label: `Go to ${item.label}`,
      hint: `g ${item.goKey}`,
      icon: item.icon,
      run: () => void navigate({ to: item.to }),
    })),
    ...worklists.map(({ id }) => ({
      id: `worklist ${id}`,
      label: `Worklist: ${fullNameOf(id)}`,
      icon: icon(IconListCheck),
      run: () => void navigate({ to: '/worklists/$worklistId', params: { worklistId: id } }),
    })),
    {
      id: 'letters',
      label: 'Log of letters',
      icon: icon(IconMail),
      run: () => void navigate({ to: '/reports', hash: 'letters' }),
    },
    ...views.map((view) => ({
      id: `view ${view.id}`,
      label: `View: ${view.name}`,
      icon: icon(IconBookmark),
      run: () => openView(view),
    })),
    ...(list === null ? [] : [splitView]),
    ...(review?.keys ?? []).map(({ key, label }) => ({
      id: `review ${key}`,
      label: `Review: ${label}`,
      hint: key,
      icon: icon(IconChecks),
      run: () => review?.run(key),
    })),
    {
      id: 'bring in',
      label: 'Add member',
      icon: icon(IconUserPlus),
      run: () => void navigate({ to: '/connections/new' }),
    },
    {
      id: 'attach',
      label: 'Attach a document…',
      icon: icon(IconPaperclip),
      run: chooseDocument,
    },
    {
      id: 'sync',
      label: 'Sync now',
      icon: icon(IconRefresh),
      run: () => sync.mutate({ workspaceId: active.id }),
    },
  ];
}

/** The actions of the palette: open a screen, switch workspace, sync, lock, change the theme. */
export function usePaletteActions(): readonly PaletteAction[] {
  const navigate = useNavigate();
  const { workspaces, active } = useWorkspaces();
  const { lockNow, showShortcuts } = useAppActions();
  const activate = useDeskMutation('workspaces:activate');
  const set = useDeskMutation('settings:set');
  const desk = useDeskMode();
  return [
    ...useWorkspaceActions(active),
    {
      id: 'audit',
      label: 'Audit log',
      icon: icon(IconListSearch),
      run: () => void navigate({ to: '/audit' }),
    },
    ...settingsParts.flatMap((part) =>
      part.sections.map(({ id, title, words }) => ({
        id: `settings ${id}`,
        label: `Settings: ${title}${words === undefined ? '' : ` (${words})`}`,
        icon: part.icon,
        run: () => void navigate({ to: '/settings/$section', params: { section: id } }),
      })),
    ),
    ...workspaces
      .filter((workspace) => workspace.id !== active?.id)
      .map((workspace) => ({
        id: `workspace ${workspace.id}`,
        label: `Open workspace ${workspace.name}`,
        icon: icon(IconBuilding),
        run: () =>
          activate.mutate(
            { workspaceId: workspace.id },
            { onSuccess: () => void navigate({ to: '/start' }) },
          ),
      })),
    {
      id: 'connect',
      label: 'Connect to a service',
      icon: icon(IconPlugConnected),
      run: () => void navigate({ to: '/welcome/connect', search: { isNew: true } }),
    },
    {
      id: 'light',
      label: 'Light colors',
      icon: icon(IconSun),
      run: () => set.mutate({ theme: 'light' }),
    },
    {
      id: 'dark',
      label: 'Dark colors',
      icon: icon(IconMoon),
      run: () => set.mutate({ theme: 'dark' }),
    },
    {
      id: 'desk-mode',
      label: desk.isOn
        ? 'Turn off privacy mode'
        : 'Turn on privacy mode: hide names, dates of birth, diagnoses, and notes',
      icon: icon(desk.isOn ? IconEye : IconEyeOff),
      run: desk.toggle,
    },
    {
      id: 'help',
      label: 'Help',
      hint: 'F1',
      icon: icon(IconHelp),
      run: () => void navigate({ to: '/help' }),
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      hint: '?',
      icon: icon(IconKeyboard),
      run: showShortcuts,
    },
    {
      id: 'lock',
      label: 'Lock now',
      hint: spellKeys('Ctrl Shift L', navigator.platform),
      icon: icon(IconLock),
      run: lockNow,
    },
  ];
}
