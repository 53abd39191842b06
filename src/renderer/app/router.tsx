import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Navigate,
} from '@tanstack/react-router';
import { ButtonLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { EmptyState } from '../components/states.tsx';
import { ClaimPage } from '../features/claims/claim-page.tsx';
import { MemberLogins } from '../features/connect/member-logins.tsx';
import { readWizardPlace } from '../features/connect/wizard-place.ts';
import { KeyPage } from '../features/keys/key-page.tsx';
import { RotationPage } from '../features/rotation/rotation-page.tsx';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { SyncPage } from '../features/sync/sync-page.tsx';
import { ConnectPage } from '../features/welcome/connect-page.tsx';
import { WelcomePage } from '../features/welcome/welcome-page.tsx';
import { WorkspacePage } from '../features/workspaces/workspace-page.tsx';
import { readLastScreen } from '../lib/last-screen.ts';
import { parseListRef } from '../lib/list-ref.ts';
import {
  CallLogPage,
  ConnectionPage,
  ConnectionsPage,
  CorrectPage,
  DependentPage,
  EmployerPage,
  EmployersPage,
  InsightsPage,
  MemberPage,
  TenantPage,
  TenantsPage,
  WizardPage,
} from './pages.tsx';
import { settingsSections } from './settings-sections.tsx';
import { Window } from './window.tsx';
import { WithWorkspace } from './with-workspace.tsx';

/** A record's id out of an address. @throws where it is none; the router then shows `UnknownAddress`. */
function toRecordId(text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw new Error('The address names no record.');
  return id;
}

/** `KeptList` shows these, and keeps them while a record is read. */
const inKeptList = () => null;

const rootRoute = createRootRoute({ component: Window });
const on = <P extends string>(path: P) => ({ getParentRoute: () => rootRoute, path });

const indexRoute = createRoute({
  ...on('/'),
  component: () => (
    <WithWorkspace>{() => <Navigate to={readLastScreen(window.localStorage)} replace />}</WithWorkspace>
  ),
});
const welcomeRoute = createRoute({ ...on('/welcome'), component: WelcomePage });
const connectRoute = createRoute({
  ...on('/welcome/connect'),
  validateSearch: (search: Record<string, unknown>): { isNew?: boolean } =>
    search.isNew === true ? { isNew: true } : {},
  component: function Connect() {
    const { isNew } = connectRoute.useSearch();
    return <ConnectPage isNew={isNew === true} />;
  },
});
const claimsRoute = createRoute({ ...on('/claims'), component: inKeptList });
const claimRoute = createRoute({
  ...on('/claims/$claimId'),
  params: {
    parse: ({ claimId }) => ({ claimId: toRecordId(claimId) }),
    stringify: ({ claimId }) => ({ claimId: String(claimId) }),
  },
  validateSearch: parseListRef,
  component: function Claim() {
    const { claimId } = claimRoute.useParams();
    const from = claimRoute.useSearch();
    return (
      <WithWorkspace>
        {(workspace) => <ClaimPage workspace={workspace} claimId={claimId} from={from} />}
      </WithWorkspace>
    );
  },
});
const linesRoute = createRoute({ ...on('/lines'), component: inKeptList });
const membersRoute = createRoute({ ...on('/members'), component: inKeptList });
const memberRoute = createRoute({
  ...on('/members/$memberId'),
  params: {
    parse: ({ memberId }) => ({ memberId: toRecordId(memberId) }),
    stringify: ({ memberId }) => ({ memberId: String(memberId) }),
  },
  validateSearch: parseListRef,
  component: function Member() {
    const { memberId } = memberRoute.useParams();
    const from = memberRoute.useSearch();
    return (
      <WithWorkspace>
        {(workspace) => (
          <MemberPage
            workspace={workspace}
            memberId={memberId}
            from={from}
            logins={({ id, email }) => (
              <MemberLogins workspace={workspace} memberId={id} email={email || null} />
            )}
          />
        )}
      </WithWorkspace>
    );
  },
});
const dependentsRoute = createRoute({ ...on('/dependents'), component: inKeptList });
const dependentRoute = createRoute({
  ...on('/dependents/$dependentId'),
  params: {
    parse: ({ dependentId }) => ({ dependentId: toRecordId(dependentId) }),
    stringify: ({ dependentId }) => ({ dependentId: String(dependentId) }),
  },
  validateSearch: parseListRef,
  component: function Dependent() {
    const { dependentId } = dependentRoute.useParams();
    const from = dependentRoute.useSearch();
    return (
      <WithWorkspace>
        {(workspace) => <DependentPage workspace={workspace} dependentId={dependentId} from={from} />}
      </WithWorkspace>
    );
  },
});
const employersRoute = createRoute({
  ...on('/employers'),
  component: () => <WithWorkspace>{(workspace) => <EmployersPage workspace={workspace} />}</WithWorkspace>,
});
const employerRoute = createRoute({
  ...on('/employers/$employerId'),
  params: {
    parse: ({ employerId }) => ({ employerId: toRecordId(employerId) }),
    stringify: ({ employerId }) => ({ employerId: String(employerId) }),
  },
  component: function Employer() {
    const { employerId } = employerRoute.useParams();
    return (
      <WithWorkspace>
        {(workspace) => <EmployerPage key={employerId} workspace={workspace} employerId={employerId} />}
      </WithWorkspace>
    );
  },
});
const tenantsRoute = createRoute({
  ...on('/tenants'),
  component: () => <WithWorkspace>{(workspace) => <TenantsPage workspace={workspace} />}</WithWorkspace>,
});
const tenantRoute = createRoute({
  ...on('/tenants/$tenantId'),
  params: {
    parse: ({ tenantId }) => ({ tenantId: toRecordId(tenantId) }),
    stringify: ({ tenantId }) => ({ tenantId: String(tenantId) }),
  },
  component: function Tenant() {
    const { tenantId } = tenantRoute.useParams();
    return (
      <WithWorkspace>
        {(workspace) => <TenantPage key={tenantId} workspace={workspace} tenantId={tenantId} />}
      </WithWorkspace>
    );
  },
});
const insightsRoute = createRoute({
  ...on('/insights'),
  component: () => <WithWorkspace>{(workspace) => <InsightsPage workspace={workspace} />}</WithWorkspace>,
});
const connectionsRoute = createRoute({
  ...on('/connections'),
  component: () => <WithWorkspace>{(workspace) => <ConnectionsPage workspace={workspace} />}</WithWorkspace>,
});
const bringInRoute = createRoute({
  ...on('/connections/new'),
  validateSearch: readWizardPlace,
  component: function BringIn() {
    // Once more: the router hands on what the check left out.
    const place = readWizardPlace({ ...bringInRoute.useSearch() });
    return <WithWorkspace>{(workspace) => <WizardPage workspace={workspace} place={place} />}</WithWorkspace>;
  },
});
const callsRoute = createRoute({
  ...on('/connections/calls'),
  component: () => <WithWorkspace>{(workspace) => <CallLogPage workspace={workspace} />}</WithWorkspace>,
});
const connectionParams = {
  parse: ({ policyHolderId }: { policyHolderId: string }) => ({ policyHolderId: toRecordId(policyHolderId) }),
  stringify: ({ policyHolderId }: { policyHolderId: number }) => ({ policyHolderId: String(policyHolderId) }),
};
const connectionRoute = createRoute({
  ...on('/connections/$policyHolderId'),
  params: connectionParams,
  component: function Connection() {
    const { policyHolderId } = connectionRoute.useParams();
    return (
      <WithWorkspace>
        {(workspace) => (
          <ConnectionPage key={policyHolderId} workspace={workspace} policyHolderId={policyHolderId} />
        )}
      </WithWorkspace>
    );
  },
});
const correctRoute = createRoute({
  ...on('/connections/$policyHolderId/correct'),
  params: connectionParams,
  component: function Correct() {
    const { policyHolderId } = correctRoute.useParams();
    return (
      <WithWorkspace>
        {(workspace) => (
          <CorrectPage key={policyHolderId} workspace={workspace} policyHolderId={policyHolderId} />
        )}
      </WithWorkspace>
    );
  },
});
const syncRoute = createRoute({
  ...on('/sync'),
  component: () => <WithWorkspace>{(workspace) => <SyncPage workspace={workspace} />}</WithWorkspace>,
});
const settingsRoute = createRoute({
  ...on('/settings'),
  component: () => <Navigate to="/settings/$section" params={{ section: 'appearance' }} replace />,
});
const settingsSectionRoute = createRoute({
  ...on('/settings/$section'),
  /** Of which workspace the connection doctor is asked. */
  validateSearch: (search: Record<string, unknown>): { workspaceId?: string } =>
    typeof search.workspaceId === 'string' ? { workspaceId: search.workspaceId } : {},
  component: function SettingsSectionPage() {
    const { section } = settingsSectionRoute.useParams();
    return <SettingsPage sections={settingsSections} sectionId={section} />;
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
  indexRoute,
  welcomeRoute,
  connectRoute,
  claimsRoute,
  claimRoute,
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
  callsRoute,
  connectionRoute,
  correctRoute,
  syncRoute,
  settingsRoute,
  settingsSectionRoute,
  keyRoute,
  workspaceRoute,
  rotationRoute,
]);

function UnknownAddress() {
  return (
    <Page title="Not found" documentTitle="Not found">
      <EmptyState
        title="There is no such page"
        text="The address names no screen and no record of Claimdesk."
        action={<ButtonLink to="/claims">Go to claims</ButtonLink>}
      />
    </Page>
  );
}

/** The window's routes. Addresses carry ids only, never a name or what someone searched for. */
export function createDeskRouter() {
  return createRouter({
    routeTree,
    history: createHashHistory(),
    defaultNotFoundComponent: UnknownAddress,
    defaultErrorComponent: UnknownAddress,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDeskRouter>;
  }
}
