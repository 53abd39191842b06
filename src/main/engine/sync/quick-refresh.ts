import type { QuickRefresh, SyncReceipt } from '../../../contract/sync.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { ListKind } from '../store/record/list-kind.ts';
import type { NewestFirst } from '../store/sync/list-order.ts';
import type { ListOrders, SyncState } from '../store/sync/sync-state.ts';
import { askInSizes } from './ask-in-sizes.ts';
import { type NarrowOptions, writeSinglePage } from './narrow-fetch.ts';
import { isLastPage, listKinds } from './pass-rules.ts';
import { writeReceipt } from './receipt.ts';
import type { FailureList } from './run-sync.ts';

/** A small page, because either few records are new, or a full sync is due. */
const quickPerPage = 100;
const maxQuickPages = 30;

const finds: Readonly<Record<NewestFirst, string>> = {
  modified: 'new and changed',
  created: 'new',
  id: 'new',
};

/**
 * Whether a quick refresh would find new records: only in lists that began with the newest records when they were last
 * read in full. In any other list it would stop at once and report that nothing is new.
 */
export function describeQuickRefresh(
  orders: ListOrders,
  facts: { hasComplete: boolean; isAsking: boolean },
): QuickRefresh {
  if (facts.isAsking)
    return { isOffered: false, reason: 'A sync is asking about missing records. Answer it first.' };
  if (!facts.hasComplete) return { isOffered: false, reason: 'Quick refresh needs a complete sync first.' };
  const findings = listKinds.flatMap((kind) => {
    const order = orders[kind];
    return order == null ? [] : [`${finds[order]} ${kind}`];
  });
  if (findings.length === 0) {
    return {
      isOffered: false,
      reason: 'Quick refresh isn’t available for this service. Run a full sync.',
    };
  }
  return {
    isOffered: true,
    reason: `Finds ${findings.join(' and ')}. It doesn’t find deleted records${
      findings.some((finding) => finding.startsWith('new and')) ? '' : ' or changes in older records'
    }, so it doesn’t verify completeness.`,
  };
}

interface QuickOptions extends NarrowOptions {
  readonly failures: FailureList;
  readonly onPage: (list: ListKind, read: number, total: number | null) => void;
}

/**
 * Reads each list that begins with the newest records until a page has nothing new. Resolves with a receipt of outcome
 * `refreshed`, which says what was not checked.
 *
 * @throws DeskError `sync.quickUnavailable`
 */
export async function runQuickRefresh(
  options: QuickOptions,
): Promise<{ receipt: SyncReceipt; error: DeskError | null }> {
  const { store, clock, signal } = options;
  const orders = await store.read('readOrders', null);
  const { lastComplete } = await store.read('readReceipts', null);
  const offer = describeQuickRefresh(orders, { hasComplete: lastComplete !== null, isAsking: false });
  if (!offer.isOffered) throw new DeskError('sync.quickUnavailable');
  const beganMs = clock.now();
  const sentences: string[] = [offer.reason];
  let pages = 0;
  let error: DeskError | null = null;
  try {
    for (const kind of listKinds) {
      if (orders[kind] == null) sentences.push(`The ${kind} were not checked.`);
      else {
        const front = await readFront(kind, options);
        pages += front.pages;
        sentences.push(...front.sentences);
      }
    }
  } catch (thrown) {
    error = signal.aborted ? new DeskError('sync.canceled') : toDeskError(thrown);
    if (error.code.startsWith('service.')) options.failures.add(error);
  }
  const startedAt = new Date(beganMs).toISOString();
  const sync: SyncState = {
    runId: options.syncId,
    startedAt,
    kind: 'claims',
    pass: 0,
    nextPage: 1,
    perPage: quickPerPage,
    passes: [],
    passStartedAt: startedAt,
    total: null,
    isSteady: true,
    pages,
    failedRequests: options.failures.count,
    failures: [...options.failures.newest],
    isFirst: false,
    isPaused: false,
    lossQuestion: null,
  };
  const receipt: SyncReceipt = {
    ...writeReceipt({
      sync,
      error,
      counts: await store.read('countRecords', null),
      changes: await store.read('readChangeCounts', { syncId: options.syncId }),
      beganMs,
      finishedMs: clock.now(),
    }),
    ...(error === null
      ? { outcome: 'refreshed', reason: 'A quick refresh doesn’t verify completeness.' }
      : {}),
    coverage: sentences.join(' '),
  };
  await store.write('writeReceipt', receipt);
  return { receipt, error };
}

async function readFront(
  kind: ListKind,
  options: QuickOptions,
): Promise<{ pages: number; sentences: string[] }> {
  const { store, api, signal, pageSizes } = options;
  let read = 0;
  let total: number | null = null;
  let perPage = Math.min(quickPerPage, pageSizes.known);
  for (let page = 1; page <= maxQuickPages; page += 1) {
    const asked = await askInSizes({ page, perPage }, options, (at) =>
      kind === 'members'
        ? api.readMemberPage(at.page, at.perPage, signal)
        : api.readClaimPage(at.page, at.perPage, signal),
    );
    ({ page, perPage } = asked);
    const { reply } = asked;
    const outcome = await writeSinglePage(options, kind, reply, page);
    read += outcome.records;
    total = outcome.total ?? total;
    perPage = outcome.perPage ?? perPage;
    options.onPage(kind, read, total);
    const isKnownGround = outcome.added + outcome.changed === 0;
    const isEnd = isLastPage({ ...outcome, page, perPage, pages: outcome.pages });
    if (!isKnownGround && !isEnd) continue;
    const here = (await store.read('countRecords', null))[kind];
    // Nothing new at the start of the list, but another total: the order changed, or records were removed.
    const isOff = total !== null && total !== here;
    const off = `The service says that there are ${total} ${kind}, and ${here} are here: run a full sync.`;
    return { pages: page, sentences: isOff ? [off] : [] };
  }
  return {
    pages: maxQuickPages,
    sentences: [`More ${kind} are new than a quick refresh reads: run a full sync.`],
  };
}
