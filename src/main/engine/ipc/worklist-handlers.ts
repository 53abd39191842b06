import type { Handlers } from '../../../contract/procedures.ts';
import { toCalendar } from '../export/calendar.ts';
import { writeOutput } from '../export/output-file.ts';
import type { Worklists } from '../review/worklists.ts';
import type { EngineState } from './engine-state.ts';

type Names =
  | 'worklists:counts'
  | 'worklists:update'
  | 'worklists:report'
  | 'worklists:reportPeople'
  | 'worklists:why'
  | 'worklists:owed'
  | 'worklists:ledger'
  | 'worklists:saveCalendar'
  | 'duplicates:of'
  | 'duplicates:findStop';

/** Answers the procedures of worklists and duplicates. */
export function createWorklistHandlers(
  state: Pick<EngineState, 'host' | 'clock' | 'auditAction'>,
  worklists: Worklists,
): Handlers<Names> {
  return {
    'worklists:counts': ({ workspaceId }) => worklists.counts(workspaceId),
    'worklists:update': async ({ workspaceId }) => {
      await worklists.update(workspaceId);
      return { isDone: true };
    },
    'worklists:report': ({ workspaceId }) => worklists.report(workspaceId),
    'worklists:owed': ({ workspaceId, limit }) => worklists.owed(workspaceId, limit),
    'worklists:ledger': ({ workspaceId, memberId }) => worklists.ledger(workspaceId, memberId),
    'worklists:reportPeople': ({ workspaceId, period }) => worklists.reportPeople(workspaceId, period),
    'worklists:why': ({ workspaceId, claimId }) => worklists.why(workspaceId, claimId),
    'worklists:saveCalendar': async ({ workspaceId, targetId }) => {
      const path = await state.host.resolveSaveTarget({ targetId, purpose: 'calendar' });
      const { ahead, over } = await worklists.dueDays(workspaceId);
      const claims = ahead.reduce((sum, one) => sum + one.claims, 0);
      const at = new Date(state.clock.now()).toISOString();
      await writeOutput(path, async (file) => {
        await file.write(Buffer.from(toCalendar(ahead, { workspaceId, at }), 'utf8'));
        await state.auditAction(workspaceId, 'calendar.exported', { claims });
      });
      return { days: new Set(ahead.map(({ day }) => day)).size, claims, over };
    },
    'duplicates:of': worklists.duplicatesOf,
    'duplicates:findStop': worklists.findDuplicateStop,
  };
}
