import type {
  ChangeCounts,
  ChangeKind,
  SyncProgress,
  SyncReceipt,
  SyncStatus,
} from '../../../contract/sync.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import type { StatusLinkTone } from '../../components/status-link.tsx';
import { formatWhen } from '../../lib/format-date.ts';
import { formatSeconds, formatTimeLeft } from '../../lib/format-value.ts';

export interface SyncSummary {
  readonly tone: StatusLinkTone;
  readonly text: string;
}

const phaseLabels = {
  connecting: 'Connecting to the claims service',
  members: 'Reading members',
  claims: 'Reading claims',
  proving: 'Verifying that nothing is missing',
} as const satisfies Record<SyncProgress['phase'], string>;

export const describePhase = (progress: SyncProgress): string => phaseLabels[progress.phase];

/** 0 to 100, or null until the total is known. */
export function percentOf(progress: SyncProgress): number | null {
  if (progress.total === null || progress.total === 0) return null;
  return Math.min(100, Math.floor((100 * progress.read) / progress.total));
}

export function describeProgress(progress: SyncProgress): string {
  const read =
    progress.total === null
      ? `${formatCount(progress.read)} read`
      : `${formatCount(progress.read)} of ${formatCount(progress.total)}`;
  const left = progress.secondsLeft === null ? [] : [formatTimeLeft(progress.secondsLeft)];
  return [read, ...left].join(' · ');
}

const dayMs = 86_400_000;

/** The whole days since the last sync; 0 where that did not read to the end, because an earlier one may have. */
function ageInDays({ lastReceipt }: SyncStatus, now: Date): number {
  if (lastReceipt === null || lastReceipt.outcome === 'failed' || lastReceipt.outcome === 'canceled')
    return 0;
  return Math.max(0, Math.floor((now.getTime() - Date.parse(lastReceipt.finishedAt)) / dayMs));
}

/** The line in the top bar. It has "complete" only where a receipt is verified, and the age of records from one day on. */
export function summarizeSync(status: SyncStatus, isOffline: boolean, now: Date): SyncSummary {
  const { running, lastReceipt, lastComplete, lossQuestion } = status;
  const days = ageInDays(status, now);
  const complete =
    days > 0
      ? `records ${formatCountOf(days, 'day')} old`
      : lastComplete === null
        ? 'no full sync yet'
        : `last full sync ${formatWhen(lastComplete.finishedAt, now)}`;
  if (running !== null) {
    const percent = percentOf(running);
    return { tone: 'running', text: `Syncing${percent === null ? '' : ` ${percent}%`}` };
  }
  if (lossQuestion !== null) return { tone: 'failed', text: `Review missing records · ${complete}` };
  if (isOffline) return { tone: 'offline', text: `Offline · ${complete}` };
  if (status.isPaused) return { tone: 'caution', text: `Sync paused · ${complete}` };
  if (lastReceipt === null) {
    return status.isResumable
      ? { tone: 'caution', text: `Sync interrupted · ${complete}` }
      : { tone: 'none', text: 'Not synced yet' };
  }
  if (status.unsettled !== null) return { tone: 'failed', text: `Reviews not updated · ${complete}` };
  switch (lastReceipt.outcome) {
    case 'complete':
      if (days > 0)
        return {
          tone: 'caution',
          text: `Records ${formatCountOf(days, 'day')} old · synced ${formatWhen(lastReceipt.finishedAt, now)}`,
        };
      return { tone: 'good', text: `Up to date · synced ${formatWhen(lastReceipt.finishedAt, now)}` };
    case 'notProven':
      return { tone: 'caution', text: `Synced, not verified · ${complete}` };
    case 'refreshed':
      return {
        tone: days > 0 ? 'caution' : 'none',
        text: `Refreshed ${formatWhen(lastReceipt.finishedAt, now)} · ${complete}`,
      };
    case 'canceled':
      return { tone: 'caution', text: `Sync canceled · ${complete}` };
    case 'failed':
      return { tone: 'failed', text: `Sync failed · ${complete}` };
  }
}

const outcomeSentences = {
  complete: 'Everything in the claims service is on this computer.',
  notProven: 'The records are on this computer, but Claimdesk couldn’t verify that none are missing.',
  refreshed: 'New records fetched. Run a full sync to verify.',
  canceled: 'Sync canceled. Records received so far were kept.',
  failed: 'The sync did not finish. Records received so far were kept.',
} as const satisfies Record<SyncReceipt['outcome'], string>;

const endLabels = {
  complete: 'Finished',
  notProven: 'Finished',
  refreshed: 'Finished',
  canceled: 'Stopped',
  failed: 'Stopped',
} as const satisfies Record<SyncReceipt['outcome'], string>;

/** "Finished today at 12:14 PM": when a sync ended, and whether it was completed. */
export const describeEnd = ({ outcome, finishedAt }: SyncReceipt, now: Date): string =>
  `${endLabels[outcome]} ${formatWhen(finishedAt, now)}`;

const changeNames = {
  new: 'new',
  changed: 'changed',
  missing: 'no longer in the service',
  confirmed: 'confirmed as no longer in the service',
  returned: 'back in the service',
} as const satisfies Record<ChangeKind, string>;

/** "3 new, 2 changed"; null: none. */
export const describeCounts = (counts: ChangeCounts): string | null =>
  (Object.keys(changeNames) as ChangeKind[])
    .flatMap((kind) => (counts[kind] > 0 ? [`${formatCount(counts[kind])} ${changeNames[kind]}`] : []))
    .join(', ') || null;

/** Shown instead of the last sync where none has ended. */
export function describeNoSync({ running, isResumable }: SyncStatus): string {
  if (running !== null) return 'The first sync is in progress.';
  return isResumable ? 'The first sync is not done.' : 'No sync yet.';
}

/** How a sync ended, as sentences. */
export function describeReceipt(receipt: SyncReceipt): readonly string[] {
  const sentences: string[] = [outcomeSentences[receipt.outcome]];
  if (receipt.reason !== null) sentences.push(receipt.reason);
  if (receipt.setAside > 0) sentences.push(`${formatCountOf(receipt.setAside, 'record')} could not be read.`);
  return sentences;
}

/**
 * The members of a receipt, and why their list has fewer: it leaves archived ones out. Shown only while the list has
 * the members that the receipt counted.
 */
export function describeMembers(
  receipt: Pick<SyncReceipt, 'members'>,
  summary: { readonly members: number; readonly archivedMembers: number } | null,
): string {
  const all = formatCount(receipt.members);
  if (summary === null || summary.archivedMembers === 0 || summary.members !== receipt.members) return all;
  const { members, archivedMembers } = summary;
  return `${all}: ${formatCount(members - archivedMembers)} in the list, ${formatCount(archivedMembers)} archived`;
}

/** Describes what was verified and how long it took, for auditors. */
export function describeReceiptDetails(receipt: SyncReceipt): readonly string[] {
  const repeated =
    receipt.failedRequests === 0
      ? ''
      : ` ${formatCountOf(receipt.failedRequests, 'request')} had to be repeated.`;
  return [
    ...(receipt.coverage === '' ? [] : [receipt.coverage]),
    `The sync took ${formatSeconds(receipt.seconds)} and ${formatCountOf(receipt.pages, 'page')}.${repeated}`,
  ];
}
