import type { Handlers } from '../../../contract/procedures.ts';
import { DeskError } from '../../lib/errors.ts';
import { isJsonObject, parseJson } from '../store/record/json.ts';
import type { EngineState } from './engine-state.ts';

/** Answers with one whole SSN, which leaves only once it is written down whose was asked for. */
export function createSsnHandlers(
  state: Pick<EngineState, 'getStore' | 'noteDone'>,
): Handlers<'records:revealSsn'> {
  return {
    'records:revealSsn': async ({ workspaceId, entity, id }) => {
      const store = await state.getStore(workspaceId);
      const key = entity === 'members' ? id : await store.read('findKey', { entity, id });
      const [text] =
        key === null ? [null] : await store.read('readRecords', { entity, keys: [key], isSsnShown: true });
      if (text === null || text === undefined) throw new DeskError('record.unknown');
      const record = parseJson(text);
      const ssn = isJsonObject(record) ? record.ssn : null;
      if (typeof ssn !== 'string' || ssn === '') return { ssn: null };
      await state.noteDone(workspaceId, 'ssn.revealed', { list: entity, count: 1, recordId: id });
      return { ssn };
    },
  };
}
