import type { Output, ParsedInput } from '../../../contract/procedures.ts';
import type { ListQuery } from '../../../rules/query.ts';
import { createSerialQueue, queueOf, type SerialQueue } from '../../lib/serial-queue.ts';
import type { EngineState } from '../state/engine-state.ts';
import type { MadeList } from '../store/query/list-operations.ts';
import type { Store } from '../store/threads/store.ts';
import { type QueuedList, queueList } from './list-queue.ts';
import type { SearchAudit } from './search-audit.ts';
import { createSnapshots, readShownKeys } from './snapshots.ts';

/** The context of the procedures about records: the open lists. */
export interface OpenLists {
  readonly state: EngineState;
  readonly searches: SearchAudit;
  readonly snapshots: ReturnType<typeof createSnapshots>;
  /** Lists whose SSNs were revealed: audited once per list. */
  readonly revealed: Set<string>;
  readonly queues: WeakMap<Store, SerialQueue>;
  /** Counts the values of columns one after another. */
  readonly countQueue: SerialQueue;
  /** The last count of each column that was not answered yet. */
  readonly counting: Map<string, { wanted: string; values: QueuedList<Output<'records:listValues'>> }>;
}

export const createOpenLists = (state: EngineState, searches: SearchAudit): OpenLists => ({
  state,
  searches,
  snapshots: createSnapshots(),
  revealed: new Set(),
  queues: new WeakMap(),
  countQueue: createSerialQueue(),
  counting: new Map(),
});

export const makeList = ({ queues }: OpenLists, store: Store, query: ListQuery): QueuedList<MadeList> =>
  queueList(queueOf(queues, store), () => store.list('makeList', query));

export async function countValues(
  { state, countQueue, counting }: OpenLists,
  { workspaceId, entity, field, search, within, order, limit }: ParsedInput<'records:listValues'>,
): Promise<Output<'records:listValues'>> {
  const store = await state.getStore(workspaceId);
  const column = `${workspaceId} ${entity} ${field}`;
  const queryText = JSON.stringify({ search, within, order, limit });
  const earlier = counting.get(column);
  // An equal request, from a reloaded window or another one, does not drop the count: it gets the same answer.
  if (earlier?.wanted !== queryText) earlier?.values.drop();
  const options = {
    entity,
    field,
    search: search ?? '',
    limit: limit ?? 100,
    order: order ?? 'value',
    within,
  };
  const values = queueList(countQueue, () => store.list('listValues', options));
  const last = { wanted: queryText, values };
  counting.set(column, last);
  try {
    return await values.made;
  } finally {
    if (counting.get(column) === last) counting.delete(column);
  }
}

/**
 * The keys of an open list in order, the keys to which its positions refer, and its query.
 * @throws DeskError `snapshot.expired`
 */
export async function readSnapshot({ snapshots }: OpenLists, workspaceId: string, snapshotId: string) {
  const snapshot = snapshots.get(workspaceId, snapshotId);
  const { keys } = await snapshot.list.made;
  return { query: snapshot.query, keys, shown: await readShownKeys(snapshot) };
}

/** Whole records of an open list as JSON text. @throws DeskError `snapshot.expired` */
export async function readRecordTexts(
  lists: OpenLists,
  request: { workspaceId: string; snapshotId: string; offset: number; limit: number; isSsnShown: boolean },
): Promise<string[]> {
  const { state, snapshots, revealed } = lists;
  const { workspaceId, snapshotId, offset, limit, isSsnShown } = request;
  const { entity, list } = snapshots.get(workspaceId, snapshotId);
  const { keys } = await list.made;
  if (isSsnShown && !revealed.has(snapshotId)) {
    await state.auditAction(workspaceId, 'ssn.revealed', { list: entity, count: keys.length });
    revealed.add(snapshotId);
  }
  const store = await state.getStore(workspaceId);
  const some = Array.from(keys.subarray(offset, offset + limit));
  const texts = isSsnShown
    ? await store.read('readRecords', { entity, keys: some, isSsnShown })
    : await store.read('readMaskedRecords', { entity, keys: some });
  return texts.filter((text) => text !== null);
}
