import type { EngineHandlers } from '../../../contract/procedures.ts';
import { DeskError } from '../../lib/errors.ts';
import type { Store } from '../store/threads/store.ts';
import type { Worklists } from './worklists.ts';

/** Answers the procedures about families in their plan years. */
export function createAccumulatorHandlers(
  { getStore }: { getStore(workspaceId: string): Promise<Store> },
  { rulesOf }: Pick<Worklists, 'rulesOf'>,
) {
  const readRules = async (workspaceId: string) => {
    const { service, settings, today } = await rulesOf(workspaceId);
    return { today, rules: { service, settings } };
  };

  return {
    /** @throws DeskError `record.unknown` */
    'accumulators:family': async ({ workspaceId, memberId, planYear = null, claimId = null }) => {
      const store = await getStore(workspaceId);
      const family = await store.read('readFamily', {
        memberId,
        planYear,
        claimId,
        ...(await readRules(workspaceId)),
      });
      if (family === null) throw new DeskError('record.unknown');
      return family;
    },
    'accumulators:try': async ({ workspaceId, employerId, rules: tried }) => {
      const { rules } = await readRules(workspaceId);
      return (await getStore(workspaceId)).read('tryPlanRules', { employerId, tried, rules });
    },
  } satisfies EngineHandlers;
}
