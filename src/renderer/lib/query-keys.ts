import type { AnyEvent, EventPayload } from '../../contract/events.ts';
import type { ProcedureName } from '../../contract/procedures.ts';

/**
 * Every key of the query cache: domain, workspace (or null), procedure, input. Prefixes of it are what
 * events invalidate, so a new procedure of a known domain needs no line here.
 */
type DeskKey = readonly [
  domain: string,
  workspaceId: string | null,
  procedure: ProcedureName,
  input: unknown,
];

export const domainOf = (procedure: ProcedureName): string => procedure.slice(0, procedure.indexOf(':'));

export function keyOf(procedure: ProcedureName, input: object): DeskKey {
  const workspaceId =
    'workspaceId' in input && typeof input.workspaceId === 'string' ? input.workspaceId : null;
  return [domainOf(procedure), workspaceId, procedure, input];
}

export const keyPrefixes = {
  domain: (domain: string) => [domain] as const,
  ofWorkspace: (domain: string, workspaceId: string) => [domain, workspaceId] as const,
  ofProcedure: (workspaceId: string, procedure: ProcedureName) =>
    [domainOf(procedure), workspaceId, procedure] as const,
  syncStatus: (workspaceId: string) =>
    ['sync', workspaceId, 'sync:getStatus', { workspaceId }] as const satisfies DeskKey,
};

/**
 * The answers that are fetched again; not a carrier's form and terms: the user may be filling in the form.
 */
const connectAnswers: Readonly<Record<EventPayload<'connect:changed'>['what'], readonly ProcedureName[]>> = {
  settings: [
    'connect:getSettings',
    'connect:listMembers',
    'connect:listEmployers',
    'connect:listConnections',
    'connect:listValidations',
  ],
  members: ['connect:listMembers', 'connect:listEmployers', 'connect:listConnections'],
  connections: ['connect:listConnections'],
  validation: ['connect:getValidation', 'connect:listValidations', 'connect:listConnections'],
  patientAccess: ['connect:getPatientAccess', 'connect:listConnections'],
};

/** The cached answers that an event makes outdated. `sync:progress` contains the new data itself. */
export function prefixesMadeOldBy(event: AnyEvent): readonly (readonly unknown[])[] {
  switch (event.name) {
    case 'sync:finished':
      return [
        keyPrefixes.ofWorkspace('sync', event.payload.workspaceId),
        keyPrefixes.ofWorkspace('records', event.payload.workspaceId),
        keyPrefixes.ofProcedure(event.payload.workspaceId, 'worklists:counts'),
        keyPrefixes.ofProcedure(event.payload.workspaceId, 'connect:listConnections'),
        keyPrefixes.domain('keys'),
      ];
    case 'sync:paused':
    case 'sync:broken':
      return [keyPrefixes.ofWorkspace('sync', event.payload.workspaceId)];
    case 'service:changed':
      return [keyPrefixes.syncStatus(event.payload.workspaceId)];
    case 'store:changed':
      return [keyPrefixes.ofWorkspace('store', event.payload.workspaceId)];
    case 'backup:changed':
      return [keyPrefixes.domain('backup')];
    case 'views:changed':
      return [
        keyPrefixes.ofWorkspace('views', event.payload.workspaceId),
        // Rules are stored as a view.
        keyPrefixes.ofProcedure(event.payload.workspaceId, 'rules:list'),
      ];
    case 'reviews:changed':
      return [
        keyPrefixes.ofWorkspace('reviews', event.payload.workspaceId),
        keyPrefixes.ofWorkspace('runs', event.payload.workspaceId),
        keyPrefixes.ofWorkspace('rules', event.payload.workspaceId),
        // The status has the number of entries to send.
        keyPrefixes.ofProcedure(event.payload.workspaceId, 'team:getStatus'),
      ];
    case 'team:changed':
      return [keyPrefixes.ofWorkspace('team', event.payload.workspaceId)];
    case 'leases:changed':
      return [keyPrefixes.ofWorkspace('leases', event.payload.workspaceId)];
    case 'worklists:changed':
      return [
        keyPrefixes.ofWorkspace('worklists', event.payload.workspaceId),
        keyPrefixes.ofWorkspace('duplicates', event.payload.workspaceId),
        keyPrefixes.ofWorkspace('rules', event.payload.workspaceId),
      ];
    case 'connect:changed': {
      const { workspaceId, what } = event.payload;
      return connectAnswers[what].map((procedure) => keyPrefixes.ofProcedure(workspaceId, procedure));
    }
    case 'records:changed':
      return [
        keyPrefixes.ofWorkspace('records', event.payload.workspaceId),
        keyPrefixes.ofWorkspace('runs', event.payload.workspaceId),
        // The differences between the reviewed values and the current record.
        keyPrefixes.ofProcedure(event.payload.workspaceId, 'reviews:get'),
        keyPrefixes.ofProcedure(event.payload.workspaceId, 'connect:listEmployers'),
      ];
    case 'workspaces:changed':
      return [keyPrefixes.domain('workspaces'), keyPrefixes.domain('keys'), keyPrefixes.domain('sample')];
    case 'keys:changed':
      return [keyPrefixes.domain('keys'), keyPrefixes.domain('workspaces')];
    case 'rotation:changed':
      return [
        keyPrefixes.ofWorkspace('rotation', event.payload.workspaceId),
        keyPrefixes.domain('keys'),
        keyPrefixes.domain('workspaces'),
      ];
    case 'settings:changed':
      return [keyPrefixes.domain('settings')];
    case 'sample:changed':
      return [keyPrefixes.domain('sample'), keyPrefixes.domain('workspaces')];
    case 'lock:changed':
      return [keyPrefixes.domain('lock'), keyPrefixes.domain('app')];
    default:
      return [];
  }
}
