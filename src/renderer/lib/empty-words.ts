import type { Entity } from '../../contract/fields.ts';
import type { SyncStatus } from '../../contract/sync.ts';
import type { ListSettings } from './list-settings.ts';
import { isOffline } from './sync-words.ts';

/** What a list leaves out as it stands, in a sentence; null where it shows all there is. */
export function leftOutWords(
  entity: Entity,
  settings: Pick<ListSettings, 'includesArchived' | 'includesGone'>,
): string | null {
  const isArchivedOut = entity === 'members' && !settings.includesArchived;
  if (isArchivedOut) {
    return settings.includesGone
      ? 'Archived members are left out.'
      : 'Archived members, and those that the service no longer returns, are left out.';
  }
  return settings.includesGone ? null : 'What the service no longer returns is left out.';
}

export interface EmptyWords {
  readonly title: string;
  readonly text: string;
  /** The one thing to do about it; null: nothing but to wait. */
  readonly next: 'sync' | 'seeSync' | null;
}

/**
 * Why a list that nothing narrows has no row. That the service has none is said only after a complete sync: an
 * interrupted one may have ended before the first row.
 */
export function emptyWords(facts: {
  readonly many: string;
  readonly status: SyncStatus | undefined;
  readonly isServiceReachable: boolean;
  /** Said where the list can be empty for a reason of its own (a member without claims). */
  readonly ownText?: string | undefined;
  /** Said of what the list does not show unless it is asked to. */
  readonly leftOut?: string | null | undefined;
}): EmptyWords {
  const { many, status } = facts;
  if (status?.running) {
    return {
      title: `No ${many} yet`,
      text: 'The sync is running. Rows appear here as soon as they come.',
      next: null,
    };
  }
  if (status !== undefined && status.lastComplete !== null) {
    return {
      title: `No ${many}`,
      text: [facts.ownText ?? `The service has no ${many} for this account.`, facts.leftOut ?? '']
        .join(' ')
        .trim(),
      next: 'sync',
    };
  }
  const title = `No ${many} on this computer yet`;
  if (status !== undefined && isOffline(status, facts.isServiceReachable)) {
    const text =
      'The service cannot be reached, and no sync was complete before. Once it answers, one sync brings everything here, to be read without a network.';
    return { title, text, next: 'seeSync' };
  }
  if (status !== undefined && (status.lastReceipt !== null || status.isResumable)) {
    return { title, text: `The last sync was not complete, and brought no ${many}.`, next: 'seeSync' };
  }
  return { title, text: 'Sync once, then everything here works without a network.', next: 'sync' };
}
