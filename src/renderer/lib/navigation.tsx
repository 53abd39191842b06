import {
  IconBuilding,
  IconBuildingBank,
  IconChartBar,
  IconFileText,
  IconHistory,
  IconInbox,
  IconListDetails,
  IconPlugConnected,
  IconReceipt,
  IconRefresh,
  IconReport,
  IconSettings,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface NavigationItem {
  readonly to:
    | '/start'
    | '/claims'
    | '/members'
    | '/dependents'
    | '/lines'
    | '/employers'
    | '/tenants'
    | '/insights'
    | '/connections'
    | '/reports'
    | '/runs'
    | '/changes'
    | '/sync'
    | '/settings';
  readonly label: string;
  /** The letter that opens the page after `g`; each page has a different letter. */
  readonly goKey: string;
  readonly icon: ReactNode;
  /** The number beside it: of records, or of carrier connections that need attention. */
  readonly count?: 'claims' | 'members' | 'connections';
  /** The pages that are tabs beside it, and not in the sidebar. */
  readonly tabs?: readonly NavigationItem[];
}

export const startItem: NavigationItem = {
  to: '/start',
  label: 'Start',
  goKey: 's',
  icon: <IconInbox size={16} aria-hidden />,
};

/** The runs are a tab of *To pay*. */
export const runsItem: NavigationItem = {
  to: '/runs',
  label: 'Runs',
  goKey: 'u',
  icon: <IconReceipt size={16} aria-hidden />,
};

/** The screens below the worklists, by what they are for. */
export const navigationGroups: readonly {
  readonly title: string;
  readonly items: readonly NavigationItem[];
}[] = [
  {
    title: 'Records',
    items: [
      {
        to: '/claims',
        label: 'Claims',
        goKey: 'c',
        icon: <IconFileText size={16} aria-hidden />,
        count: 'claims',
        tabs: [
          { to: '/lines', label: 'Claim lines', goKey: 'l', icon: <IconListDetails size={16} aria-hidden /> },
        ],
      },
      {
        to: '/members',
        label: 'Members',
        goKey: 'm',
        icon: <IconUsers size={16} aria-hidden />,
        count: 'members',
        tabs: [
          {
            to: '/dependents',
            label: 'Dependents',
            goKey: 'd',
            icon: <IconUsersGroup size={16} aria-hidden />,
          },
        ],
      },
      {
        to: '/employers',
        label: 'Employers',
        goKey: 'e',
        icon: <IconBuilding size={16} aria-hidden />,
        tabs: [
          { to: '/tenants', label: 'Tenants', goKey: 't', icon: <IconBuildingBank size={16} aria-hidden /> },
        ],
      },
    ],
  },
  {
    title: 'Insight',
    items: [
      {
        to: '/reports',
        label: 'Reports',
        goKey: 'r',
        icon: <IconReport size={16} aria-hidden />,
        tabs: [
          { to: '/insights', label: 'Insights', goKey: 'i', icon: <IconChartBar size={16} aria-hidden /> },
        ],
      },
      {
        to: '/connections',
        label: 'Connections',
        goKey: 'n',
        icon: <IconPlugConnected size={16} aria-hidden />,
        count: 'connections',
      },
    ],
  },
];

export const footItems: readonly NavigationItem[] = [
  {
    to: '/sync',
    label: 'Sync',
    goKey: 'y',
    icon: <IconRefresh size={16} aria-hidden />,
    tabs: [
      { to: '/changes', label: 'What changed', goKey: 'w', icon: <IconHistory size={16} aria-hidden /> },
    ],
  },
  { to: '/settings', label: 'Settings', goKey: 'o', icon: <IconSettings size={16} aria-hidden /> },
];

const inSidebar = [startItem, ...navigationGroups.flatMap(({ items }) => items), ...footItems];

/** The tabs of a page of the sidebar, itself the first. */
const tabsOf = (item: NavigationItem): readonly NavigationItem[] => [item, ...(item.tabs ?? [])];

/** All screens in the order of the sidebar, for the command palette and the keys that follow `g`. */
export const navigation: readonly NavigationItem[] = [...inSidebar.flatMap(tabsOf), runsItem];

/** The pages that are tabs beside the one of this address; none where it is alone. */
export function findTabs(pathname: string): readonly NavigationItem[] {
  const item = inSidebar.find(
    (entry) => entry.tabs !== undefined && tabsOf(entry).some(({ to }) => to === pathname),
  );
  return item === undefined ? [] : tabsOf(item);
}
