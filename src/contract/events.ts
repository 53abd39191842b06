import { z } from 'zod';
import { exportProgressSchema, exportResultSchema } from './export.ts';
import { workspaceRef } from './procedure-parts.ts';
import { errorReportSchema } from './result.ts';
import { storeProgressSchema } from './store.ts';
import { syncProgressSchema, syncReceiptSchema } from './sync.ts';

/** Everything that main and engine send to windows without a call. Nothing here carries a record. */
export const events = {
  'sync:progress': { from: 'engine', payload: syncProgressSchema },
  'sync:finished': {
    from: 'engine',
    payload: workspaceRef.extend({ receipt: syncReceiptSchema, error: errorReportSchema.nullable() }),
  },
  /** A sync ended without a receipt, because the records themselves could not be written. */
  'sync:broken': { from: 'engine', payload: workspaceRef.extend({ error: errorReportSchema }) },
  'sync:paused': { from: 'engine', payload: workspaceRef },
  /** The service of a workspace began or ceased to answer. */
  'service:changed': { from: 'engine', payload: workspaceRef.extend({ isReachable: z.boolean() }) },
  /** Rows changed; lists may be opened again. Sent at most about once a second. */
  'records:changed': { from: 'engine', payload: workspaceRef },
  /** A file was found damaged, checked, repaired or rewritten. */
  'store:changed': { from: 'engine', payload: workspaceRef },
  /** How far a check, a repair or a removal is. Sent every few thousand records. */
  'store:progress': { from: 'engine', payload: workspaceRef.extend(storeProgressSchema.shape) },
  /**
   * How far the update or repair of a file is that is being opened; null: it is open, or could not be. No workspace: the
   * file with what people wrote.
   */
  'store:opening': {
    from: 'engine',
    payload: z.object({ workspaceId: z.string().nullable(), progress: storeProgressSchema.nullable() }),
  },
  /** Saved views changed. */
  'views:changed': { from: 'engine', payload: workspaceRef },
  /** Reviews changed: of these claims, or of many where null. */
  'reviews:changed': {
    from: 'engine',
    payload: workspaceRef.extend({ claimIds: z.array(z.int()).nullable() }),
  },
  /** Duplicates or the counts of worklists changed. */
  'worklists:changed': { from: 'engine', payload: workspaceRef },
  /** Something of Connect changed: look again. `policyHolderId` names the connection, where it is of one. */
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
  /** The rotation of a workspace's key went on, ended or met a problem. */
  'rotation:changed': { from: 'main', payload: workspaceRef },
  'settings:changed': { from: 'main', payload: z.object({}) },
  'sample:changed': { from: 'main', payload: z.object({ isRunning: z.boolean() }) },
} as const satisfies Record<string, { from: 'main' | 'engine'; payload: z.ZodType }>;

export type EventName = keyof typeof events;
export type EventPayload<E extends EventName> = z.output<(typeof events)[E]['payload']>;
export type AnyEvent = { [E in EventName]: { name: E; payload: EventPayload<E> } }[EventName];
