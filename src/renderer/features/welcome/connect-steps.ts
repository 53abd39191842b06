import type { AppInfo } from '../../../contract/app-info.ts';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import type { SyncStatus } from '../../../contract/sync.ts';
import type { Workspace } from '../../../contract/workspace.ts';

export const connectSteps = ['secrets', 'address', 'unlock', 'key', 'register', 'sync'] as const;
export type ConnectStep = (typeof connectSteps)[number];

/**
 * The step of setting up a connection. It is computed from what exists alone, so that nothing is lost when the window
 * is closed in between.
 */
export function connectStepOf(facts: {
  readonly secrets: AppInfo['secrets'];
  readonly workspace: Workspace | null;
  readonly keys: readonly SshKey[];
  readonly status: SyncStatus | null;
}): ConnectStep | 'done' {
  const { secrets, workspace, keys, status } = facts;
  if (secrets.state !== 'ready') return 'secrets';
  if (workspace === null) return 'address';
  const key = keys.find((candidate) => candidate.id === workspace.keyId);
  if (key === undefined) return 'key';
  if (status !== null && (status.lastComplete !== null || isUsable(status))) return 'done';
  if (key.provenAt === null) return 'register';
  return 'sync';
}

/** A sync that ended without being verified has still read the records. */
function isUsable(status: SyncStatus): boolean {
  return status.lastReceipt?.outcome === 'notProven';
}

/** Whether the open workspace was added but is not set up completely. */
export function isUnfinished(facts: Parameters<typeof connectStepOf>[0]): boolean {
  return facts.workspace !== null && !facts.workspace.isSample && connectStepOf(facts) !== 'done';
}
