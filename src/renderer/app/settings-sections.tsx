import { Stack } from '@mantine/core';
import {
  IconDatabase,
  IconFilterBolt,
  IconListCheck,
  IconLock,
  IconPalette,
  IconPlugConnected,
  IconUserShare,
} from '@tabler/icons-react';
import { Section } from '../components/page.tsx';
import { IntegrationSettings } from '../features/connect/integration-settings.tsx';
import { DeskModeSwitch } from '../features/desk-mode/desk-mode-button.tsx';
import { DoctorSettings } from '../features/doctor/doctor-settings.tsx';
import { KeysSettings } from '../features/keys/keys-settings.tsx';
import { LettersSettings } from '../features/reviews/letter-settings.tsx';
import { ReviewSettings } from '../features/reviews/review-settings.tsx';
import { RulesSettings } from '../features/rules/rules-settings.tsx';
import { AboutSettings } from '../features/settings/about-settings.tsx';
import { AppearanceSettings } from '../features/settings/appearance-settings.tsx';
import { AuditSettings } from '../features/settings/audit-settings.tsx';
import { DataSettings } from '../features/settings/data-settings.tsx';
import { PolicySettings } from '../features/settings/policy-settings.tsx';
import { PrivacySettings } from '../features/settings/privacy-settings.tsx';
import type { SettingsPart } from '../features/settings/settings-page.tsx';
import { AutoRefresh } from '../features/sync/auto-refresh.tsx';
import { TeamSettings } from '../features/team/team-settings.tsx';
import { WorkspacesSettings } from '../features/workspaces/workspaces-settings.tsx';

const Workspaces = () => (
  <Stack gap="xl">
    <WorkspacesSettings />
    <AutoRefresh />
  </Stack>
);

const Security = () => (
  <Stack gap="lg">
    <PolicySettings />
    <DeskModeSwitch />
    <PrivacySettings />
    <AuditSettings />
  </Stack>
);

const Data = () => (
  <Stack gap="xl">
    <DataSettings />
    <Section title="About Claimdesk">
      <AboutSettings />
    </Section>
  </Stack>
);

/** The parts of the settings, in the order shown. */
export const settingsParts: readonly SettingsPart[] = [
  {
    title: 'Connection',
    icon: <IconPlugConnected size={16} aria-hidden />,
    sections: [
      { id: 'workspaces', title: 'Workspaces', content: Workspaces, words: 'service, sync' },
      { id: 'keys', title: 'Keys', content: KeysSettings },
      { id: 'integration', title: 'Connect', content: IntegrationSettings, words: 'integration' },
      { id: 'doctor', title: 'Doctor', content: DoctorSettings, words: 'connection' },
    ],
  },
  {
    title: 'Reviews',
    icon: <IconListCheck size={16} aria-hidden />,
    sections: [
      { id: 'reviews', title: 'Reviews', content: ReviewSettings },
      { id: 'letters', title: 'Letters', content: LettersSettings, words: 'templates' },
    ],
  },
  {
    title: 'Rules',
    icon: <IconFilterBolt size={16} aria-hidden />,
    sections: [{ id: 'rules', title: 'Rules', content: RulesSettings, words: 'propose, decide' }],
  },
  {
    title: 'Team',
    icon: <IconUserShare size={16} aria-hidden />,
    sections: [{ id: 'team', title: 'Team', content: TeamSettings }],
  },
  {
    title: 'Security',
    icon: <IconLock size={16} aria-hidden />,
    sections: [{ id: 'security', title: 'Security', content: Security, words: 'privacy, lock, audit log' }],
  },
  {
    title: 'Data',
    icon: <IconDatabase size={16} aria-hidden />,
    sections: [{ id: 'data', title: 'Data', content: Data, words: 'storage, backups, removal, about' }],
  },
  {
    title: 'Appearance',
    icon: <IconPalette size={16} aria-hidden />,
    sections: [{ id: 'appearance', title: 'Appearance', content: AppearanceSettings }],
  },
];

/** The sections that addresses of 0.2 lead to. */
export const formerSections: Readonly<Record<string, string>> = {
  sync: 'workspaces',
  privacy: 'security',
  about: 'data',
};
