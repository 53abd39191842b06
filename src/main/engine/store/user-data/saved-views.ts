import type { SavedView } from '../../../../contract/store.ts';
import type { Database } from '../file/database.ts';
import type { Journal } from './journal.ts';

interface ViewRow {
  id: string;
  workspace_id: string;
  name: string;
  query: string;
  created_at: string;
  updated_at: string;
}

const toView = (row: ViewRow): SavedView => ({
  id: row.id,
  name: row.name,
  query: row.query,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const putViewSql = `INSERT INTO views (id, workspace_id, name, query, created_at, updated_at)
  VALUES (:id, :workspace_id, :name, :query, :created_at, :updated_at)
  ON CONFLICT (id) DO UPDATE SET name=excluded.name, query=excluded.query, updated_at=excluded.updated_at
  WHERE excluded.updated_at>=updated_at`;

/** The lists that users saved under a name. */
export const listViews = (database: Database, { workspaceId }: { workspaceId: string }): SavedView[] =>
  database
    .prepare('SELECT * FROM views WHERE workspace_id=? ORDER BY name, id')
    .all(workspaceId)
    .map((row) => toView(row as ViewRow));

/** Changes saved views. Each change is in the journal before it is committed. */
export function createViewWriter(database: Database, journal: Journal) {
  const changing = <I, O>(change: (input: I) => O): ((input: I) => O) => {
    const inOne = database.transaction(change);
    return (input) => inOne.immediate(input);
  };
  return {
    /** Null where the ID belongs to a view of another workspace. */
    saveView: changing((view: ViewRow): SavedView | null => {
      const find = database.prepare('SELECT * FROM views WHERE id=?');
      const stored = find.get(view.id) as ViewRow | undefined;
      if (stored !== undefined && stored.workspace_id !== view.workspace_id) return null;
      database.prepare(putViewSql).run(view);
      const row = find.get(view.id) as ViewRow;
      journal.append({ kind: 'put', table: 'views', row: { ...row } });
      return toView(row);
    }),
    removeView: changing(({ workspaceId, id }: { workspaceId: string; id: string }): boolean => {
      const remove = database.prepare('DELETE FROM views WHERE id=? AND workspace_id=?');
      if (remove.run(id, workspaceId).changes === 0) return false;
      journal.append({ kind: 'remove', table: 'views', id });
      return true;
    }),
  };
}
