import { DeskError } from '../../lib/errors.ts';
import type { DataApi } from '../service/data-api.ts';
import type { PageSizes } from '../service/page-sizes.ts';
import { toServiceTime } from '../service/service-clock.ts';
import type { ChangeSource } from '../store/sync/change-log.ts';
import type { PageOutcome } from '../store/sync/page-types.ts';
import type { SyncState } from '../store/sync/sync-state.ts';
import type { Store } from '../store/threads/store.ts';
import { positionInSmaller } from './ask-in-sizes.ts';
import { type Arrived, askAhead } from './pages-ahead.ts';
import { isLastPage, listKinds } from './pass-rules.ts';

interface PassContext {
  readonly store: Store;
  readonly api: DataApi;
  readonly pageSizes: PageSizes;
  readonly changes: ChangeSource;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Called for a page that is requested again: its body was broken, or smaller pages replace it. */
  readonly onBadPage: (error: DeskError) => void;
  /** Called after each page that was written. */
  readonly onPage: (sync: SyncState, outcome: PageOutcome) => void;
}

/** Pages in a row without a new record after which a list counts as endless. */
const maxStalePages = 3;
/** Attempts for a page whose body is broken. */
const maxBadPages = 3;
/** Rows beyond twice the first reported total after which a list counts as endless. */
const maxSurplusRows = 20_000;
/** Position in a list beyond which new records are received only while the disk has `minFreeBytes` left. */
const rowsWithoutLimit = 20_000;
const minFreeBytes = 1_000_000_000;
/** How often a pass begins again because its pages are inconsistent; after that, the verification fails instead. */
const maxRestarts = 3;

/**
 * Reads a list once from the position of the sync to its end. Rows and position are written together, so a sync that is
 * killed continues with the page that it was reading. Where the service refuses a page for its size, the pass continues
 * from there in smaller ones.
 *
 * @throws DeskError `sync.endless`, `sync.lowDisk`, `service.*`, `sync.canceled`, `disk.full`
 */
export async function readPass(sync: SyncState, context: PassContext): Promise<void> {
  // Requests sent ahead end with the pass; otherwise they would be retried.
  const ending = new AbortController();
  try {
    await readPages(sync, { ...context, signal: AbortSignal.any([context.signal, ending.signal]) });
  } finally {
    ending.abort();
    // The thread is kept between the lists: a new thread has to compile its code again, 2 s of processor time.
    if (isPrepared(sync) && sync.kind === listKinds.at(-1)) await context.store.endPreparing();
  }
}

/** Later reads mostly receive the same bytes again, which are not prepared. */
const isPrepared = ({ isFirst, pass }: SyncState): boolean => isFirst && pass === 1;

/** The progress of a pass that the state of the sync does not hold. */
interface Reading {
  readonly sync: SyncState;
  readonly context: PassContext;
  readonly ahead: ReturnType<typeof askAhead>;
  /** The number of pages of the list, where known. */
  pages: number | null;
  /** Pages in a row without a new record. */
  stale: number;
  badPages: number;
  restarts: number;
  rows: number;
  /** Whether the last page had records that were not stored here; true before the first page of a first pass. */
  isGrowing: boolean;
}

/**
 * Continues the pass in smaller pages, from the page that contains the next row; some rows may be received twice.
 * Returns false where it can't.
 */
async function stepDown(reading: Reading, thrown: unknown): Promise<boolean> {
  const { sync, context, ahead } = reading;
  const smaller = context.pageSizes.stepDown(sync.perPage, thrown);
  if (smaller === null) return false;
  context.onBadPage(thrown as DeskError);
  ahead.drop();
  reading.pages = null;
  const { page: nextPage, perPage } = positionInSmaller(
    { page: sync.nextPage, perPage: sync.perPage },
    smaller,
  );
  Object.assign(sync, { nextPage, perPage });
  await context.store.write('writeSyncState', sync);
  return true;
}

/** Stops a long list of new records before it fills the disk: nothing else limits one without a true total. */
async function requireFreeSpace({ sync, context, isGrowing, rows }: Reading): Promise<void> {
  if (!isGrowing || Math.max(sync.nextPage * sync.perPage, rows) <= rowsWithoutLimit) return;
  if ((await context.store.read('readFreeBytes', null)) < minFreeBytes) throw new DeskError('sync.lowDisk');
}

async function restart(reading: Reading): Promise<void> {
  const { sync, context } = reading;
  reading.ahead.drop();
  Object.assign(reading, { pages: null, stale: 0, rows: 0, restarts: reading.restarts + 1 });
  const passStartedAt = new Date(context.now()).toISOString();
  Object.assign(sync, { nextPage: 1, total: null, isSteady: true, passStartedAt });
  await context.store.write('beginPass', sync);
}

/** Requests the next page and writes it; null: there is none. `again`: the page has to be requested once more. */
async function takePage(
  reading: Reading,
): Promise<{ readonly reply: Arrived; readonly outcome: PageOutcome } | 'again' | null> {
  const { sync, context } = reading;
  let reply: Arrived | null;
  try {
    reply = await reading.ahead.take(sync.nextPage, reading.pages);
  } catch (thrown) {
    if (await stepDown(reading, thrown)) return 'again';
    throw thrown;
  }
  if (reply === null) return null;
  try {
    return { reply, outcome: await writePage(sync, reply, context) };
  } catch (thrown) {
    // A truncated page may be complete at another attempt; otherwise the service is broken.
    if (!(thrown instanceof DeskError && thrown.code === 'service.badReply')) throw thrown;
    reading.badPages += 1;
    if (reading.badPages < maxBadPages) {
      context.onBadPage(thrown);
      return 'again';
    }
    if (!(await stepDown(reading, thrown))) throw thrown;
    reading.badPages = 0;
    return 'again';
  }
}

/** Uses the size of the pages that were received; returns true where the pass began again because of it. */
async function followSize(reading: Reading, page: number, served: number | null): Promise<boolean> {
  const { sync, context } = reading;
  if (served === null || served <= 0 || served === sync.perPage) return false;
  if (page === 1) {
    sync.perPage = served;
    reading.ahead.drop();
    await context.store.write('writeSyncState', sync);
    return false;
  }
  if (reading.restarts >= maxRestarts) return false;
  // With a different page size, page numbers mean different rows.
  sync.perPage = served;
  await restart(reading);
  return true;
}

async function readPages(sync: SyncState, context: PassContext): Promise<void> {
  const ahead = askAhead(sync, context, isPrepared(sync));
  const reading: Reading = {
    sync,
    context,
    ahead,
    pages: null,
    stale: 0,
    badPages: 0,
    restarts: 0,
    rows: 0,
    isGrowing: sync.pass === 1,
  };
  let maxRows: number | null = null;
  const wasResumed = sync.nextPage > 1;
  for (;;) {
    if (context.signal.aborted) throw new DeskError('sync.canceled');
    await requireFreeSpace(reading);
    const page = sync.nextPage;
    const taken = await takePage(reading);
    if (taken === null) return;
    if (taken === 'again') continue;
    const { reply, outcome } = taken;
    reading.badPages = 0;
    await context.pageSizes.keepServed(sync.perPage);
    sync.nextPage = page + 1;
    sync.pages += 1;
    rememberTotal(sync, outcome);
    reading.stale = outcome.records > 0 && outcome.fresh === 0 ? reading.stale + 1 : 0;
    reading.rows += outcome.records;
    reading.isGrowing = outcome.added > 0;
    if (outcome.total !== null) maxRows ??= 2 * outcome.total + maxSurplusRows;
    context.onPage(sync, outcome);

    const isShort = isCut(sync.perPage, page, outcome);
    // A size that is smaller than its own page is false.
    const size = outcome.perPage === null ? null : Math.max(outcome.perPage, outcome.records);
    if (await followSize(reading, page, isShort ? outcome.records : size)) continue;
    // A service that shortens its pages reports a number of pages for the requested size.
    const said = isShort ? null : outcome.pages;
    const pages = said ?? (outcome.total === null ? null : Math.ceil(outcome.total / sync.perPage));
    reading.pages = pages;
    if (
      isLastPage({ page, records: outcome.records, perPage: sync.perPage, pages, hasNext: outcome.hasNext })
    )
      return;
    const isStale = reading.stale >= maxStalePages;
    // The same happens where many rows were inserted at the start of the list while the pass was interrupted.
    if (isStale && wasResumed && reading.restarts === 0) await restart(reading);
    else if (isStale || (maxRows !== null && reading.rows > maxRows))
      throw new DeskError('sync.endless', { requestId: reply.requestId ?? undefined, details: { page } });
  }
}

/** Writes a page together with the next position. @throws DeskError `service.badReply`, `disk.full` */
async function writePage(
  sync: SyncState,
  reply: Arrived,
  { store, api, changes, now }: PassContext,
): Promise<PageOutcome> {
  const packed = await reply.packed;
  const body = packed?.body ?? reply.body;
  return store.write(
    'ingestPage',
    {
      kind: sync.kind,
      body,
      ...(packed === null ? {} : { packed: packed.packed }),
      pass: sync.pass,
      page: sync.nextPage,
      seenAt: new Date(now()).toISOString(),
      readAt: toServiceTime(api.serviceClock, now()),
      requestId: reply.requestId,
      isPartOfPass: true,
      changes,
    },
    packed === null
      ? [body.buffer as ArrayBuffer]
      : [body.buffer as ArrayBuffer, packed.packed.buffer as ArrayBuffer],
  );
}

/** Whether a first page has fewer records than requested and than the total, although its `per_page` is right. */
const isCut = (asked: number, page: number, { perPage, records, total }: PageOutcome): boolean =>
  page === 1 && (perPage ?? asked) === asked && records > 0 && records < asked && records < (total ?? 0);

function rememberTotal(sync: SyncState, outcome: PageOutcome): void {
  if (outcome.total === null) return;
  if (sync.total !== null && sync.total !== outcome.total) sync.isSteady = false;
  sync.total = outcome.total;
}
