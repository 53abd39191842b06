import { ClaimPage } from '../features/claims/claim-pages.ts';
import { latePart } from '../lib/late-part.tsx';

// Pages with the grid are in a separate chunk, so that the lock screen and the welcome page do not wait for it.
export const ClaimsPage = latePart(
  async () => (await import('../features/claims/claims-page.tsx')).ClaimsPage,
);
export const LinesPage = latePart(async () => (await import('../features/claims/lines-page.tsx')).LinesPage);
export const MembersPage = latePart(
  async () => (await import('../features/members/members-page.tsx')).MembersPage,
);
export const MemberPage = latePart(
  async () => (await import('../features/members/member-page.tsx')).MemberPage,
);
export const ConnectionsPage = latePart(
  async () => (await import('../features/connect/connections-page.tsx')).ConnectionsPage,
);
export const ConnectionPage = latePart(
  async () => (await import('../features/connect/connection-page.tsx')).ConnectionPage,
);
export const CorrectPage = latePart(
  async () => (await import('../features/connect/correct-page.tsx')).CorrectPage,
);
export const WizardPage = latePart(
  async () => (await import('../features/connect/wizard-page.tsx')).WizardPage,
);
export const DependentsPage = latePart(
  async () => (await import('../features/dependents/dependents-page.tsx')).DependentsPage,
);
export const DependentPage = latePart(
  async () => (await import('../features/dependents/dependent-page.tsx')).DependentPage,
);
export const EmployersPage = latePart(
  async () => (await import('../features/organizations/organizations-page.tsx')).EmployersPage,
);
export const EmployerPage = latePart(
  async () => (await import('../features/organizations/employer-page.tsx')).EmployerPage,
);
export const TenantsPage = latePart(
  async () => (await import('../features/organizations/organizations-page.tsx')).TenantsPage,
);
export const TenantPage = latePart(
  async () => (await import('../features/organizations/tenant-page.tsx')).TenantPage,
);
export const InsightsPage = latePart(
  async () => (await import('../features/insights/insights-page.tsx')).InsightsPage,
);
export const AuditPage = latePart(async () => (await import('../features/audit/audit-page.tsx')).AuditPage);
export const ChangesPage = latePart(
  async () => (await import('../features/changes/changes-page.tsx')).ChangesPage,
);
export const WorklistPage = latePart(
  async () => (await import('../features/claims/worklist-page.tsx')).WorklistPage,
);
export const StartPage = latePart(async () => (await import('../features/start/start-page.tsx')).StartPage);
export const HelpPage = latePart(async () => (await import('../features/help/help-page.tsx')).HelpPage);
export const RunsPage = latePart(async () => (await import('../features/runs/runs-page.tsx')).RunsPage);
export const RunPage = latePart(async () => (await import('../features/runs/run-page.tsx')).RunPage);
export const RulePage = latePart(async () => (await import('../features/rules/rule-page.tsx')).RulePage);
export const ReportsPage = latePart(
  async () => (await import('../features/reports/reports-page.tsx')).ReportsPage,
);
export const ClaimFilePage = latePart(
  async () => (await import('../features/claims/claim-file-page.tsx')).ClaimFilePage,
);
export const KeyPage = latePart(async () => (await import('../features/keys/key-page.tsx')).KeyPage);
export const RotationPage = latePart(
  async () => (await import('../features/rotation/rotation-page.tsx')).RotationPage,
);
export const SyncPage = latePart(async () => (await import('../features/sync/sync-page.tsx')).SyncPage);
export const ConnectPage = latePart(
  async () => (await import('../features/welcome/connect-page.tsx')).ConnectPage,
);
export const WelcomePage = latePart(
  async () => (await import('../features/welcome/welcome-page.tsx')).WelcomePage,
);
export const WorkspacePage = latePart(
  async () => (await import('../features/workspaces/workspace-page.tsx')).WorkspacePage,
);

/** Loads the code that a window with records shows first. A page itself shows a failure to load. */
export function loadFirstAhead(): void {
  for (const { ahead } of [ClaimsPage, StartPage, ClaimPage]) ahead().catch(() => undefined);
}
