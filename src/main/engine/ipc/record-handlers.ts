import { setImmediate as afterArrivals } from 'node:timers/promises';
import { fieldsOf } from '../../../contract/fields.ts';
import type { Handlers, Output } from '../../../contract/procedures.ts';
import type { ListQuery } from '../../../contract/query.ts';
import type { ClaimRecord, DependentRecord, MemberRecord } from '../../../contract/records.ts';
import { digestForClipboard } from '../../lib/clipboard-digest.ts';
import { DeskError } from '../../lib/errors.ts';
import { writeTsv } from '../export/tsv.ts';
import type { MadeList } from '../store/query/list-operations.ts';
import { parseJson, toPlainJson } from '../store/record/json.ts';
import { setOddItemsAside } from '../store/record/odd-items.ts';
import { findUnknownFields } from '../store/record/unknown-fields.ts';
import type { Store } from '../store/threads/store.ts';
import type { EngineState } from './engine-state.ts';
import { createListQueue, type ListQueue, type QueuedList } from './list-queue.ts';
import type { createSearchAudit } from './search-audit.ts';
import { createSnapshots } from './snapshots.ts';

/** More rows need an export, which asks for confirmation and writes a file. */
const maxCopied = 10_000;

type Names =
  | 'records:getSummary'
  | 'records:open'
  | 'records:begin'
  | 'records:getCount'
  | 'records:getWindow'
  | 'records:copy'
  | 'records:close'
  | 'records:group'
  | 'records:listValues'
  | 'records:noteOpened'
  | 'records:notePrinted'
  | 'records:getMember'
  | 'records:getDependent'
  | 'records:getClaim'
  | 'records:listSetAside'
  | 'records:listUnknownFields';

/** What has arrived by now, if anything. */
const ifMade = <T>(coming: Promise<T>): Promise<T | null> =>
  Promise.race([coming, afterArrivals().then(() => null)]);

/** All procedures that read records. Rows are sent with masked SSNs. */
export function createRecordHandlers(state: EngineState, searches: ReturnType<typeof createSearchAudit>) {
  const snapshots = createSnapshots();
  /** Lists whose SSNs were revealed; audited once a list. */
  const revealed = new Set<string>();
  /** Lists that were given out with a reason; audited once a list. */
  const explained = new Set<string>();

  const queues = new WeakMap<Store, ListQueue>();
  /** Values of columns are counted one after the other; the last call for each column that is not answered yet. */
  const countQueue = createListQueue();
  const counting = new Map<string, { wanted: string; values: QueuedList<Output<'records:listValues'>> }>();

  const makeList = (store: Store, query: ListQuery): QueuedList<MadeList> => {
    const queue = queues.get(store) ?? createListQueue();
    queues.set(store, queue);
    return queue.add(() => store.list('makeList', query));
  };

  const readOne = async (workspaceId: string, entity: 'members' | 'dependents' | 'claims', key: number) => {
    const store = await state.getStore(workspaceId);
    const [text] = await store.read('readRecords', { entity, keys: [key], isSsnShown: false });
    if (text === undefined || text === null) throw new DeskError('record.unknown');
    return toPlainJson(parseJson(text));
  };

  const handlers: Handlers<Names> = {
    'records:getSummary': async ({ workspaceId }) => {
      const store = await state.getStore(workspaceId);
      const { isKept, counts, version } = await store.read('countForKeeping', null);
      // Behind the answer, and only for the next start: without it they are counted again.
      if (!isKept) store.write('keepCounts', { counts, version }).catch(() => undefined);
      return counts;
    },
    'records:open': async ({ workspaceId, query }) => {
      const list = makeList(await state.getStore(workspaceId), query);
      const { keys, totals } = await list.made;
      await searches.record(workspaceId, query, async () => keys.length);
      const snapshotId = snapshots.add({
        workspaceId,
        entity: query.entity,
        query,
        list,
        firstVersion: null,
      });
      return { snapshotId, total: keys.length, totals };
    },
    'records:begin': async ({ workspaceId, query, limit, fields, isLookup }) => {
      const store = await state.getStore(workspaceId);
      const list = makeList(store, query);
      const { rows, version } = await store.read('readFirst', { query, limit, fields });
      const made = await ifMade(list.made);
      // A list that a sync wrote in between of has other rows.
      const whole = made?.version === version ? made : null;
      await searches.record(workspaceId, query, async () => (await list.made).keys.length, isLookup);
      const firstVersion = whole === null ? version : null;
      const snapshotId = snapshots.add({ workspaceId, entity: query.entity, query, list, firstVersion });
      return { snapshotId, rows, total: whole?.keys.length ?? null, totals: whole?.totals ?? null };
    },
    'records:getCount': async ({ workspaceId, snapshotId }) => {
      const { list, firstVersion } = snapshots.get(workspaceId, snapshotId);
      const { keys, totals, version } = await list.made;
      return { total: keys.length, totals, isOutdated: firstVersion !== null && firstVersion !== version };
    },
    'records:getWindow': async ({ workspaceId, snapshotId, offset, limit, fields }) => {
      const { entity, list } = snapshots.get(workspaceId, snapshotId);
      const { keys, version } = await list.made;
      const store = await state.getStore(workspaceId);
      const wanted = Array.from(keys.subarray(offset, offset + limit));
      const window = await store.read('readWindow', { entity, keys: wanted, fields });
      return { rows: window.rows, isStale: window.version !== version };
    },
    'records:copy': async ({ workspaceId, snapshotId, places, fields }) => {
      const { entity, list } = snapshots.get(workspaceId, snapshotId);
      const { keys } = await list.made;
      const specs = fields.map((path) => {
        const spec = fieldsOf[entity].find((known) => known.path === path);
        if (spec === undefined) throw new DeskError('export.unknownColumn', { details: { column: path } });
        return spec;
      });
      if (places.reduce((count, [first, last]) => count + last - first + 1, 0) > maxCopied)
        throw new DeskError('copy.tooMany');
      const wanted = places.flatMap(([first, last]) => Array.from(keys.subarray(first, last + 1)));
      const store = await state.getStore(workspaceId);
      const { rows } = await store.read('readWindow', { entity, keys: wanted, fields });
      const there = rows.filter((row) => row.$isMissing !== true);
      // Audited first: nothing is copied without an entry.
      await state.auditAction(workspaceId, 'records.copied', {
        list: entity,
        rows: there.length,
        columns: fields.join(' ').slice(0, 300),
      });
      const text = writeTsv(there, specs);
      // Main takes it off the clipboard again, without the text itself.
      await state.host.noteCopied({ digest: digestForClipboard(text) });
      return { text, rows: there.length };
    },
    'records:close': ({ snapshotId }) => {
      snapshots.remove(snapshotId);
      return { isDone: true };
    },
    'records:group': async ({ workspaceId, query, by, order, direction, offset, limit }) => {
      await searches.record(workspaceId, query, null);
      const store = await state.getStore(workspaceId);
      const isByValue = (order ?? 'count') === 'value';
      return store.list('groupList', {
        query,
        by,
        options: {
          order: order ?? 'count',
          isDescending: (direction ?? (isByValue ? 'asc' : 'desc')) === 'desc',
          offset: offset ?? 0,
          limit: limit ?? 100,
        },
      });
    },
    'records:listValues': async ({ workspaceId, entity, field, search, within, order, limit }) => {
      if (within !== undefined) await searches.record(workspaceId, { entity, ...within }, null);
      const store = await state.getStore(workspaceId);
      const column = `${workspaceId} ${entity} ${field}`;
      const wanted = JSON.stringify({ search, within, order, limit });
      const earlier = counting.get(column);
      // The same again, of a window that was reloaded or of another one, ends nothing: its answer is kept.
      if (earlier?.wanted !== wanted) earlier?.values.drop();
      const values = countQueue.add(() =>
        store.list('listValues', {
          entity,
          field,
          search: search ?? '',
          limit: limit ?? 100,
          order: order ?? 'value',
          within,
        }),
      );
      const last = { wanted, values };
      counting.set(column, last);
      try {
        return await values.made;
      } finally {
        if (counting.get(column) === last) counting.delete(column);
      }
    },
    'records:noteOpened': ({ workspaceId, list, id }) => {
      state.auditOpened(workspaceId, list, id);
      return { isDone: true };
    },
    'records:notePrinted': async ({ workspaceId, id }) => {
      await state.auditAction(workspaceId, 'claim.printed', { list: 'claims', recordId: id });
      return { isDone: true };
    },
    'records:getMember': async ({ workspaceId, id, isLookup }): Promise<Output<'records:getMember'>> => {
      const store = await state.getStore(workspaceId);
      const [sent, missing] = await Promise.all([
        readOne(workspaceId, 'members', id) as Promise<MemberRecord>,
        store.read('readMissingMark', { kind: 'members', id }),
      ]);
      const { record: member, setAside } = setOddItemsAside('members', sent);
      if (isLookup !== true) state.auditOpened(workspaceId, 'members', id);
      return { member, setAside, unknownFields: findUnknownFields('members', member), missing };
    },
    'records:getDependent': async ({ workspaceId, id, isLookup }) => {
      const store = await state.getStore(workspaceId);
      const key = await store.read('findDependent', { id });
      if (key === null) throw new DeskError('record.unknown');
      const { member_id: memberId, ...dependent } = (await readOne(
        workspaceId,
        'dependents',
        key,
      )) as DependentRecord & {
        member_id: number;
      };
      const missing = await store.read('readMissingMark', { kind: 'members', id: memberId });
      if (isLookup !== true) state.auditOpened(workspaceId, 'dependents', id);
      return { dependent, memberId, unknownFields: findUnknownFields('dependents', dependent), missing };
    },
    'records:getClaim': async ({ workspaceId, id, isLookup }): Promise<Output<'records:getClaim'>> => {
      const sent = (await readOne(workspaceId, 'claims', id)) as ClaimRecord;
      const { record: claim, setAside } = setOddItemsAside('claims', sent);
      const store = await state.getStore(workspaceId);
      const policyHolderId = claim.policy_holder?.id;
      const [missing, carrier] = await Promise.all([
        store.read('readMissingMark', { kind: 'claims', id }),
        typeof policyHolderId === 'number' ? store.read('findCarrier', { policyHolderId }) : null,
      ]);
      if (isLookup !== true) state.auditOpened(workspaceId, 'claims', id);
      return { claim, setAside, carrier, unknownFields: findUnknownFields('claims', claim), missing };
    },
    'records:listSetAside': async ({ workspaceId }) => ({
      items: await (await state.getStore(workspaceId)).read('listSetAside', null),
    }),
    'records:listUnknownFields': async ({ workspaceId, list }) => ({
      fields: await (await state.getStore(workspaceId)).read('listUnknownFields', { list }),
    }),
  };

  /** Writes down, once a list, what its records are printed for. @throws DeskError `snapshot.expired` */
  async function explainList(wanted: {
    workspaceId: string;
    snapshotId: string;
    isSsnShown: boolean;
    reason: string;
  }): Promise<void> {
    const { workspaceId, snapshotId, isSsnShown, reason } = wanted;
    const { entity } = snapshots.get(workspaceId, snapshotId);
    if (reason === '' || explained.has(snapshotId)) return;
    await state.auditAction(workspaceId, 'export.begun', {
      list: entity,
      format: 'json',
      isSsnShown,
      reason,
    });
    explained.add(snapshotId);
  }

  return {
    handlers,
    /** The keys of an open list in order, and what it was asked for. @throws DeskError `snapshot.expired` */
    async readSnapshot(workspaceId: string, snapshotId: string) {
      const { query, list } = snapshots.get(workspaceId, snapshotId);
      return { query, keys: (await list.made).keys };
    },
    explainList,
    async readRecordTexts(wanted: {
      workspaceId: string;
      snapshotId: string;
      offset: number;
      limit: number;
      isSsnShown: boolean;
      reason: string;
    }): Promise<string[]> {
      const { entity, list } = snapshots.get(wanted.workspaceId, wanted.snapshotId);
      const { keys } = await list.made;
      await explainList(wanted);
      if (
        wanted.isSsnShown &&
        !revealed.has(wanted.snapshotId) &&
        (entity === 'members' || entity === 'dependents')
      ) {
        await state.auditAction(wanted.workspaceId, 'ssn.revealed', { list: entity, count: keys.length });
        revealed.add(wanted.snapshotId);
      }
      const store = await state.getStore(wanted.workspaceId);
      const texts = await store.read('readRecords', {
        entity,
        keys: Array.from(keys.subarray(wanted.offset, wanted.offset + wanted.limit)),
        isSsnShown: wanted.isSsnShown,
      });
      return texts.filter((text) => text !== null);
    },
  };
}
