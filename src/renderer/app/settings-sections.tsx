import { Stack } from '@mantine/core';
import {
  IconBuilding,
  IconDatabase,
  IconInfoCircle,
  IconKey,
  IconListCheck,
  IconLock,
  IconPalette,
  IconPlugConnected,
  IconRefresh,
  IconStethoscope,
  IconUserShare,
} from '@tabler/icons-react';
import { IntegrationSettings } from '../features/connect/integration-settings.tsx';
import { DeskModeSwitch } from '../features/desk-mode/desk-mode-button.tsx';
import { DoctorSettings } from '../features/doctor/doctor-settings.tsx';
import { KeysSettings } from '../features/keys/keys-settings.tsx';
import { ReviewSettings } from '../features/reviews/review-settings.tsx';
import { AboutSettings } from '../features/settings/about-settings.tsx';
import { AppearanceSettings } from '../features/settings/appearance-settings.tsx';
import { AuditSettings } from '../features/settings/audit-settings.tsx';
import { DataSettings } from '../features/settings/data-settings.tsx';
import { PolicySettings } from '../features/settings/policy-settings.tsx';
import { PrivacySettings } from '../features/settings/privacy-settings.tsx';
import type { SettingsSection } from '../features/settings/settings-page.tsx';
import { SyncSettings } from '../features/sync/sync-settings.tsx';
import { TeamSettings } from '../features/team/team-settings.tsx';
import { WorkspacesSettings } from '../features/workspaces/workspaces-settings.tsx';

function PrivacyAndDesk() {
  return (
    <Stack gap="lg">
      <PolicySettings />
      <DeskModeSwitch />
      <PrivacySettings />
      <AuditSettings />
    </Stack>
  );
}

/** All sections of the settings, one line each. */
export const settingsSections: readonly SettingsSection[] = [
  {
    id: 'appearance',
    title: 'Appearance',
    icon: <IconPalette size={16} aria-hidden />,
    content: AppearanceSettings,
  },
  { id: 'sync', title: 'Sync', icon: <IconRefresh size={16} aria-hidden />, content: SyncSettings },
  {
    id: 'reviews',
    title: 'Reviews',
    icon: <IconListCheck size={16} aria-hidden />,
    content: ReviewSettings,
  },
  { id: 'team', title: 'Team', icon: <IconUserShare size={16} aria-hidden />, content: TeamSettings },
  { id: 'privacy', title: 'Privacy', icon: <IconLock size={16} aria-hidden />, content: PrivacyAndDesk },
  { id: 'keys', title: 'Keys', icon: <IconKey size={16} aria-hidden />, content: KeysSettings },
  {
    id: 'workspaces',
    title: 'Workspaces',
    icon: <IconBuilding size={16} aria-hidden />,
    content: WorkspacesSettings,
  },
  {
    id: 'integration',
    title: 'Integration',
    icon: <IconPlugConnected size={16} aria-hidden />,
    content: IntegrationSettings,
  },
  {
    id: 'data',
    title: 'Data on this computer',
    icon: <IconDatabase size={16} aria-hidden />,
    content: DataSettings,
  },
  {
    id: 'doctor',
    title: 'Connection doctor',
    icon: <IconStethoscope size={16} aria-hidden />,
    content: DoctorSettings,
  },
  { id: 'about', title: 'About', icon: <IconInfoCircle size={16} aria-hidden />, content: AboutSettings },
];
