import type { SyncProgress, SyncReceipt, SyncStatus } from '../../contract/sync.ts';
import { formatWhen } from './format-date.ts';
import { formatCount, formatCountOf, formatSeconds, formatTimeLeft } from './format-value.ts';

export type SyncTone = 'running' | 'good' | 'caution' | 'offline' | 'failed' | 'none';
export interface SyncSummary {
  readonly tone: SyncTone;
  readonly text: string;
}

const unreachableCodes: ReadonlySet<string> = new Set([
  'service.unreachable',
  'service.nameUnknown',
  'service.timeout',
  'service.connectionLost',
]);

const phaseWords = {
  connecting: 'Connecting to the service',
  members: 'Reading members',
  claims: 'Reading claims',
  proving: 'Reading again to prove that nothing is missing',
} as const satisfies Record<SyncProgress['phase'], string>;

export function describePhase(progress: SyncProgress): string {
  return phaseWords[progress.phase];
}

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

/** True where the last attempt never reached the service; what is on this computer stays readable. */
export function isOffline(status: SyncStatus, isServiceReachable: boolean): boolean {
  if (!isServiceReachable) return true;
  const code = status.lastReceipt?.outcome === 'failed' ? status.lastReceipt.errorCode : null;
  return code !== null && unreachableCodes.has(code);
}

/** The one line of the top bar. It never claims more than a receipt proves. */
export function summarizeSync(status: SyncStatus, isServiceReachable: boolean, now: Date): SyncSummary {
  const { running, lastReceipt, lastComplete, lossQuestion } = status;
  const complete =
    lastComplete === null
      ? 'no complete sync yet'
      : `last complete sync ${formatWhen(lastComplete.finishedAt, now)}`;
  if (running !== null) {
    const percent = percentOf(running);
    return { tone: 'running', text: `Syncing${percent === null ? '' : ` ${percent}%`}` };
  }
  if (lossQuestion !== null) return { tone: 'failed', text: `Sync asks about missing records · ${complete}` };
  if (isOffline(status, isServiceReachable)) return { tone: 'offline', text: `Offline · ${complete}` };
  if (status.isPaused) return { tone: 'caution', text: `Sync paused · ${complete}` };
  if (lastReceipt === null) return { tone: 'none', text: 'Not synced yet' };
  switch (lastReceipt.outcome) {
    case 'complete':
      return {
        tone: 'good',
        text: `Complete · last complete sync ${formatWhen(lastReceipt.finishedAt, now)}`,
      };
    case 'notProven':
      return { tone: 'caution', text: `Synced, not proven complete · ${complete}` };
    case 'refreshed':
      return { tone: 'caution', text: `Refreshed without proof · ${complete}` };
    case 'canceled':
      return { tone: 'caution', text: `Sync canceled · ${complete}` };
    case 'failed':
      return { tone: 'failed', text: `Sync failed · ${complete}` };
  }
}

const outcomeWords = {
  complete: 'Everything the service has is on this computer.',
  notProven: 'The records are on this computer, but it is not proven that none is missing.',
  refreshed: 'What is new was fetched; nothing is proven by it.',
  canceled: 'The sync was canceled. What had come is kept.',
  failed: 'The sync did not finish. What had come is kept.',
} as const satisfies Record<SyncReceipt['outcome'], string>;

/** A receipt in plain sentences, for people who have to answer for it. */
export function describeReceipt(receipt: SyncReceipt): readonly string[] {
  const sentences: string[] = [outcomeWords[receipt.outcome]];
  if (receipt.reason !== null) sentences.push(receipt.reason);
  if (receipt.coverage !== '') sentences.push(receipt.coverage);
  sentences.push(
    `It took ${formatSeconds(receipt.seconds)} and ${formatCountOf(receipt.pages, 'page')}${
      receipt.failedRequests === 0
        ? '.'
        : `; ${formatCountOf(receipt.failedRequests, 'request')} had to be repeated.`
    }`,
  );
  if (receipt.setAside > 0) {
    sentences.push(
      `${formatCountOf(receipt.setAside, 'record')} could not be read as what they should be and were set aside.`,
    );
  }
  return sentences;
}
