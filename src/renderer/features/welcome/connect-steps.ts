import type { AppInfo } from '../../../contract/app-info.ts';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import type { SyncStatus } from '../../../contract/sync.ts';
import type { Workspace } from '../../../contract/workspace.ts';

export const connectSteps = ['secrets', 'address', 'unlock', 'key', 'register', 'sync'] as const;
export type ConnectStep = (typeof connectSteps)[number];

/**
 * Where someone is on the way to a working connection, read from what is there and from nothing else, so
 * that closing the window half-way loses nothing.
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

/** A sync that came through without a proof has brought the records all the same. */
function isUsable(status: SyncStatus): boolean {
  return status.lastReceipt?.outcome === 'notProven';
}

/** The workspace that someone began to connect and did not finish, if it is the one that is open. */
export function isUnfinished(facts: Parameters<typeof connectStepOf>[0]): boolean {
  return facts.workspace !== null && !facts.workspace.isSample && connectStepOf(facts) !== 'done';
}
