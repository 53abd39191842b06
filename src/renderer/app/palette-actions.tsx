import {
  IconBookmark,
  IconBuilding,
  IconChecks,
  IconColumns2,
  IconEye,
  IconEyeOff,
  IconHelp,
  IconKeyboard,
  IconListCheck,
  IconListSearch,
  IconLock,
  IconMoon,
  IconPlugConnected,
  IconRefresh,
  IconSun,
  IconUserPlus,
} from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { toggleSplitOrSay } from '../domain/list/toggle-split.ts';
import { useSavedViews } from '../domain/list/use-saved-views.ts';
import { useReviewTarget } from '../domain/review/review-target.ts';
import { useWorklists } from '../domain/worklist/use-worklists.ts';
import { useWorkspaces } from '../domain/workspace/use-workspaces.ts';
import { listAt, useOpenView } from '../features/views/pinned-views.tsx';
import { useAppActions } from '../lib/app-actions.tsx';
import { useDeskMutation } from '../lib/desk-query.ts';
import { goKeys, spellKeys } from '../lib/shortcuts.ts';
import { useDeskMode } from '../lib/use-desk-mode.ts';
import { navigation } from './navigation.tsx';
import { settingsSections } from './settings-sections.tsx';

export interface PaletteAction {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

/** The actions of the palette: open a screen, switch workspace, sync, lock, change the theme. */
export function usePaletteActions(): readonly PaletteAction[] {
  const navigate = useNavigate();
  const { workspaces, active } = useWorkspaces();
  const { lockNow, showShortcuts } = useAppActions();
  const activate = useDeskMutation('workspaces:activate');
  const set = useDeskMutation('settings:set');
  const sync = useDeskMutation('sync:start');
  const desk = useDeskMode();
  const { views } = useSavedViews(active?.id ?? '', active !== null);
  const worklists = useWorklists(active?.id);
  const review = useReviewTarget();
  const openView = useOpenView(active?.id ?? '');
  const list = useLocation({ select: ({ pathname }) => listAt(pathname) });
  return [
    ...(active === null
      ? []
      : [
          ...navigation.map((item) => ({
            id: `go ${item.to}`,
            label: `Go to ${item.label}`,
            hint: `g ${goKeys.find(({ to }) => to === item.to)?.key}`,
            icon: item.icon,
            run: () => void navigate({ to: item.to }),
          })),
          ...worklists.map(({ id, name }) => ({
            id: `worklist ${id}`,
            label: `Worklist: ${name}`,
            icon: <IconListCheck size={17} aria-hidden />,
            run: () => void navigate({ to: '/worklists/$worklistId', params: { worklistId: id } }),
          })),
          ...views.map((view) => ({
            id: `view ${view.id}`,
            label: `View: ${view.name}`,
            icon: <IconBookmark size={17} aria-hidden />,
            run: () => openView(view),
          })),
          ...(list === null
            ? []
            : [
                {
                  id: 'split view',
                  label: 'Toggle split view',
                  hint: 'v',
                  icon: <IconColumns2 size={17} aria-hidden />,
                  run: () => toggleSplitOrSay(list),
                },
              ]),
          ...(review === null
            ? []
            : review.keys.map(({ key, label }) => ({
                id: `review ${key}`,
                label: `Review: ${label}`,
                hint: key,
                icon: <IconChecks size={17} aria-hidden />,
                run: () => review.run(key),
              }))),
          {
            id: 'bring in',
            label: 'Add member',
            icon: <IconUserPlus size={17} aria-hidden />,
            run: () => void navigate({ to: '/connections/new' }),
          },
          {
            id: 'sync',
            label: 'Sync now',
            icon: <IconRefresh size={17} aria-hidden />,
            run: () => sync.mutate({ workspaceId: active.id }),
          },
        ]),
    {
      id: 'audit',
      label: 'Audit log',
      icon: <IconListSearch size={17} aria-hidden />,
      run: () => void navigate({ to: '/audit' }),
    },
    ...settingsSections.map((section) => ({
      id: `settings ${section.id}`,
      label: `Settings: ${section.title}`,
      icon: section.icon,
      run: () => void navigate({ to: '/settings/$section', params: { section: section.id } }),
    })),
    ...workspaces
      .filter((workspace) => workspace.id !== active?.id)
      .map((workspace) => ({
        id: `workspace ${workspace.id}`,
        label: `Open workspace ${workspace.name}`,
        icon: <IconBuilding size={17} aria-hidden />,
        run: () =>
          activate.mutate(
            { workspaceId: workspace.id },
            { onSuccess: () => void navigate({ to: '/start' }) },
          ),
      })),
    {
      id: 'connect',
      label: 'Connect to a service',
      icon: <IconPlugConnected size={17} aria-hidden />,
      run: () => void navigate({ to: '/welcome/connect', search: { isNew: true } }),
    },
    {
      id: 'light',
      label: 'Light colors',
      icon: <IconSun size={17} aria-hidden />,
      run: () => set.mutate({ theme: 'light' }),
    },
    {
      id: 'dark',
      label: 'Dark colors',
      icon: <IconMoon size={17} aria-hidden />,
      run: () => set.mutate({ theme: 'dark' }),
    },
    {
      id: 'desk-mode',
      label: desk.isOn
        ? 'Turn off privacy mode'
        : 'Turn on privacy mode: hide dates of birth, diagnoses, and notes',
      icon: desk.isOn ? <IconEye size={17} aria-hidden /> : <IconEyeOff size={17} aria-hidden />,
      run: desk.toggle,
    },
    {
      id: 'help',
      label: 'Help',
      hint: 'F1',
      icon: <IconHelp size={17} aria-hidden />,
      run: () => void navigate({ to: '/help' }),
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      hint: '?',
      icon: <IconKeyboard size={17} aria-hidden />,
      run: showShortcuts,
    },
    {
      id: 'lock',
      label: 'Lock now',
      hint: spellKeys('Ctrl Shift L', navigator.platform),
      icon: <IconLock size={17} aria-hidden />,
      run: lockNow,
    },
  ];
}
