import type { AppInfo } from '../../../contract/app-info.ts';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import type { SyncStatus } from '../../../contract/sync.ts';
import type { Workspace } from '../../../contract/workspace.ts';

export const connectSteps = ['secrets', 'address', 'unlock', 'key', 'team', 'register', 'sync'] as const;
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
  if (workspace.awaitsTeam === true) return 'team';
  if (status !== null && (status.lastComplete !== null || isUsable(status))) return 'done';
  if (key.provenAt === null) return 'register';
  return 'sync';
}

/** A sync that ended without being verified has still read the records. */
const isUsable = (status: SyncStatus): boolean => status.lastReceipt?.outcome === 'notProven';

/** The next step where setup is not finished, as in "Next: make an SSH key". */
export const nextSteps: Readonly<Record<ConnectStep, string>> = {
  secrets: 'choose where secrets are stored',
  address: 'add the service',
  unlock: 'choose a passphrase',
  key: 'make an SSH key',
  team: 'ask to join the team',
  register: 'register your SSH key with the claims service',
  sync: 'the first sync',
};

/** The step at which setting up the open workspace stopped; null: it is set up, or the sample. */
export function unfinishedStepOf(facts: Parameters<typeof connectStepOf>[0]): ConnectStep | null {
  if (facts.workspace === null || facts.workspace.isSample) return null;
  const step = connectStepOf(facts);
  return step === 'done' ? null : step;
}
