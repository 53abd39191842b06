import type { Entity } from '../../../contract/fields.ts';
import type { SyncStatus } from '../../../contract/sync.ts';
import type { ListSettings } from './list-settings.ts';

/** What a list leaves out as it stands, in a sentence; null where it shows all there is. */
export function leftOutWords(
  entity: Entity,
  settings: Pick<ListSettings, 'includesArchived' | 'includesMissing'>,
): string | null {
  const isArchivedOut = entity === 'members' && !settings.includesArchived;
  if (isArchivedOut) {
    return settings.includesMissing
      ? 'Archived members are hidden.'
      : 'Archived members, and those no longer in the service, are hidden.';
  }
  return settings.includesMissing ? null : 'Records no longer in the service are hidden.';
}

/** What nothing was found for, in a sentence. */
export function noMatchWords(settings: Pick<ListSettings, 'search' | 'conditions'>): string {
  const filters = settings.conditions.length;
  const parts = [
    ...(settings.search === '' ? [] : ['this search']),
    ...(filters === 0 ? [] : [filters === 1 ? 'this filter' : 'these filters']),
  ];
  return `No matches for ${parts.join(' and ')}.`;
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
  readonly isOffline: boolean;
  /** Said where the list can be empty for a reason of its own (a member without claims). */
  readonly ownText?: string | undefined;
  /** Said of what the list does not show unless it is asked to. */
  readonly leftOut?: string | null | undefined;
}): EmptyWords {
  const { many, status } = facts;
  if (status?.running) {
    return {
      title: `No ${many} yet`,
      text: 'Sync in progress. Rows appear as they arrive.',
      next: null,
    };
  }
  if (status !== undefined && status.lastComplete !== null) {
    return {
      title: `No ${many}`,
      text: [facts.ownText ?? `The claims service has no ${many} for this account.`, facts.leftOut ?? '']
        .join(' ')
        .trim(),
      next: 'sync',
    };
  }
  const title = `No ${many} on this computer yet`;
  if (facts.isOffline) {
    const text =
      'Can’t reach the claims service, and nothing has been synced yet. Sync once it answers; after that everything works offline.';
    return { title, text, next: 'seeSync' };
  }
  if (status !== undefined && (status.lastReceipt !== null || status.isResumable)) {
    return { title, text: `The last sync did not finish, and no ${many} were received.`, next: 'seeSync' };
  }
  return { title, text: 'Sync once; after that everything works offline.', next: 'sync' };
}
