import { createHash } from 'node:crypto';
import type { ChangeCounts, LossQuestion, SyncReceipt } from '../../../contract/sync.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import type { DeskError } from '../../lib/errors.ts';
import type { ListKind } from '../store/record/list-kind.ts';
import type { RecordCounts } from '../store/sync/record-counts.ts';
import type { SyncState } from '../store/sync/sync-state.ts';
import { checkProof, listKinds } from './pass-rules.ts';

interface ReceiptParts {
  readonly sync: SyncState;
  readonly error: DeskError | null;
  readonly counts: Omit<RecordCounts, 'archivedMembers'> & { readonly setAside: number };
  readonly changes: ChangeCounts;
  readonly beganMs: number;
  readonly finishedMs: number;
  readonly accepted?: LossQuestion;
  /** Some records were removed on purpose and are left out of syncs. */
  readonly leavesOut?: boolean;
}

/** `11/21/2026, 1:40 PM`, in the time zone of this computer. */
export function sayMoment(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = date.getHours();
  const day = `${two(date.getMonth() + 1)}/${two(date.getDate())}/${date.getFullYear()}`;
  return `${day}, ${hours % 12 === 0 ? 12 : hours % 12}:${two(date.getMinutes())} ${hours < 12 ? 'AM' : 'PM'}`;
}

const sayCount = (count: number, kind: ListKind): string => formatCountOf(count, kind.slice(0, -1));

/**
 * Describes for auditors what a verified sync covers and what it does not: which lists, between which times,
 * and that later changes are read by the next sync.
 */
function describeCoverage({ sync, counts, accepted, leavesOut }: ReceiptParts): string {
  const { setAside } = counts;
  const proven = listKinds.filter((kind) => checkProof(sync.passes, kind).isProven);
  if (proven.length === 0)
    return 'Nothing is verified. The records received were kept and can be used, but some may be missing or out of date.';
  const lasts = proven.map((kind) => sync.passes.filter((pass) => pass.kind === kind).slice(-2));
  const begun = lasts.map(([first]) => first?.startedAt ?? '').sort()[0] ?? '';
  const ended =
    lasts
      .map((pair) => pair.at(-1)?.finishedAt ?? '')
      .sort()
      .at(-1) ?? '';
  const lists = lasts.map((pair) => sayCount(pair.at(-1)?.count ?? 0, pair.at(-1)?.kind ?? 'claims'));
  const sentences = [
    `Two full reads of ${lists.join(' and ')} matched each other and the source totals.`,
    `The first read began ${sayMoment(begun)}; the last ended ${sayMoment(ended)}.`,
    'This covers the members and claims that this account can see. Later changes arrive with the next sync.',
  ];
  const unproven = listKinds.filter((kind) => !proven.includes(kind));
  if (unproven.length > 0) sentences.push(`The ${unproven.join(' and ')} are not verified.`);
  if (setAside > 0) sentences.push(`Of these, ${formatCount(setAside)} could not be read.`);
  if (leavesOut === true)
    sentences.push('Records that were removed from this computer on purpose were read and not kept.');
  for (const loss of accepted?.losses ?? []) {
    sentences.push(
      `It was confirmed that ${sayCount(loss.missing, loss.list)} are no longer in the service.`,
    );
  }
  return sentences.join(' ');
}

/** Writes the receipt of a sync: verified complete only by checkProof(), and never after an error. */
export function writeReceipt(parts: ReceiptParts): SyncReceipt {
  const { sync, error, counts, beganMs, finishedMs } = parts;
  const lists = listKinds.map((list) => {
    const proof = checkProof(sync.passes, list);
    return { list, isProven: proof.isProven, reason: proof.isProven ? null : proof.reason };
  });
  const missing = lists.find((list) => !list.isProven);
  const isComplete = error === null && missing === undefined;
  const digests = listKinds.map((kind) => sync.passes.findLast((pass) => pass.kind === kind)?.digest ?? '');
  const failure = error?.code === 'sync.canceled' ? 'canceled' : 'failed';
  return {
    runId: sync.runId,
    outcome: error !== null ? failure : isComplete ? 'complete' : 'notProven',
    proof: isComplete ? 'complete' : 'not-proven',
    reason: error?.message ?? missing?.reason ?? null,
    coverage: describeCoverage(parts),
    errorCode: error?.code ?? null,
    requestId: error?.requestId ?? null,
    startedAt: sync.startedAt,
    finishedAt: new Date(finishedMs).toISOString(),
    seconds: Math.max(0, finishedMs - beganMs) / 1000,
    passes: sync.passes.length,
    pages: sync.pages,
    failedRequests: sync.failedRequests,
    failures: sync.failures,
    reads: sync.passes.map(({ kind, count, ...pass }) => ({ list: kind, ids: count, ...pass })),
    lists,
    changes: parts.changes,
    members: counts.members,
    dependents: counts.dependents,
    claims: counts.claims,
    lines: counts.lines,
    setAside: counts.setAside,
    digest: createHash('sha256').update(digests.join('/')).digest('hex'),
  };
}
