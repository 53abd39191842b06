import type { Loss, RepairReport, StoreFileState } from '../../../contract/store.ts';
import { formatCount } from '../../../rules/count.ts';
import { formatDateTime } from '../../lib/format-date.ts';

/** `1.4 GB`, `350 KB`: decimal units, as disks are sold. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

const lossLabels: Readonly<Record<Loss['what'], readonly [string, string]>> = {
  members: ['member', 'members'],
  claims: ['claim', 'claims'],
  setAside: ['unreadable record', 'unreadable records'],
  latestWrites: ['page of recent changes', 'pages of recent changes'],
  reviews: ['review entry', 'review entries'],
  views: ['saved view', 'saved views'],
  auditEntries: ['audit log entry', 'audit log entries'],
};

/** `3 claims, some members`: what is lost, with counts where they are known. */
export function describeLosses(lost: readonly Loss[]): string {
  return lost
    .map(({ what, count }) => {
      const [one, many] = lossLabels[what];
      return count === null ? `some ${many}` : `${formatCount(count)} ${count === 1 ? one : many}`;
    })
    .join(', ');
}

/** The result of a repair, in a sentence. */
export function describeRepair(report: RepairReport): string {
  const lost = report.lost.length === 0 ? 'nothing was lost' : `lost: ${describeLosses(report.lost)}`;
  switch (report.outcome) {
    case 'sound':
      return 'The file is OK. No repair was needed.';
    case 'needsConsent':
      return `The repair would lose: ${describeLosses(report.lost)}.`;
    default:
      return `Repaired on ${formatDateTime(report.at)}; ${lost}.${report.needsSync ? ' Sync to get the records again.' : ''}`;
  }
}

/** The state of a file, in a few words. */
export function describeSoundness(state: StoreFileState): string {
  if (!state.isThere) return 'No data yet';
  if (state.isDamaged) return 'Damaged';
  if (state.lastCheck === null) return 'Not checked yet';
  return `OK, last checked ${formatDateTime(state.lastCheck.at)}${state.lastCheck.isFull ? ' (every record)' : ''}`;
}
