import type { Input, Output } from '../../../contract/procedures.ts';
import { DeskError } from '../../lib/errors.ts';
import type { Store } from '../store/threads/store.ts';
import type { Worklists } from './worklists.ts';

/** Answers where families stand in their plan years. */
export function createAccumulators(
  { getStore }: { getStore(workspaceId: string): Promise<Store> },
  { update, updateSoon, rulesOf }: Worklists,
) {
  const readRules = async (workspaceId: string) => {
    const { service, settings, today } = await rulesOf(workspaceId);
    return { today, rules: { service, settings } };
  };

  return {
    /** @throws DeskError `record.unknown` */
    async readFamily(wanted: Input<'accumulators:family'>): Promise<Output<'accumulators:family'>> {
      const { workspaceId, memberId, planYear = null, claimId = null } = wanted;
      await updateSoon(workspaceId);
      const store = await getStore(workspaceId);
      const found = await store.read('readFamily', {
        ...{ memberId, planYear, claimId },
        ...(await readRules(workspaceId)),
      });
      if (found === null) throw new DeskError('record.unknown');
      return found;
    },
    async tryRules(wanted: Input<'accumulators:try'>): Promise<Output<'accumulators:try'>> {
      const { workspaceId, employerId, rules: tried } = wanted;
      await update(workspaceId);
      const { rules } = await readRules(workspaceId);
      return (await getStore(workspaceId)).read('tryPlanRules', { employerId, tried, rules });
    },
  };
}

export type Accumulators = ReturnType<typeof createAccumulators>;
