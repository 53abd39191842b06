import type { Handlers } from '../../../contract/procedures.ts';
import type { Worklists } from '../review/worklists.ts';

type Names = 'duplicates:of';

/** The procedures of worklists and duplicates. */
export function createWorklistHandlers(worklists: Worklists): Handlers<Names> {
  return {
    'duplicates:of': ({ workspaceId, claimId }) => worklists.duplicatesOf(workspaceId, claimId),
  };
}
