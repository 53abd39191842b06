import { z } from 'zod';
import { exportProgressSchema, exportResultSchema } from './export.ts';
import { workspaceRef } from './procedure-parts.ts';
import { errorReportSchema } from './result.ts';
import { storeProgressSchema } from './store.ts';
import { syncProgressSchema, syncReceiptSchema } from './sync.ts';

/** All events that main and engine send to windows. None contains a record. */
export const events = {
  'sync:progress': { from: 'engine', payload: syncProgressSchema },
  'sync:finished': {
    from: 'engine',
    payload: workspaceRef.extend({ receipt: syncReceiptSchema, error: errorReportSchema.nullable() }),
  },
  /** A sync failed without a receipt, because the records could not be written. */
  'sync:broken': { from: 'engine', payload: workspaceRef.extend({ error: errorReportSchema }) },
  'sync:paused': { from: 'engine', payload: workspaceRef },
  /** The service of a workspace became reachable or unreachable. */
  'service:changed': { from: 'engine', payload: workspaceRef.extend({ isReachable: z.boolean() }) },
  /** Rows changed, and lists may be opened again. Sent at most about once a second. */
  'records:changed': { from: 'engine', payload: workspaceRef },
  /** A file was found to be damaged, checked, repaired or rewritten. */
  'store:changed': { from: 'engine', payload: workspaceRef },
  /** Progress of a check, a repair or a removal. Sent every few thousand records. */
  'store:progress': { from: 'engine', payload: workspaceRef.extend(storeProgressSchema.shape) },
  /**
   * Progress of the migration or repair of a file that is being opened; null: it is open, or could not be opened.
   * Without a workspace: the user data file.
   */
  'store:opening': {
    from: 'engine',
    payload: z.object({ workspaceId: z.string().nullable(), progress: storeProgressSchema.nullable() }),
  },
  /** A backup was made or failed, or its folder or seal changed. */
  'backup:changed': { from: 'engine', payload: z.object({}) },
  /** Saved views changed. */
  'views:changed': { from: 'engine', payload: workspaceRef },
  /** Reviews of these claims changed; null: of many claims. */
  'reviews:changed': {
    from: 'engine',
    payload: workspaceRef.extend({ claimIds: z.array(z.int()).nullable() }),
  },
  /** The members of a workspace's team, or its state, changed. */
  'team:changed': { from: 'engine', payload: workspaceRef },
  /** Another computer of the team opened or left a claim. */
  'leases:changed': { from: 'engine', payload: workspaceRef },
  /** Duplicates or the counts of worklists changed. */
  'worklists:changed': { from: 'engine', payload: workspaceRef },
  /** Data of Connect changed and should be read again. `policyHolderId` is the connection, where only one changed. */
  'connect:changed': {
    from: 'engine',
    payload: workspaceRef.extend({
      what: z.enum(['settings', 'members', 'connections', 'validation', 'patientAccess']),
      policyHolderId: z.int().nullable(),
    }),
  },
  'export:progress': { from: 'engine', payload: exportProgressSchema },
  'export:finished': {
    from: 'engine',
    payload: z.object({
      exportId: z.string(),
      result: exportResultSchema.nullable(),
      error: errorReportSchema.nullable(),
    }),
  },
  'lock:changed': { from: 'main', payload: z.object({ isLocked: z.boolean() }) },
  'workspaces:changed': { from: 'main', payload: z.object({ activeId: z.string().nullable() }) },
  'keys:changed': { from: 'main', payload: z.object({}) },
  /** The rotation of a workspace's key reached another step, ended or failed. */
  'rotation:changed': { from: 'main', payload: workspaceRef },
  'settings:changed': { from: 'main', payload: z.object({}) },
  'sample:changed': { from: 'main', payload: z.object({ isRunning: z.boolean() }) },
} as const satisfies Record<string, { from: 'main' | 'engine'; payload: z.ZodType }>;

export type EventName = keyof typeof events;
export type EventPayload<E extends EventName> = z.output<(typeof events)[E]['payload']>;
export type AnyEvent = { [E in EventName]: { name: E; payload: EventPayload<E> } }[EventName];
