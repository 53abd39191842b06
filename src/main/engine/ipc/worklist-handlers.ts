import type { Handlers } from '../../../contract/procedures.ts';
import type { Worklists } from '../review/worklists.ts';

type Names =
  | 'worklists:counts'
  | 'worklists:update'
  | 'worklists:report'
  | 'worklists:reportPeople'
  | 'worklists:why'
  | 'duplicates:of'
  | 'duplicates:findStop';

/** Answers the procedures of worklists and duplicates. */
export function createWorklistHandlers(worklists: Worklists): Handlers<Names> {
  return {
    'worklists:counts': ({ workspaceId }) => worklists.counts(workspaceId),
    'worklists:update': async ({ workspaceId }) => {
      await worklists.update(workspaceId);
      return { isDone: true };
    },
    'worklists:report': ({ workspaceId }) => worklists.report(workspaceId),
    'worklists:reportPeople': ({ workspaceId, period }) => worklists.reportPeople(workspaceId, period),
    'worklists:why': ({ workspaceId, claimId }) => worklists.why(workspaceId, claimId),
    'duplicates:of': worklists.duplicatesOf,
    'duplicates:findStop': worklists.findDuplicateStop,
  };
}
