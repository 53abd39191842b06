import { lazy } from 'react';

// Pages with the grid are a separate chunk, for which the lock screen and the welcome page need not wait.
const importClaimsPage = () => import('../features/claims/claims-page.tsx');
export const ClaimsPage = lazy(async () => ({ default: (await importClaimsPage()).ClaimsPage }));
/** Loads the code of lists before one is opened. What fails is told by the page itself. */
export const loadListsAhead = (): void => void importClaimsPage().catch(() => undefined);
export const LinesPage = lazy(async () => ({
  default: (await import('../features/claims/lines-page.tsx')).LinesPage,
}));
export const MembersPage = lazy(async () => ({
  default: (await import('../features/members/members-page.tsx')).MembersPage,
}));
export const MemberPage = lazy(async () => ({
  default: (await import('../features/members/member-page.tsx')).MemberPage,
}));
export const ConnectionsPage = lazy(async () => ({
  default: (await import('../features/connect/connections-page.tsx')).ConnectionsPage,
}));
export const ConnectionPage = lazy(async () => ({
  default: (await import('../features/connect/connection-page.tsx')).ConnectionPage,
}));
export const CorrectPage = lazy(async () => ({
  default: (await import('../features/connect/correct-page.tsx')).CorrectPage,
}));
export const WizardPage = lazy(async () => ({
  default: (await import('../features/connect/wizard-page.tsx')).WizardPage,
}));
export const DependentsPage = lazy(async () => ({
  default: (await import('../features/dependents/dependents-page.tsx')).DependentsPage,
}));
export const DependentPage = lazy(async () => ({
  default: (await import('../features/dependents/dependent-page.tsx')).DependentPage,
}));
export const EmployersPage = lazy(async () => ({
  default: (await import('../features/organizations/organizations-page.tsx')).EmployersPage,
}));
export const EmployerPage = lazy(async () => ({
  default: (await import('../features/organizations/employer-page.tsx')).EmployerPage,
}));
export const TenantsPage = lazy(async () => ({
  default: (await import('../features/organizations/organizations-page.tsx')).TenantsPage,
}));
export const TenantPage = lazy(async () => ({
  default: (await import('../features/organizations/tenant-page.tsx')).TenantPage,
}));
export const InsightsPage = lazy(async () => ({
  default: (await import('../features/insights/insights-page.tsx')).InsightsPage,
}));
export const AuditPage = lazy(async () => ({
  default: (await import('../features/audit/audit-page.tsx')).AuditPage,
}));
export const ChangesPage = lazy(async () => ({
  default: (await import('../features/changes/changes-page.tsx')).ChangesPage,
}));
export const WorklistPage = lazy(async () => ({
  default: (await import('../features/claims/worklist-page.tsx')).WorklistPage,
}));
export const StartPage = lazy(async () => ({
  default: (await import('../features/start/start-page.tsx')).StartPage,
}));
export const HelpPage = lazy(async () => ({
  default: (await import('../features/help/help-page.tsx')).HelpPage,
}));
export const ReportsPage = lazy(async () => ({
  default: (await import('../features/reports/reports-page.tsx')).ReportsPage,
}));
