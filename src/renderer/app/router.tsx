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
  useParams,
} from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { type WorklistId, worklistIdOf } from '../../rules/worklists/worklist-table.ts';
import { ButtonLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { EmptyState } from '../components/states.tsx';
import { type ListRef, parseListRef } from '../domain/list/list-ref.ts';
import { SavedStrip } from '../domain/review/saved-strip.tsx';
import { UndoKey } from '../domain/review/undo-key.ts';
import { ClaimPage, ComparePage } from '../features/claims/claim-pages.ts';
import { readWizardStep } from '../features/connect/wizard-step.ts';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { FaultPage } from './fault-page.tsx';
import {
  AuditPage,
  ChangesPage,
  ClaimFilePage,
  ConnectionPage,
  ConnectionsPage,
  ConnectPage,
  CorrectPage,
  DependentPage,
  EmployerPage,
  EmployersPage,
  HelpPage,
  InsightsPage,
  KeyPage,
  MemberPage,
  ReportsPage,
  RotationPage,
  RulePage,
  RunPage,
  RunsPage,
  StartPage,
  SyncPage,
  TenantPage,
  TenantsPage,
  WelcomePage,
  WizardPage,
  WorkspacePage,
} from './late-pages.tsx';
import { renderLogins, renderLoginsOfSubscriber } from './mounted-list.tsx';
import { formerSections, settingsParts } from './settings-sections.tsx';
import { Waiting } from './shell.tsx';
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

/** The page for the value in its address; each value has a page with separate state. */
function keyedBy<Name extends string, Id extends string | number>(
  name: Name,
  Page: FunctionComponent<Record<Name, Id>>,
): FunctionComponent {
  return function Keyed() {
    const all: object = useParams({ strict: false });
    const params = all as Record<Name, Id>;
    return <Page key={params[name]} {...params} />;
  };
}

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
    return (
      <>
        <ComparePage key={params.claimId} {...params} from={compareRoute.useSearch()} />
        <SavedStrip isSaid={() => true} />
      </>
    );
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
const addMemberRoute = createRoute({
  ...onRecords('/connections/new'),
  validateSearch: readWizardStep,
  component: function BringIn() {
    // Parsed again, because the router also passes on parameters that the validation removed.
    const step = readWizardStep({ ...addMemberRoute.useSearch() });
    return <WizardPage step={step} />;
  },
});
const ruleRoute = createRoute({
  ...onRecords('/settings/rules/$ruleId'),
  validateSearch: parseListRef,
  component: function Rule() {
    const { ruleId } = ruleRoute.useParams();
    return <RulePage key={ruleId} ruleId={ruleId} from={ruleRoute.useSearch()} />;
  },
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

const routeTree = rootRoute.addChildren([
  recordsRoute.addChildren([
    createRoute({
      ...onRecords('/'),
      component: () => <Navigate to="/start" replace />,
    }),
    createRoute({ ...onRecords('/start'), component: StartPage }),
    createRoute({ ...onRecords('/claims'), component: inMountedList }),
    claimRoute,
    compareRoute,
    claimFileRoute,
    createRoute({
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
    }),
    createRoute({ ...onRecords('/lines'), component: inMountedList }),
    createRoute({ ...onRecords('/members'), component: inMountedList }),
    memberRoute,
    createRoute({ ...onRecords('/dependents'), component: inMountedList }),
    dependentRoute,
    createRoute({ ...onRecords('/employers'), component: EmployersPage }),
    createRoute({
      ...onRecords('/employers/$employerId'),
      params: recordIdIn('employerId'),
      component: keyedBy('employerId', EmployerPage),
    }),
    createRoute({ ...onRecords('/tenants'), component: TenantsPage }),
    createRoute({
      ...onRecords('/tenants/$tenantId'),
      params: recordIdIn('tenantId'),
      component: keyedBy('tenantId', TenantPage),
    }),
    createRoute({ ...onRecords('/insights'), component: InsightsPage }),
    createRoute({ ...onRecords('/connections'), component: ConnectionsPage }),
    addMemberRoute,
    createRoute({
      ...onRecords('/connections/$policyHolderId'),
      params: recordIdIn('policyHolderId'),
      component: keyedBy('policyHolderId', ConnectionPage),
    }),
    createRoute({
      ...onRecords('/connections/$policyHolderId/correct'),
      params: recordIdIn('policyHolderId'),
      component: keyedBy('policyHolderId', CorrectPage),
    }),
    createRoute({ ...onRecords('/sync'), component: SyncPage }),
    createRoute({ ...onRecords('/changes'), component: ChangesPage }),
    createRoute({ ...onRecords('/reports'), component: ReportsPage }),
    createRoute({ ...onRecords('/runs'), component: RunsPage }),
    createRoute({ ...onRecords('/runs/$runId'), component: keyedBy('runId', RunPage) }),
    ruleRoute,
  ]),
  createRoute({ ...on('/welcome'), component: WelcomePage }),
  connectRoute,
  createRoute({
    ...on('/settings'),
    component: () => <Navigate to="/settings/$section" params={{ section: 'workspaces' }} replace />,
  }),
  settingsSectionRoute,
  createRoute({ ...on('/audit'), component: AuditPage }),
  helpRoute,
  createRoute({ ...on('/settings/keys/$keyId'), component: keyedBy('keyId', KeyPage) }),
  createRoute({
    ...on('/settings/workspaces/$workspaceId'),
    component: keyedBy('workspaceId', WorkspacePage),
  }),
  createRoute({
    ...on('/settings/workspaces/$workspaceId/rotate'),
    component: keyedBy('workspaceId', RotationPage),
  }),
]);

const UnknownAddress = () => (
  <Page title="Not found" documentTitle="Not found">
    <EmptyState
      title="This page doesn’t exist"
      text="Check the address, or go back to your claims."
      action={<ButtonLink to="/claims">Go to claims</ButtonLink>}
    />
  </Page>
);

/** The window's routes. Addresses have only IDs, never a name or a search. */
export const createDeskRouter = () =>
  createRouter({
    routeTree,
    history: createHashHistory(),
    defaultNotFoundComponent: UnknownAddress,
    defaultPendingComponent: Waiting,
    defaultErrorComponent: ({ error }) =>
      isNotFound(error) ? <UnknownAddress /> : <FaultPage error={error} />,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDeskRouter>;
  }
}
