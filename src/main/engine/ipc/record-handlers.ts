import type { Handlers, Output } from '../../../contract/procedures.ts';
import type { ClaimRecord, DependentRecord, MemberRecord } from '../../../contract/records.ts';
import { DeskError } from '../../lib/errors.ts';
import { parseJson, toPlainJson } from '../store/json.ts';
import { findUnknownFields } from '../store/unknown-fields.ts';
import type { EngineState } from './engine-state.ts';
import { createSnapshots } from './snapshots.ts';

type Names =
  | 'records:getSummary'
  | 'records:open'
  | 'records:getWindow'
  | 'records:close'
  | 'records:getMember'
  | 'records:getDependent'
  | 'records:getClaim'
  | 'records:listSetAside';

/** Answers everything that reads records. Rows leave with masked SSNs. */
export function createRecordHandlers(state: EngineState) {
  const snapshots = createSnapshots();
  /** Lists whose SSNs were asked for; written down once a list. */
  const revealed = new Set<string>();

  const readOne = async (workspaceId: string, entity: 'members' | 'dependents' | 'claims', key: number) => {
    const store = await state.getStore(workspaceId);
    const [text] = await store.read('readRecords', { entity, keys: [key], isSsnShown: false });
    if (text === undefined || text === null) throw new DeskError('record.unknown');
    return toPlainJson(parseJson(text));
  };

  const handlers: Handlers<Names> = {
    'records:getSummary': async ({ workspaceId }) =>
      (await state.getStore(workspaceId)).read('countRecords', null),
    'records:open': async ({ workspaceId, query }) => {
      const store = await state.getStore(workspaceId);
      const hasAmounts = query.entity === 'claims' || query.entity === 'lines';
      const [keys, totals] = await Promise.all([
        store.read('listKeys', query),
        hasAmounts ? store.read('readTotals', query) : null,
      ]);
      const snapshotId = snapshots.add({ workspaceId, entity: query.entity, keys });
      return { snapshotId, total: keys.length, totals };
    },
    'records:getWindow': async ({ workspaceId, snapshotId, offset, limit, fields }) => {
      const { entity, keys } = snapshots.get(workspaceId, snapshotId);
      const store = await state.getStore(workspaceId);
      const wanted = Array.from(keys.subarray(offset, offset + limit));
      return { rows: await store.read('readRows', { entity, keys: wanted, fields }) };
    },
    'records:close': ({ snapshotId }) => {
      snapshots.remove(snapshotId);
      return { isDone: true };
    },
    'records:getMember': async ({ workspaceId, id }): Promise<Output<'records:getMember'>> => {
      const store = await state.getStore(workspaceId);
      const [member, claims, gone] = await Promise.all([
        readOne(workspaceId, 'members', id) as Promise<MemberRecord>,
        store.read('readTotals', {
          entity: 'claims',
          conditions: [{ field: 'members.id', operator: 'is', values: [id] }],
        }),
        store.read('readGoneMark', { kind: 'members', id }),
      ]);
      return { member, claims, unknownFields: findUnknownFields('members', member), gone };
    },
    'records:getDependent': async ({ workspaceId, id }) => {
      const store = await state.getStore(workspaceId);
      const key = await store.read('findKey', { entity: 'dependents', id });
      if (key === null) throw new DeskError('record.unknown');
      const { member_id: memberId, ...dependent } = (await readOne(
        workspaceId,
        'dependents',
        key,
      )) as DependentRecord & {
        member_id: number;
      };
      return { dependent, memberId };
    },
    'records:getClaim': async ({ workspaceId, id }): Promise<Output<'records:getClaim'>> => {
      const claim = (await readOne(workspaceId, 'claims', id)) as ClaimRecord;
      const gone = await (await state.getStore(workspaceId)).read('readGoneMark', { kind: 'claims', id });
      return { claim, unknownFields: findUnknownFields('claims', claim), gone };
    },
    'records:listSetAside': async ({ workspaceId }) => ({
      items: await (await state.getStore(workspaceId)).read('listSetAside', null),
    }),
  };

  return {
    handlers,
    async readRecordTexts(wanted: {
      workspaceId: string;
      snapshotId: string;
      offset: number;
      limit: number;
      isSsnShown: boolean;
    }): Promise<string[]> {
      const { entity, keys } = snapshots.get(wanted.workspaceId, wanted.snapshotId);
      if (
        wanted.isSsnShown &&
        !revealed.has(wanted.snapshotId) &&
        (entity === 'members' || entity === 'dependents')
      ) {
        await state.noteDone(wanted.workspaceId, 'ssn.revealed', { list: entity, count: keys.length });
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
