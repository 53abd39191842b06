import { Stack } from '@mantine/core';
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

/** The contents of the sections of Settings, in one file, because a section leads to the next. */
export const settingsContents = {
  workspaces: Workspaces,
  keys: KeysSettings,
  integration: IntegrationSettings,
  doctor: DoctorSettings,
  reviews: ReviewSettings,
  letters: LettersSettings,
  rules: RulesSettings,
  team: TeamSettings,
  security: Security,
  data: Data,
  appearance: AppearanceSettings,
};
