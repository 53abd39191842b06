import { type FunctionComponent, lazy } from 'react';

/** A page whose code is loaded when it is first shown. */
function page<Props>(load: () => Promise<FunctionComponent<Props>>) {
  return lazy(async () => ({ default: await load() }));
}

// Pages with the grid are in a separate chunk, so that the lock screen and the welcome page do not wait for it.
const importClaimsPage = () => import('../features/claims/claims-page.tsx');
export const ClaimsPage = page(async () => (await importClaimsPage()).ClaimsPage);
/** Loads the code of lists before one is opened. The page itself shows a failure to load. */
export const loadListsAhead = (): void => void importClaimsPage().catch(() => undefined);
export const LinesPage = page(async () => (await import('../features/claims/lines-page.tsx')).LinesPage);
export const MembersPage = page(
  async () => (await import('../features/members/members-page.tsx')).MembersPage,
);
export const MemberPage = page(async () => (await import('../features/members/member-page.tsx')).MemberPage);
export const ConnectionsPage = page(
  async () => (await import('../features/connect/connections-page.tsx')).ConnectionsPage,
);
export const ConnectionPage = page(
  async () => (await import('../features/connect/connection-page.tsx')).ConnectionPage,
);
export const CorrectPage = page(
  async () => (await import('../features/connect/correct-page.tsx')).CorrectPage,
);
export const WizardPage = page(async () => (await import('../features/connect/wizard-page.tsx')).WizardPage);
export const DependentsPage = page(
  async () => (await import('../features/dependents/dependents-page.tsx')).DependentsPage,
);
export const DependentPage = page(
  async () => (await import('../features/dependents/dependent-page.tsx')).DependentPage,
);
export const EmployersPage = page(
  async () => (await import('../features/organizations/organizations-page.tsx')).EmployersPage,
);
export const EmployerPage = page(
  async () => (await import('../features/organizations/employer-page.tsx')).EmployerPage,
);
export const TenantsPage = page(
  async () => (await import('../features/organizations/organizations-page.tsx')).TenantsPage,
);
export const TenantPage = page(
  async () => (await import('../features/organizations/tenant-page.tsx')).TenantPage,
);
export const InsightsPage = page(
  async () => (await import('../features/insights/insights-page.tsx')).InsightsPage,
);
export const AuditPage = page(async () => (await import('../features/audit/audit-page.tsx')).AuditPage);
export const ChangesPage = page(
  async () => (await import('../features/changes/changes-page.tsx')).ChangesPage,
);
export const WorklistPage = page(
  async () => (await import('../features/claims/worklist-page.tsx')).WorklistPage,
);
export const StartPage = page(async () => (await import('../features/start/start-page.tsx')).StartPage);
export const HelpPage = page(async () => (await import('../features/help/help-page.tsx')).HelpPage);
export const RunsPage = page(async () => (await import('../features/runs/runs-page.tsx')).RunsPage);
export const RunPage = page(async () => (await import('../features/runs/run-page.tsx')).RunPage);
export const RulePage = page(async () => (await import('../features/rules/rule-page.tsx')).RulePage);
export const ReportsPage = page(
  async () => (await import('../features/reports/reports-page.tsx')).ReportsPage,
);
export const ClaimFilePage = page(
  async () => (await import('../features/claims/claim-file-page.tsx')).ClaimFilePage,
);
export const KeyPage = page(async () => (await import('../features/keys/key-page.tsx')).KeyPage);
export const RotationPage = page(
  async () => (await import('../features/rotation/rotation-page.tsx')).RotationPage,
);
export const SyncPage = page(async () => (await import('../features/sync/sync-page.tsx')).SyncPage);
export const ConnectPage = page(
  async () => (await import('../features/welcome/connect-page.tsx')).ConnectPage,
);
export const WelcomePage = page(
  async () => (await import('../features/welcome/welcome-page.tsx')).WelcomePage,
);
export const WorkspacePage = page(
  async () => (await import('../features/workspaces/workspace-page.tsx')).WorkspacePage,
);

export const AttachDialog = page(async () => (await import('./attach-dialog.tsx')).AttachDialog);
export const ExportDialog = page(
  async () => (await import('../features/export/export-dialog.tsx')).ExportDialog,
);
