import type { Handlers } from '../../../contract/procedures.ts';
import { DeskError } from '../../lib/errors.ts';
import { isJsonObject, parseJson } from '../store/record/json.ts';
import type { EngineState } from './engine-state.ts';

/** Answers with one whole SSN, which is sent only after the request is audited with the record's ID. */
export function createSsnHandlers(
  state: Pick<EngineState, 'getStore' | 'auditAction'>,
): Handlers<'records:revealSsn'> {
  return {
    'records:revealSsn': async ({ workspaceId, entity, id }) => {
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
    },
  };
}
