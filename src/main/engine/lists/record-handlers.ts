import { setImmediate as afterArrivals } from 'node:timers/promises';
import { copiedWithoutReason } from '../../../contract/export.ts';
import type { EngineProcedureName, Output, ParsedInput } from '../../../contract/procedures.ts';
import type {
  ClaimRecord,
  DependentRecord,
  EmployerRecord,
  MemberRecord,
  TenantRecord,
} from '../../../contract/records.ts';
import { fieldsOf } from '../../../rules/list-fields.ts';
import { digestForClipboard } from '../../lib/clipboard-digest.ts';
import { DeskError } from '../../lib/errors.ts';
import { chooseColumns } from '../export/run-export.ts';
import { writeTsv } from '../export/tsv.ts';
import type { ProceduresOver } from '../ipc/bind-procedures.ts';
import type { EngineState } from '../state/engine-state.ts';
import type { MadeList } from '../store/query/list-operations.ts';
import { listTables } from '../store/query/list-tables.ts';
import { isJsonObject, parseJson, toPlainJson } from '../store/record/json.ts';
import { setOddItemsAside } from '../store/record/odd-items.ts';
import { findUnknownFields } from '../store/record/unknown-fields.ts';
import { countValues, makeList, type OpenLists, readSnapshot } from './open-lists.ts';
import { beginsWith } from './snapshots.ts';

/** The most rows that can be copied; an export of more asks to confirm and writes a file. */
const maxCopied = 10_000;

type Names = Extract<EngineProcedureName, `records:${string}`>;

/** The value of a promise that has already resolved; otherwise null. */
const ifMade = <T>(coming: Promise<T>): Promise<T | null> =>
  Promise.race([coming, afterArrivals().then(() => null)]);

/** The positions of the requested keys, as ranges with both ends. */
function rangesWhere(keys: MadeList['keys'], isWanted: (key: number) => boolean): [number, number][] {
  const ranges: [number, number][] = [];
  for (const [place, key] of keys.entries()) {
    if (!isWanted(key)) continue;
    const last = ranges.at(-1);
    if (last?.[1] === place - 1) last[1] = place;
    else ranges.push([place, place]);
  }
  return ranges;
}

async function readOne(
  { getStore }: Pick<EngineState, 'getStore'>,
  workspaceId: string,
  entity: 'members' | 'dependents' | 'claims',
  key: number,
) {
  const store = await getStore(workspaceId);
  const [text] = await store.read('readRecords', { entity, keys: [key], isSsnShown: false });
  if (text === undefined || text === null) throw new DeskError('record.unknown');
  return toPlainJson(parseJson(text));
}

/**
 * Returns rows of a list as tab-separated text. It is audited first, so that nothing is copied without an entry. Up to
 * `copiedWithoutReason` rows need no reason, unless the policy requires one; more rows need one, as an export of them
 * does.
 */
async function copyRows(
  lists: OpenLists,
  { workspaceId, snapshotId, places, fields, reason }: ParsedInput<'records:copy'>,
): Promise<Output<'records:copy'>> {
  const { state } = lists;
  const { query, shown } = await readSnapshot(lists, workspaceId, snapshotId);
  const { entity } = query;
  const specs = fields.map((path) => {
    const spec = fieldsOf[entity].find((field) => field.path === path);
    if (spec === undefined) throw new DeskError('export.unknownColumn', { details: { column: path } });
    return spec;
  });
  const count = places.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (count > maxCopied) throw new DeskError('copy.tooMany');
  if (count > copiedWithoutReason)
    chooseColumns({ source: { kind: 'list', query: { entity } }, columns: fields, reason });
  const rowKeys = places.flatMap(([first, last]) => Array.from(shown.subarray(first, last + 1)));
  const store = await state.getStore(workspaceId);
  const { rows } = await store.read('readWindow', { entity, keys: rowKeys, fields });
  const presentRows = await state.maskSsns(
    workspaceId,
    rows.filter((row) => row.$isMissing !== true),
  );
  await state.auditAction(workspaceId, 'records.copied', {
    list: entity,
    rows: presentRows.length,
    columns: fields.join(' ').slice(0, 300),
    ...(reason === undefined ? {} : { reason }),
  });
  const text = writeTsv(presentRows, specs);
  // Main removes the text from the clipboard later and needs only its digest.
  await state.main.keepCopied({ digest: digestForClipboard(text) });
  return { text, rows: presentRows.length };
}

/** Reveals one whole SSN, which is sent only after the request is audited with the record's ID. */
async function revealSsn(
  state: Pick<EngineState, 'getStore' | 'auditAction'>,
  { workspaceId, entity, id }: ParsedInput<'records:revealSsn'>,
): Promise<Output<'records:revealSsn'>> {
  const store = await state.getStore(workspaceId);
  const key = entity === 'members' ? id : await store.read('findDependent', { id });
  const [text] =
    key === null ? [null] : await store.read('readRecords', { entity, keys: [key], isSsnShown: true });
  if (text === null || text === undefined) throw new DeskError('record.unknown');
  const record = parseJson(text);
  const ssn = isJsonObject(record) ? record.ssn : null;
  if (typeof ssn !== 'string' || ssn === '') return { ssn: null };
  await state.auditAction(workspaceId, 'ssn.revealed', { list: entity, count: 1, recordId: id });
  return { ssn };
}

/** Answers all procedures that read records. Rows are sent with masked SSNs. */
export const recordHandlers: ProceduresOver<Names, OpenLists> = {
  'records:getSummary': async ({ state }, { workspaceId }) => {
    const store = await state.getStore(workspaceId);
    const { isKept, counts, version } = await store.read('countForKeeping', null);
    // Stored after the answer, for the next start only; if that fails, records are counted again.
    if (!isKept) store.write('keepCounts', { counts, version }).catch(() => undefined);
    return counts;
  },
  'records:open': async (lists, { workspaceId, query }) => {
    const list = makeList(lists, await lists.state.getStore(workspaceId), query);
    const { keys, totals } = await list.made;
    await lists.searches.record(workspaceId, query, async () => keys.length);
    const { entity } = query;
    const snapshotId = lists.snapshots.add({ workspaceId, entity, query, list, first: null });
    return { snapshotId, total: keys.length, totals };
  },
  'records:getTotals': async (lists, { workspaceId, query }) => {
    const { keys, totals } = await makeList(lists, await lists.state.getStore(workspaceId), query).made;
    await lists.searches.record(workspaceId, query, async () => keys.length);
    return { total: keys.length, totals };
  },
  'records:begin': async (lists, { workspaceId, query, limit, fields, isLookup }) => {
    const store = await lists.state.getStore(workspaceId);
    const reading = store.read('readFirst', { query, limit, fields });
    // The thread of whole lists takes 100 ms of processor time to load; the first rows at a start do not wait for it.
    if (!store.hasLister) await reading;
    const list = makeList(lists, store, query);
    const { rows, version, isSimilar } = await reading;
    const first = { version, keys: Float64Array.from(rows, ({ $key }) => Number($key)) };
    const made = await ifMade(list.made);
    // A list that was made after a sync wrote records has other rows.
    const whole = made !== null && beginsWith(made, first) ? made : null;
    await lists.searches.record(workspaceId, query, async () => (await list.made).keys.length, isLookup);
    const snapshotId = lists.snapshots.add({
      workspaceId,
      entity: query.entity,
      query,
      list,
      first: whole === null ? first : null,
    });
    // The gate that the call passed (`engine.ts`) reports whether its facts are outdated.
    const [total, totals] = [whole?.keys.length ?? null, whole?.totals ?? null];
    return { snapshotId, rows, total, totals, isBehind: false, isSimilar };
  },
  'records:readFirst': async (lists, { workspaceId, query, limit, fields, isLookup }) => {
    const store = await lists.state.getStore(workspaceId);
    const { rows } = await store.read('readFirst', { query, limit, fields });
    const countHits = async () => (await makeList(lists, store, query).made).keys.length;
    await lists.searches.record(workspaceId, query, countHits, isLookup);
    return { rows };
  },
  'records:getCount': async ({ snapshots }, { workspaceId, snapshotId }) => {
    const snapshot = snapshots.get(workspaceId, snapshotId);
    const { first } = snapshot;
    const made = await snapshot.list.made;
    const isShown = first === null || beginsWith(made, first);
    return {
      snapshotId: isShown ? snapshotId : snapshots.add({ ...snapshot, first: null }),
      total: made.keys.length,
      totals: made.totals,
    };
  },
  'records:findRanges': async (lists, { workspaceId, snapshotId, places, inSnapshotId }) => {
    const { query, shown } = await readSnapshot(lists, workspaceId, snapshotId);
    const { keys } = await readSnapshot(lists, workspaceId, inSnapshotId);
    if (listTables[query.entity].key !== 'id') return { places: null };
    const selectedKeys = new Set(places.flatMap(([first, last]) => [...shown.subarray(first, last + 1)]));
    return { places: rangesWhere(keys, (key) => selectedKeys.has(key)) };
  },
  'records:getWindow': async ({ state, snapshots }, { workspaceId, snapshotId, offset, limit, fields }) => {
    const { entity, list } = snapshots.get(workspaceId, snapshotId);
    const { keys, version } = await list.made;
    const store = await state.getStore(workspaceId);
    const windowKeys = Array.from(keys.subarray(offset, offset + limit));
    const window = await store.read('readWindow', { entity, keys: windowKeys, fields });
    return { rows: window.rows, isStale: window.version !== version };
  },
  'records:copy': copyRows,
  'records:close': ({ snapshots }, { snapshotId }) => {
    snapshots.remove(snapshotId);
    return { isDone: true };
  },
  'records:group': async (
    { state, searches },
    { workspaceId, query, by, order = 'count', direction, offset = 0, limit = 100 },
  ) => {
    await searches.record(workspaceId, query, null);
    const store = await state.getStore(workspaceId);
    const isDescending = (direction ?? (order === 'value' ? 'asc' : 'desc')) === 'desc';
    return store.list('groupList', { query, by, options: { order, isDescending, offset, limit } });
  },
  'records:listValues': async (lists, request) => {
    const { workspaceId, entity, within } = request;
    if (within !== undefined) await lists.searches.record(workspaceId, { entity, ...within }, null);
    return countValues(lists, request);
  },
  'records:auditOpened': ({ state }, { workspaceId, list, id }) => {
    state.auditOpened(workspaceId, list, id);
    return { isDone: true };
  },
  'records:auditPrinted': async ({ state }, { workspaceId, id }) => {
    await state.auditAction(workspaceId, 'claim.printed', { list: 'claims', recordId: id });
    return { isDone: true };
  },
  'records:getMember': async ({ state }, { workspaceId, id, isLookup }) => {
    const store = await state.getStore(workspaceId);
    const [sent, missing] = await Promise.all([
      readOne(state, workspaceId, 'members', id) as Promise<MemberRecord>,
      store.read('readMissingSince', { kind: 'members', id }),
    ]);
    const { record: member, setAside } = setOddItemsAside('members', sent);
    if (isLookup !== true) state.auditOpened(workspaceId, 'members', id);
    return { member, setAside, unknownFields: findUnknownFields('members', member), missing };
  },
  'records:getDependent': async ({ state }, { workspaceId, id, isLookup }) => {
    const store = await state.getStore(workspaceId);
    const key = await store.read('findDependent', { id });
    if (key === null) throw new DeskError('record.unknown');
    const sent = (await readOne(state, workspaceId, 'dependents', key)) as DependentRecord & {
      member_id: number;
    };
    const { member_id: memberId, ...dependent } = sent;
    const missing = await store.read('readMissingSince', { kind: 'members', id: memberId });
    if (isLookup !== true) state.auditOpened(workspaceId, 'dependents', id);
    return { dependent, memberId, unknownFields: findUnknownFields('dependents', dependent), missing };
  },
  'records:getClaim': async ({ state }, { workspaceId, id, isLookup }) => {
    const sent = (await readOne(state, workspaceId, 'claims', id)) as ClaimRecord;
    const { record: claim, setAside } = setOddItemsAside('claims', sent);
    const store = await state.getStore(workspaceId);
    const policyHolderId = claim.policy_holder?.id;
    const [missing, carrier] = await Promise.all([
      store.read('readMissingSince', { kind: 'claims', id }),
      typeof policyHolderId === 'number' ? store.read('findCarrier', { policyHolderId }) : null,
    ]);
    if (isLookup !== true) state.auditOpened(workspaceId, 'claims', id);
    return { claim, setAside, carrier, unknownFields: findUnknownFields('claims', claim), missing };
  },
  'records:revealSsn': ({ state }, request) => revealSsn(state, request),
  'records:listSetAside': async ({ state }, { workspaceId }) => ({
    items: await (await state.getStore(workspaceId)).read('listSetAside', null),
  }),
  'records:listUnknownFields': async ({ state }, { workspaceId, list }) => ({
    fields: await (await state.getStore(workspaceId)).read('listUnknownFields', { list }),
  }),
  'records:listEmployers': async ({ state }, { workspaceId }) => ({
    employers: await (await state.getStore(workspaceId)).list('listEmployers', null),
  }),
  'records:listTenants': async ({ state }, { workspaceId }) => ({
    tenants: await (await state.getStore(workspaceId)).list('listTenants', null),
  }),
  'records:getEmployer': async ({ state }, { workspaceId, id }) => {
    const stored = await (await state.getStore(workspaceId)).read('readEmployer', { id });
    if (stored === null) throw new DeskError('record.unknown');
    const employer = toPlainJson(parseJson(stored.employer)) as EmployerRecord;
    const tenants = stored.tenants.map((tenant) => ({ id: tenant.id, name: tenant.name }));
    return { employer, tenants, unknownFields: findUnknownFields('employers', employer) };
  },
  'records:getTenant': async ({ state }, { workspaceId, id }) => {
    const stored = await (await state.getStore(workspaceId)).read('readTenant', { id });
    if (stored === null) throw new DeskError('record.unknown');
    const tenant = toPlainJson(parseJson(stored.tenant)) as TenantRecord;
    return { tenant, employers: stored.employers, unknownFields: findUnknownFields('tenants', tenant) };
  },
};
