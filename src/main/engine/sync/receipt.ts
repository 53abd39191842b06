import { createHash } from 'node:crypto';
import type { ChangeCounts, LossQuestion, SyncReceipt } from '../../../contract/sync.ts';
import type { DeskError } from '../../lib/errors.ts';
import type { ListKind } from '../store/ingest.ts';
import type { RunState } from '../store/sync-state.ts';
import { judgeProof, listKinds } from './pass-rules.ts';

/** How many records are here. */
export interface RecordCounts {
  readonly members: number;
  readonly dependents: number;
  readonly claims: number;
  readonly lines: number;
  readonly setAside: number;
}

export interface ReceiptParts {
  readonly run: RunState;
  readonly error: DeskError | null;
  readonly counts: RecordCounts;
  readonly changes: ChangeCounts;
  readonly beganMs: number;
  readonly finishedMs: number;
  /** A loss that a person accepted. */
  readonly accepted?: LossQuestion;
  /** Some records were removed here on purpose and are left out of syncs. */
  readonly leavesOut?: boolean;
}

/** `21 November 2026, 18:40 UTC`: the same wherever a receipt is read. */
export function sayMoment(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  const day = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${day}, ${date.toISOString().slice(11, 16)} UTC`;
}

const sayCount = (count: number, kind: ListKind): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? kind.slice(0, -1) : kind}`;

/**
 * What a proof covers and what it does not, for people who have to answer for it: which lists, between which
 * moments, and that later changes are for the next sync.
 */
export function describeCoverage({ run, counts, accepted, leavesOut }: ReceiptParts): string {
  const { setAside } = counts;
  const proven = listKinds.filter((kind) => judgeProof(run.passes, kind).isProven);
  if (proven.length === 0) {
    return 'No list is proven complete. What came is kept and usable, but records may be missing or out of date.';
  }
  const lasts = proven.map((kind) => run.passes.filter((pass) => pass.kind === kind).slice(-2));
  const begun = lasts.map(([first]) => first?.startedAt ?? '').sort()[0] ?? '';
  const ended =
    lasts
      .map((pair) => pair.at(-1)?.finishedAt ?? '')
      .sort()
      .at(-1) ?? '';
  const lists = lasts.map((pair) => sayCount(pair.at(-1)?.count ?? 0, pair.at(-1)?.kind ?? 'claims'));
  const sentences = [
    `Two full reads of ${lists.join(' and ')} gave the same records and matched the service’s own totals, which did not move.`,
    `The first of them began on ${sayMoment(begun)}, the last ended on ${sayMoment(ended)}.`,
    'It covers what this account may see in the lists of members and claims; what changed at the service after its page was last read is for the next sync.',
  ];
  const unproven = listKinds.filter((kind) => !proven.includes(kind));
  if (unproven.length > 0) sentences.push(`The ${unproven.join(' and ')} are not proven.`);
  if (setAside > 0) {
    sentences.push(
      `Among them ${setAside.toLocaleString('en-US')} came in a form that could not be read and ${setAside === 1 ? 'was' : 'were'} set aside.`,
    );
  }
  if (leavesOut === true) {
    sentences.push('Records that were removed from this computer on purpose were read and not kept.');
  }
  for (const loss of accepted?.losses ?? []) {
    sentences.push(`A person accepted that ${sayCount(loss.missing, loss.list)} are no longer returned.`);
  }
  return sentences.join(' ');
}

/** What a run comes to. Proven, and therefore complete, is only what judgeProof() says; an error undoes it. */
export function writeReceipt(parts: ReceiptParts): SyncReceipt {
  const { run, error, counts, beganMs, finishedMs } = parts;
  const lists = listKinds.map((list) => {
    const proof = judgeProof(run.passes, list);
    return { list, isProven: proof.isProven, reason: proof.isProven ? null : proof.reason };
  });
  const missing = lists.find((list) => !list.isProven);
  const isComplete = error === null && missing === undefined;
  const digests = listKinds.map((kind) => run.passes.findLast((pass) => pass.kind === kind)?.digest ?? '');
  const failure = error?.code === 'sync.canceled' ? 'canceled' : 'failed';
  return {
    runId: run.runId,
    outcome: error !== null ? failure : isComplete ? 'complete' : 'notProven',
    proof: isComplete ? 'complete' : 'not-proven',
    reason: error?.message ?? missing?.reason ?? null,
    coverage: describeCoverage(parts),
    errorCode: error?.code ?? null,
    requestId: error?.requestId ?? null,
    startedAt: run.startedAt,
    finishedAt: new Date(finishedMs).toISOString(),
    seconds: Math.max(0, finishedMs - beganMs) / 1000,
    passes: run.passes.length,
    pages: run.pages,
    failedRequests: run.failedRequests,
    failures: run.failures,
    reads: run.passes.map(({ kind, count, ...pass }) => ({ list: kind, ids: count, ...pass })),
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
