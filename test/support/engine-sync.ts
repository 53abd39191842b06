import type { SyncProgress, SyncReceipt } from '../../src/contract/sync.ts';
import type { Workspace } from '../../src/contract/workspace.ts';
import { createDataApi } from '../../src/main/engine/service/data-api.ts';
import { createPageSizes } from '../../src/main/engine/service/page-sizes.ts';
import type { HttpRequest } from '../../src/main/engine/service/transport.ts';
import { packPage } from '../../src/main/engine/store/record/prepare-page.ts';
import type { Store } from '../../src/main/engine/store/threads/store.ts';
import { createFailureList, runSync, type SyncEnd } from '../../src/main/engine/sync/run-sync.ts';
import type { DeskError } from '../../src/main/lib/errors.ts';
import { type Answer, createFakeClock, createFakeTransport } from './engine-service.ts';
import { type OpenedStore, openTestStore } from './engine-store.ts';

type Record = { id: number; [key: string]: unknown };

/** A service in memory that pages its lists as the sandbox does; tests can change its replies. */
export interface ListService {
  members: Record[];
  claims: Record[];
  /** The page size that Claimdesk stored for it. */
  pageSize: Workspace['pageSize'];
  /** The largest page it gives. */
  maxPerPage: number;
  /** Called before each reply; what it returns is sent instead. */
  before: ((page: ServedPage, index: number) => Answer | DeskError | undefined) | null;
  /** Changes an envelope before it is sent. */
  changeEnvelope: ((envelope: Envelope, page: ServedPage) => object) | null;
  readonly requests: ServedPage[];
}
export interface ServedPage {
  readonly kind: 'members' | 'claims';
  readonly page: number;
  readonly perPage: number;
  readonly request: HttpRequest;
}
export type Envelope = {
  data: Record[];
  page: number;
  per_page: number;
  pages: number;
  total: number;
  has_next: boolean;
};

export function createListService(changes: Partial<ListService> = {}): ListService {
  return {
    members: [],
    claims: [],
    pageSize: undefined,
    maxPerPage: 1000,
    before: null,
    changeEnvelope: null,
    requests: [],
    ...changes,
  };
}

function answer(service: ListService, request: HttpRequest): Answer | DeskError {
  const kind = request.url.pathname.endsWith('/member') ? 'members' : 'claims';
  const page = Number(request.url.searchParams.get('page'));
  const perPage = Math.min(service.maxPerPage, Number(request.url.searchParams.get('per_page')));
  const served = { kind, page, perPage, request } as const;
  service.requests.push(served);
  const instead = service.before?.(served, service.requests.length);
  if (instead !== undefined) return instead;
  const all = service[kind];
  const pages = Math.ceil(all.length / perPage);
  const envelope: Envelope = {
    data: all.slice((page - 1) * perPage, page * perPage),
    page,
    per_page: perPage,
    pages,
    total: all.length,
    has_next: page < pages,
  };
  return { body: JSON.stringify(service.changeEnvelope?.(envelope, served) ?? envelope) };
}

/** The operations of a real store, run in this thread, to save the seconds that threads take to start. */
export function givenStore(
  { read, write, lists }: Pick<OpenedStore, 'read' | 'write' | 'lists'> = openTestStore(),
): Store {
  const call = async (operations: object, name: string, input: unknown): Promise<never> => {
    const operation = (operations as { [name: string]: (input: unknown) => unknown })[name];
    return structuredClone(operation?.(input)) as never;
  };
  return {
    write: (name, input) => call(write, name, input),
    prepare: async (kind, body, requestId) => packPage({ kind, body, requestId }),
    endPreparing: async () => undefined,
    read: (name, input) => call(read, name, input),
    hasLister: true,
    list: (name, input) => call(lists, name, input),
    close: async () => undefined,
  };
}

export interface SyncOptions {
  readonly signal?: AbortSignal;
  readonly pausing?: AbortSignal;
  readonly syncId?: string;
  readonly clock?: ReturnType<typeof createFakeClock>;
  readonly onProgress?: (progress: SyncProgress) => void;
}

/** The parameters of a sync, a quick refresh or a narrow fetch, with a service in memory. */
export function syncParts(store: Store, service: ListService, options: SyncOptions = {}) {
  const { transport } = createFakeTransport((request) => answer(service, request));
  const clock = options.clock ?? createFakeClock();
  const failures = createFailureList(clock);
  const api = createDataApi({
    baseUrl: 'https://claims.example.com',
    header: 'Authorization',
    scheme: 'SSH-JWT',
    transport,
    clock,
    getToken: async () => 'token',
    sleep: async () => undefined,
    onRetry: (error) => failures.add(error),
  });
  return {
    store,
    api,
    clock,
    pageSizes: createPageSizes({
      kept: service.pageSize,
      nowMs: clock.now(),
      keep: async (perPage) => {
        const learnedAt = new Date(clock.now()).toISOString();
        service.pageSize = perPage === null ? undefined : { perPage, learnedAt };
      },
    }),
    failures,
    syncId: options.syncId ?? 'run-1',
    signal: options.signal ?? new AbortController().signal,
  };
}

/** One run of the real engine parts against a service in memory, paused or ended. */
export async function runOnce(
  store: Store,
  service: ListService,
  options: SyncOptions = {},
): Promise<SyncEnd> {
  return runSync({
    workspaceId: 'w',
    ...syncParts(store, service, options),
    ...(options.pausing === undefined ? {} : { pausing: options.pausing }),
    onProgress: options.onProgress ?? (() => undefined),
    onChanged: () => undefined,
  });
}

/** One run that must complete. */
export async function syncOnce(
  store: Store,
  service: ListService,
  options: SyncOptions = {},
): Promise<{ receipt: SyncReceipt; error: DeskError | null }> {
  const end = await runOnce(store, service, options);
  if (end.receipt === null) throw new Error('it was paused');
  return end;
}

export const records = (from: number, count: number, more: object = {}): Record[] =>
  Array.from({ length: count }, (_none, index) => ({
    id: from + index,
    remarks: `r${from + index}`,
    ...more,
  }));

/** The records of a list in the store, by ID. */
export async function readAll(store: Store, entity: 'members' | 'claims'): Promise<Record[]> {
  const keys = Array.from(await store.read('listKeys', { entity, includesArchived: true }));
  const texts = await store.read('readRecords', { entity, keys, isSsnShown: true });
  return texts.map((text) => JSON.parse(text ?? 'null') as Record);
}
