import { DeskError } from '../../lib/errors.ts';
import type { DataApi, PageReply } from '../service/data-api.ts';
import type { PackedPage } from '../store/record/prepare-page.ts';
import type { ChangeSource } from '../store/sync/change-log.ts';
import type { PageOutcome } from '../store/sync/page-types.ts';
import type { RunState } from '../store/sync/sync-state.ts';
import type { Store } from '../store/threads/store.ts';
import { isLastPage, listKinds } from './pass-rules.ts';

/** A page that has arrived. In a first read it is prepared at once, while the one before is written. */
interface Arrived extends PageReply {
  readonly packed: Promise<PackedPage> | null;
}

export interface PassContext {
  readonly store: Store;
  readonly api: DataApi;
  readonly changes: ChangeSource;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Called for a page whose body was broken, although the reply was good. */
  readonly onBadPage: (error: DeskError) => void;
  /** Called after each page that was written. */
  readonly onPage: (run: RunState, outcome: PageOutcome) => void;
}

/** Pages without anything new after which a list counts as endless. */
const maxStalePages = 3;
/** Attempts for a page whose body is broken. */
const maxBadPages = 3;
/** Rows beyond twice the first reported total after which a list counts as endless. */
const maxSurplusRows = 20_000;
/** How often a pass begins again before its inconsistent pages are left to the proof. */
const maxRestarts = 3;

/**
 * Reads a list once from the position of the run to its end. Rows and position are written together, so a run that is
 * killed continues with the page that it was reading.
 *
 * @throws DeskError `sync.endless`, `service.*`, `sync.canceled`, `disk.full`
 */
export async function readPass(run: RunState, context: PassContext): Promise<void> {
  // Requests sent ahead end with the pass; otherwise they would be retried.
  const ending = new AbortController();
  try {
    await readPages(run, { ...context, signal: AbortSignal.any([context.signal, ending.signal]) });
  } finally {
    ending.abort();
    // Not between the lists: a new thread would first have to learn to be fast, 2 s of processor time.
    if (isPrepared(run) && run.kind === listKinds.at(-1)) await context.store.endPreparing();
  }
}

/** Later reads mostly receive the same bytes again, which need not be prepared. */
const isPrepared = ({ isFirst, pass }: RunState): boolean => isFirst && pass === 1;

async function readPages(run: RunState, context: PassContext): Promise<void> {
  const { store, api, signal } = context;
  const ahead = new Map<number, Promise<Arrived>>();
  let pages: number | null = null;
  let stale = 0;
  let badPages = 0;
  let restarts = 0;
  let rows = 0;
  let maxRows: number | null = null;
  const wasResumed = run.nextPage > 1;

  const fetchPage = async (page: number): Promise<Arrived> => {
    const reply =
      run.kind === 'members'
        ? await api.readMemberPage(page, run.perPage, signal)
        : await api.readClaimPage(page, run.perPage, signal);
    const packed = isPrepared(run) ? store.prepare(run.kind, reply.body, reply.requestId) : null;
    packed?.catch(() => undefined);
    return { ...reply, packed };
  };
  const restart = async (): Promise<void> => {
    restarts += 1;
    ahead.clear();
    pages = null;
    stale = 0;
    rows = 0;
    const passStartedAt = new Date(context.now()).toISOString();
    Object.assign(run, { nextPage: 1, total: null, isSteady: true, passStartedAt });
    await store.write('beginPass', run);
  };
  /** Null where there is no such page: a list that shrank, or a service that answers so after the last one. */
  const take = async (page: number): Promise<Arrived | null> => {
    // As many as the service handles well; they wait in order until they are written.
    const last = pages === null ? page : page + api.requestsAtOnce - 1;
    for (let next = page; next <= Math.max(page, last); next += 1) {
      if (ahead.has(next) || (next > page && pages !== null && next > pages)) continue;
      const reply = fetchPage(next);
      reply.catch(() => undefined);
      ahead.set(next, reply);
    }
    const taken = ahead.get(page) as Promise<Arrived>;
    ahead.delete(page);
    try {
      return await taken;
    } catch (thrown) {
      if (page > 1 && thrown instanceof DeskError && thrown.code === 'service.notFound') return null;
      throw thrown;
    }
  };

  for (;;) {
    if (signal.aborted) throw new DeskError('sync.canceled');
    const page = run.nextPage;
    const reply = await take(page);
    if (reply === null) return;
    let outcome: PageOutcome;
    try {
      const packed = await reply.packed;
      const body = packed?.body ?? reply.body;
      outcome = await store.write(
        'ingestPage',
        {
          kind: run.kind,
          body,
          ...(packed === null ? {} : { packed: packed.packed }),
          pass: run.pass,
          page,
          seenAt: new Date(context.now()).toISOString(),
          requestId: reply.requestId,
          isPartOfPass: true,
          changes: context.changes,
        },
        packed === null
          ? [body.buffer as ArrayBuffer]
          : [body.buffer as ArrayBuffer, packed.packed.buffer as ArrayBuffer],
      );
    } catch (thrown) {
      // A truncated page parses at another attempt, or the service really is broken.
      badPages += 1;
      if (!(thrown instanceof DeskError && thrown.code === 'service.badReply') || badPages >= maxBadPages)
        throw thrown;
      context.onBadPage(thrown);
      continue;
    }

    badPages = 0;
    run.nextPage = page + 1;
    run.pages += 1;
    rememberTotal(run, outcome);
    stale = outcome.records > 0 && outcome.fresh === 0 ? stale + 1 : 0;
    rows += outcome.records;
    if (outcome.total !== null) maxRows ??= 2 * outcome.total + maxSurplusRows;
    context.onPage(run, outcome);

    if (outcome.perPage !== null && outcome.perPage > 0 && outcome.perPage !== run.perPage) {
      if (page === 1) {
        run.perPage = outcome.perPage;
        ahead.clear();
        await store.write('writeRun', run);
      } else if (restarts < maxRestarts) {
        // Offsets of another page size mean other rows: the pass begins again.
        run.perPage = outcome.perPage;
        await restart();
        continue;
      }
    }
    pages = outcome.pages ?? (outcome.total === null ? null : Math.ceil(outcome.total / run.perPage));
    if (isLastPage({ page, records: outcome.records, perPage: run.perPage, pages, hasNext: outcome.hasNext }))
      return;
    if (stale >= maxStalePages) {
      // The same happens where many rows were inserted in front while an interrupted pass waited.
      if (wasResumed && restarts === 0) {
        await restart();
        continue;
      }
      throw new DeskError('sync.endless', { requestId: reply.requestId ?? undefined, details: { page } });
    }
    if (maxRows !== null && rows > maxRows) {
      throw new DeskError('sync.endless', { requestId: reply.requestId ?? undefined, details: { page } });
    }
  }
}

function rememberTotal(run: RunState, outcome: PageOutcome): void {
  if (outcome.total === null) return;
  if (run.total !== null && run.total !== outcome.total) run.isSteady = false;
  run.total = outcome.total;
}
