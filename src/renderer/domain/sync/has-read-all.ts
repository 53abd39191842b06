import type { SyncStatus } from '../../../contract/sync.ts';

/** Whether a sync has read everything once; claims that come before are in no worklist until then. */
export const hasReadAll = ({ lastComplete, lastReceipt }: SyncStatus): boolean =>
  lastComplete !== null || lastReceipt?.outcome === 'notProven';
