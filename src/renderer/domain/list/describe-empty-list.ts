import type { SyncStatus } from '../../../contract/sync.ts';
import type { Entity } from '../../../rules/list-fields.ts';
import type { ListSettings } from './list-settings.ts';

/** A sentence about the records that a list hides; null where it hides none. */
export function describeLeftOut(
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

/** What to say of a search or filter without results. Until a sync is complete, a record may just not be here yet. */
export function describeNoMatch(
  settings: Pick<ListSettings, 'search' | 'conditions'>,
  status: SyncStatus | undefined,
): string {
  const filters = settings.conditions.length;
  const parts = [
    ...(settings.search === '' ? [] : ['this search']),
    ...(filters === 0 ? [] : [filters === 1 ? 'this filter' : 'these filters']),
  ];
  const isIncomplete = status !== undefined && status.lastComplete === null;
  const limits = isIncomplete ? ' No sync is complete yet, so some records may be missing.' : '';
  return `No matches for ${parts.join(' and ')}.${limits}`;
}

export interface EmptyListText {
  readonly title: string;
  readonly text: string;
  /** The button to show; null: the person can only wait. */
  readonly next: 'sync' | 'seeSync' | null;
}

/**
 * Why an unfiltered list has no row. Only after a complete sync does it say that the service has none: an interrupted
 * one may have ended before the first row.
 */
export function describeEmptyList(facts: {
  readonly many: string;
  readonly status: SyncStatus | undefined;
  readonly isOffline: boolean;
  /** The text of a list that may be empty for another reason (a member without claims). */
  readonly ownText?: string | undefined;
  /** The text of a list whose rows appear only after a sync, not while it is running. */
  readonly waitText?: string | undefined;
  /** A sentence about the records that the list hides. */
  readonly leftOut?: string | null | undefined;
}): EmptyListText {
  const { many, status } = facts;
  if (status?.running) {
    if (facts.ownText !== undefined && status.lastComplete !== null)
      return { title: `No ${many}`, text: `${facts.ownText} Sync in progress.`, next: null };
    return {
      title: `No ${many} yet`,
      text: facts.waitText ?? 'Sync in progress. Rows appear as they arrive.',
      next: null,
    };
  }
  if (status !== undefined && status.lastComplete !== null) {
    return {
      title: `No ${many}`,
      text: [facts.ownText ?? `The claims service has no ${many} for this account.`, facts.leftOut ?? '']
        .join(' ')
        .trim(),
      // A list that is empty for another reason does not fill by a sync.
      next: facts.ownText === undefined ? 'sync' : null,
    };
  }
  const hasSynced = status !== undefined && (status.lastReceipt !== null || status.isResumable);
  if (hasSynced && facts.ownText !== undefined) {
    const isDone =
      !status.isResumable && ['notProven', 'refreshed'].includes(status.lastReceipt?.outcome ?? '');
    const how = isDone ? '' : ' The last sync did not finish.';
    return { title: `No ${many}`, text: `${facts.ownText}${how}`, next: 'seeSync' };
  }
  const title = `No ${many} on this computer yet`;
  if (facts.isOffline) {
    const text =
      'Can’t reach the claims service, and nothing has been synced yet. Sync once it answers; after that everything works offline.';
    return { title, text, next: 'seeSync' };
  }
  if (hasSynced) {
    const how = status.lastReceipt?.outcome === 'notProven' ? 'could not be verified' : 'did not finish';
    return { title, text: `The last sync ${how}, and no ${many} were received.`, next: 'seeSync' };
  }
  return { title, text: 'Sync once; after that everything works offline.', next: 'sync' };
}
