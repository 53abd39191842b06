import {
  IconBuilding,
  IconBuildingBank,
  IconChartBar,
  IconFileText,
  IconHistory,
  IconInbox,
  IconListDetails,
  IconPlugConnected,
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
    | '/changes'
    | '/sync'
    | '/settings';
  readonly label: string;
  readonly icon: ReactNode;
  /** The count of the summary that is shown beside it. */
  readonly count?: 'claims' | 'members' | 'dependents' | 'lines';
}

/** The screens, in the order of the sidebar; the command palette has the same. */
export const navigation: readonly NavigationItem[] = [
  { to: '/start', label: 'Start', icon: <IconInbox size={17} aria-hidden /> },
  { to: '/claims', label: 'Claims', icon: <IconFileText size={17} aria-hidden />, count: 'claims' },
  { to: '/members', label: 'Members', icon: <IconUsers size={17} aria-hidden />, count: 'members' },
  {
    to: '/dependents',
    label: 'Dependents',
    icon: <IconUsersGroup size={17} aria-hidden />,
    count: 'dependents',
  },
  { to: '/lines', label: 'Claim lines', icon: <IconListDetails size={17} aria-hidden />, count: 'lines' },
  { to: '/employers', label: 'Employers', icon: <IconBuilding size={17} aria-hidden /> },
  { to: '/tenants', label: 'Tenants', icon: <IconBuildingBank size={17} aria-hidden /> },
  { to: '/insights', label: 'Insights', icon: <IconChartBar size={17} aria-hidden /> },
  { to: '/reports', label: 'Reports', icon: <IconReport size={17} aria-hidden /> },
  { to: '/connections', label: 'Connections', icon: <IconPlugConnected size={17} aria-hidden /> },
  { to: '/changes', label: 'What changed', icon: <IconHistory size={17} aria-hidden /> },
  { to: '/sync', label: 'Sync', icon: <IconRefresh size={17} aria-hidden /> },
  { to: '/settings', label: 'Settings', icon: <IconSettings size={17} aria-hidden /> },
];
