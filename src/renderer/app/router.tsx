import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  isNotFound,
  Navigate,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { type WorklistId, worklistIdOf } from '../../rules/worklists/worklist-table.ts';
import { ButtonLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { EmptyState } from '../components/states.tsx';
import { type ListRef, parseListRef } from '../domain/list/list-ref.ts';
import { UndoKey } from '../domain/review/undo-key.ts';
import { ClaimFilePage } from '../features/claims/claim-file-page.tsx';
import { ClaimPage } from '../features/claims/claim-page.tsx';
import { ComparePage } from '../features/claims/compare-page.tsx';
import { readWizardStep } from '../features/connect/wizard-step.ts';
import { KeyPage } from '../features/keys/key-page.tsx';
import { RotationPage } from '../features/rotation/rotation-page.tsx';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { SyncPage } from '../features/sync/sync-page.tsx';
import { ConnectPage } from '../features/welcome/connect-page.tsx';
import { WelcomePage } from '../features/welcome/welcome-page.tsx';
import { WorkspacePage } from '../features/workspaces/workspace-page.tsx';
import { FaultPage } from './fault-page.tsx';
import { renderLogins, renderLoginsOfSubscriber } from './mounted-list.tsx';
import {
  AuditPage,
  ChangesPage,
  ConnectionPage,
  ConnectionsPage,
  CorrectPage,
  DependentPage,
  EmployerPage,
  EmployersPage,
  HelpPage,
  InsightsPage,
  MemberPage,
  ReportsPage,
  RunPage,
  RunsPage,
  StartPage,
  TenantPage,
  TenantsPage,
  WizardPage,
} from './pages.tsx';
import { formerSections, settingsParts } from './settings-sections.tsx';
import { Window } from './window.tsx';
import { WithWorkspace } from './with-workspace.tsx';

/** A record's ID from an address. @throws where it is invalid; the router then shows `UnknownAddress` */
function toRecordId(text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw notFound();
  return id;
}

/** The ID of a record in an address, under its name there: text outside, a number inside. */
const recordIdIn = <Name extends string>(name: Name) => ({
  parse: (params: Record<Name, string>) => ({ [name]: toRecordId(params[name]) }) as Record<Name, number>,
  stringify: (params: Record<Name, number>) => ({ [name]: String(params[name]) }) as Record<Name, string>,
});

/** @throws where there is no such worklist */
function toWorklistId(text: string): WorklistId {
  const id = worklistIdOf(text);
  if (id === undefined) throw notFound();
  return id;
}

/** `MountedList` shows these pages, and keeps them mounted while a record is open. */
const inMountedList = () => null;

const rootRoute = createRootRoute({ component: Window });
const on = <P extends string>(path: P) => ({ getParentRoute: () => rootRoute, path });

/** The parent of all screens with records: below it there is always a workspace, `useWorkspace()`. */
const recordsRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'records',
  component: () => (
    <WithWorkspace>
      <UndoKey />
      <Outlet />
    </WithWorkspace>
  ),
});
const onRecords = <P extends string>(path: P) => ({ getParentRoute: () => recordsRoute, path });

const indexRoute = createRoute({
  ...onRecords('/'),
  component: () => <Navigate to="/start" replace />,
});
const startRoute = createRoute({ ...onRecords('/start'), component: StartPage });
const welcomeRoute = createRoute({ ...on('/welcome'), component: WelcomePage });
const connectRoute = createRoute({
  ...on('/welcome/connect'),
  validateSearch: (search: Record<string, unknown>): { isNew?: boolean; isInvited?: boolean } => ({
    ...(search.isNew === true && { isNew: true }),
    ...(search.isInvited === true && { isInvited: true }),
  }),
  component: function Connect() {
    const { isNew, isInvited } = connectRoute.useSearch();
    return <ConnectPage isNew={isNew === true} isInvited={isInvited === true} />;
  },
});
const claimsRoute = createRoute({ ...onRecords('/claims'), component: inMountedList });
const claimRoute = createRoute({
  ...onRecords('/claims/$claimId'),
  params: recordIdIn('claimId'),
  validateSearch: parseListRef,
  component: function Claim() {
    return <ClaimPage {...claimRoute.useParams()} from={claimRoute.useSearch()} />;
  },
});
const compareRoute = createRoute({
  ...onRecords('/claims/$claimId/duplicates'),
  params: recordIdIn('claimId'),
  validateSearch: parseListRef,
  component: function Compare() {
    const params = compareRoute.useParams();
    return <ComparePage key={params.claimId} {...params} from={compareRoute.useSearch()} />;
  },
});
const claimFileRoute = createRoute({
  ...onRecords('/claims/$claimId/file'),
  params: recordIdIn('claimId'),
  validateSearch: parseListRef,
  component: function ClaimFile() {
    const params = claimFileRoute.useParams();
    return <ClaimFilePage key={params.claimId} {...params} from={claimFileRoute.useSearch()} />;
  },
});
const worklistRoute = createRoute({
  ...onRecords('/worklists/$worklistId'),
  params: {
    parse: ({ worklistId }) => ({ worklistId: toWorklistId(worklistId) }),
    stringify: ({ worklistId }) => ({ worklistId }),
  },
  // An old ID leads to its worklist.
  beforeLoad: ({ location, params }) => {
    if (location.pathname !== `/worklists/${params.worklistId}`)
      throw redirect({ to: '/worklists/$worklistId', params, replace: true });
  },
  component: inMountedList,
});
const linesRoute = createRoute({ ...onRecords('/lines'), component: inMountedList });
const membersRoute = createRoute({ ...onRecords('/members'), component: inMountedList });
const memberRoute = createRoute({
  ...onRecords('/members/$memberId'),
  params: recordIdIn('memberId'),
  validateSearch: (search: Record<string, unknown>): ListRef & { claim?: number } => ({
    ...parseListRef(search),
    ...(Number.isSafeInteger(search.claim) && { claim: Number(search.claim) }),
  }),
  component: function Member() {
    const { claim, ...from } = memberRoute.useSearch();
    const { memberId } = memberRoute.useParams();
    return <MemberPage memberId={memberId} ofClaim={claim} from={from} logins={renderLogins} />;
  },
});
const dependentsRoute = createRoute({ ...onRecords('/dependents'), component: inMountedList });
const dependentRoute = createRoute({
  ...onRecords('/dependents/$dependentId'),
  params: recordIdIn('dependentId'),
  validateSearch: parseListRef,
  component: function Dependent() {
    return (
      <DependentPage
        {...dependentRoute.useParams()}
        from={dependentRoute.useSearch()}
        logins={renderLoginsOfSubscriber}
      />
    );
  },
});
const employersRoute = createRoute({
  ...onRecords('/employers'),
  component: EmployersPage,
});
const employerRoute = createRoute({
  ...onRecords('/employers/$employerId'),
  params: recordIdIn('employerId'),
  component: function Employer() {
    const { employerId } = employerRoute.useParams();
    return <EmployerPage key={employerId} employerId={employerId} />;
  },
});
const tenantsRoute = createRoute({
  ...onRecords('/tenants'),
  component: TenantsPage,
});
const tenantRoute = createRoute({
  ...onRecords('/tenants/$tenantId'),
  params: recordIdIn('tenantId'),
  component: function Tenant() {
    const { tenantId } = tenantRoute.useParams();
    return <TenantPage key={tenantId} tenantId={tenantId} />;
  },
});
const insightsRoute = createRoute({
  ...onRecords('/insights'),
  component: InsightsPage,
});
const connectionsRoute = createRoute({
  ...onRecords('/connections'),
  component: ConnectionsPage,
});
const bringInRoute = createRoute({
  ...onRecords('/connections/new'),
  validateSearch: readWizardStep,
  component: function BringIn() {
    // Parsed again, because the router also passes on parameters that the validation removed.
    const step = readWizardStep({ ...bringInRoute.useSearch() });
    return <WizardPage step={step} />;
  },
});
const connectionRoute = createRoute({
  ...onRecords('/connections/$policyHolderId'),
  params: recordIdIn('policyHolderId'),
  component: function Connection() {
    const { policyHolderId } = connectionRoute.useParams();
    return <ConnectionPage key={policyHolderId} policyHolderId={policyHolderId} />;
  },
});
const correctRoute = createRoute({
  ...onRecords('/connections/$policyHolderId/correct'),
  params: recordIdIn('policyHolderId'),
  component: function Correct() {
    const { policyHolderId } = correctRoute.useParams();
    return <CorrectPage key={policyHolderId} policyHolderId={policyHolderId} />;
  },
});
const syncRoute = createRoute({
  ...onRecords('/sync'),
  component: SyncPage,
});
const reportsRoute = createRoute({ ...onRecords('/reports'), component: ReportsPage });
const runsRoute = createRoute({ ...onRecords('/runs'), component: RunsPage });
const runRoute = createRoute({
  ...onRecords('/runs/$runId'),
  component: function OneRun() {
    const { runId } = runRoute.useParams();
    return <RunPage key={runId} runId={runId} />;
  },
});
const changesRoute = createRoute({ ...onRecords('/changes'), component: ChangesPage });
const auditRoute = createRoute({ ...on('/audit'), component: AuditPage });
const settingsRoute = createRoute({
  ...on('/settings'),
  component: () => <Navigate to="/settings/$section" params={{ section: 'workspaces' }} replace />,
});
const settingsSectionRoute = createRoute({
  ...on('/settings/$section'),
  /** The workspace whose connection is checked. */
  validateSearch: (search: Record<string, unknown>): { workspaceId?: string } =>
    typeof search.workspaceId === 'string' ? { workspaceId: search.workspaceId } : {},
  component: function SettingsSectionPage() {
    const { section } = settingsSectionRoute.useParams();
    const today = Object.hasOwn(formerSections, section) ? formerSections[section] : undefined;
    if (today !== undefined) return <Navigate to="/settings/$section" params={{ section: today }} replace />;
    return <SettingsPage parts={settingsParts} sectionId={section} />;
  },
});

const helpRoute = createRoute({
  ...on('/help'),
  validateSearch: (search: Record<string, unknown>): { topic?: string } =>
    typeof search.topic === 'string' ? { topic: search.topic } : {},
  component: function Help() {
    const { topic } = helpRoute.useSearch();
    return <HelpPage topicId={topic} />;
  },
});
const keyRoute = createRoute({
  ...on('/settings/keys/$keyId'),
  component: function Key() {
    const { keyId } = keyRoute.useParams();
    return <KeyPage key={keyId} keyId={keyId} />;
  },
});
const workspaceRoute = createRoute({
  ...on('/settings/workspaces/$workspaceId'),
  component: function OneWorkspace() {
    const { workspaceId } = workspaceRoute.useParams();
    return <WorkspacePage key={workspaceId} workspaceId={workspaceId} />;
  },
});
const rotationRoute = createRoute({
  ...on('/settings/workspaces/$workspaceId/rotate'),
  component: function Rotation() {
    const { workspaceId } = rotationRoute.useParams();
    return <RotationPage key={workspaceId} workspaceId={workspaceId} />;
  },
});

const routeTree = rootRoute.addChildren([
  recordsRoute.addChildren([
    indexRoute,
    startRoute,
    claimsRoute,
    claimRoute,
    compareRoute,
    claimFileRoute,
    worklistRoute,
    linesRoute,
    membersRoute,
    memberRoute,
    dependentsRoute,
    dependentRoute,
    employersRoute,
    employerRoute,
    tenantsRoute,
    tenantRoute,
    insightsRoute,
    connectionsRoute,
    bringInRoute,
    connectionRoute,
    correctRoute,
    syncRoute,
    changesRoute,
    reportsRoute,
    runsRoute,
    runRoute,
  ]),
  welcomeRoute,
  connectRoute,
  settingsRoute,
  settingsSectionRoute,
  auditRoute,
  helpRoute,
  keyRoute,
  workspaceRoute,
  rotationRoute,
]);

function UnknownAddress() {
  return (
    <Page title="Not found" documentTitle="Not found">
      <EmptyState
        title="This page doesn’t exist"
        text="Check the address, or go back to your claims."
        action={<ButtonLink to="/claims">Go to claims</ButtonLink>}
      />
    </Page>
  );
}

/** The window's routes. Addresses have only IDs, never a name or a search. */
export function createDeskRouter() {
  return createRouter({
    routeTree,
    history: createHashHistory(),
    defaultNotFoundComponent: UnknownAddress,
    defaultErrorComponent: ({ error }) =>
      isNotFound(error) ? <UnknownAddress /> : <FaultPage error={error} />,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDeskRouter>;
  }
}
