import { kindsSql, runFactKinds } from '../../../../rules/review/event-kinds.ts';
import type { Database } from '../file/database.ts';
import { newestFirst } from './event-times.ts';
import { createEventLister, type EventRow, eventColumns, type ListedEvent } from './list-events.ts';
import { hasId, workspaceOf } from './stored-events.ts';

/** The counting events of runs, newest first: those that made runs or, with a run, those of it and its steps. */
export function listRunEvents(
  database: Database,
  { workspaceId, runId }: { workspaceId: string; runId: string | null },
): ListedEvent[] {
  const which =
    runId === null
      ? "kind='run'"
      : `((kind='run' AND ${hasId('packed_id', ':runId')}) OR (kind<>'run' AND fact->>'$.run'=:runId))`;
  const rows = database
    .prepare(
      `SELECT ${eventColumns} FROM review_events e
       WHERE workspace=${workspaceOf(':workspaceId')} AND kind IN (${kindsSql(runFactKinds)}) AND ${which}
       ORDER BY ${newestFirst}`,
    )
    .all(runId === null ? { workspaceId } : { workspaceId, runId }) as EventRow[];
  const toListed = createEventLister(database);
  return rows.map(toListed).filter(({ isUndone }) => !isUndone);
}
