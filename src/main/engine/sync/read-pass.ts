import { DeskError } from '../../lib/errors.ts';
import type { DataApi, PageReply } from '../service/data-api.ts';
import type { PageOutcome } from '../store/ingest.ts';
import type { Store } from '../store/store.ts';
import type { RunState } from '../store/sync-state.ts';
import { isLastPage } from './pass-rules.ts';

export interface PassContext {
  readonly store: Store;
  readonly api: DataApi;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** After each page that was written. */
  readonly onPage: (run: RunState, outcome: PageOutcome) => void;
}

/** Pages asked for ahead of the one being written. */
const pagesAhead = 2;
/** Pages without anything new before a list counts as one without end. */
const mostStalePages = 3;
const mostBadPages = 3;

/**
 * Reads a list once from where the run stands to its end. Rows and position are written together, so a
 * run that is killed goes on with the page that was in flight.
 *
 * @throws DeskError `sync.endless`, `service.*`, `sync.canceled`, `disk.full`
 */
export async function readPass(run: RunState, context: PassContext): Promise<void> {
  const { store, api, signal } = context;
  const ahead = new Map<number, Promise<PageReply>>();
  let pages: number | null = null;
  let stale = 0;
  let badPages = 0;

  const fetchPage = (page: number): Promise<PageReply> =>
    run.kind === 'members'
      ? api.readMemberPage(page, run.perPage, signal)
      : api.readClaimPage(page, run.perPage, signal);
  const take = (page: number): Promise<PageReply> => {
    for (let next = page; next <= page + (pages === null ? 0 : pagesAhead); next += 1) {
      if (ahead.has(next) || (next > page && pages !== null && next > pages)) continue;
      const reply = fetchPage(next);
      reply.catch(() => undefined);
      ahead.set(next, reply);
    }
    const taken = ahead.get(page) as Promise<PageReply>;
    ahead.delete(page);
    return taken;
  };

  for (;;) {
    if (signal.aborted) throw new DeskError('sync.canceled');
    const page = run.nextPage;
    const reply = await take(page);
    let outcome: PageOutcome;
    try {
      outcome = await store.write(
        'ingestPage',
        {
          kind: run.kind,
          body: reply.body,
          pass: run.pass,
          page,
          seenAt: new Date(context.now()).toISOString(),
          requestId: reply.requestId,
          isPartOfPass: true,
        },
        [reply.body.buffer],
      );
    } catch (thrown) {
      // A page cut short parses on another try, or the service really is broken.
      badPages += 1;
      if (!(thrown instanceof DeskError && thrown.code === 'service.badReply') || badPages >= mostBadPages)
        throw thrown;
      run.failedRequests += 1;
      continue;
    }

    run.nextPage = page + 1;
    run.pages += 1;
    noteTotal(run, outcome);
    stale = outcome.records > 0 && outcome.fresh === 0 ? stale + 1 : 0;
    context.onPage(run, outcome);

    if (outcome.perPage !== null && outcome.perPage > 0 && outcome.perPage !== run.perPage) {
      run.perPage = outcome.perPage;
      ahead.clear();
      // Offsets of another page size mean other rows: from the second page on the pass begins anew.
      if (page > 1) run.nextPage = 1;
      await store.write(page > 1 ? 'beginPass' : 'writeRun', run);
      pages = null;
      if (page > 1) continue;
    }
    pages = outcome.pages ?? (outcome.total === null ? null : Math.ceil(outcome.total / run.perPage));
    if (isLastPage({ page, records: outcome.records, perPage: run.perPage, pages, hasNext: outcome.hasNext }))
      return;
    if (stale >= mostStalePages) {
      throw new DeskError('sync.endless', { requestId: reply.requestId ?? undefined, details: { page } });
    }
  }
}

function noteTotal(run: RunState, outcome: PageOutcome): void {
  if (outcome.total === null) return;
  if (run.total !== null && run.total !== outcome.total) run.isSteady = false;
  run.total = outcome.total;
}
