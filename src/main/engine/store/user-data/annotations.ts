import type { Note, SavedView } from '../../../../contract/store.ts';
import type { Connection } from '../file/connection.ts';
import type { Journal } from './journal.ts';

export interface NoteRow {
  id: string;
  workspace_id: string;
  target: string;
  record_id: number;
  kind: string;
  text: string;
  facts: string | null;
  created_at: string;
  updated_at: string;
}
export interface ViewRow {
  id: string;
  workspace_id: string;
  name: string;
  query: string;
  created_at: string;
  updated_at: string;
}

const toNote = (row: NoteRow): Note => ({
  id: row.id,
  target: row.target as Note['target'],
  recordId: row.record_id,
  kind: row.kind as Note['kind'],
  text: row.text,
  facts: row.facts,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
const toView = (row: ViewRow): SavedView => ({
  id: row.id,
  name: row.name,
  query: row.query,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const putNoteSql = `INSERT INTO annotations
  (id, workspace_id, target, record_id, kind, text, facts, created_at, updated_at)
  VALUES (:id, :workspace_id, :target, :record_id, :kind, :text, :facts, :created_at, :updated_at)
  ON CONFLICT (id) DO UPDATE SET text=excluded.text, facts=excluded.facts, kind=excluded.kind,
  updated_at=excluded.updated_at WHERE excluded.updated_at>=updated_at`;
export const putViewSql = `INSERT INTO views (id, workspace_id, name, query, created_at, updated_at)
  VALUES (:id, :workspace_id, :name, :query, :created_at, :updated_at)
  ON CONFLICT (id) DO UPDATE SET name=excluded.name, query=excluded.query, updated_at=excluded.updated_at
  WHERE excluded.updated_at>=updated_at`;

/** Notes, tags, reviews and views. Each change is in the journal before it is committed. */
export function createAnnotations(connection: Connection, journal: Journal) {
  const putNote = connection.prepare(putNoteSql);
  const putView = connection.prepare(putViewSql);
  const findNote = connection.prepare('SELECT * FROM annotations WHERE id=? AND workspace_id=?');
  const findView = connection.prepare('SELECT * FROM views WHERE id=? AND workspace_id=?');
  const changing = <I, O>(change: (input: I) => O): ((input: I) => O) => {
    const inOne = connection.transaction(change);
    return (input) => inOne.immediate(input);
  };
  const removeFrom = (table: 'annotations' | 'views') => {
    const remove = connection.prepare(`DELETE FROM ${table} WHERE id=? AND workspace_id=?`);
    return changing((wanted: { workspaceId: string; id: string }): boolean => {
      if (remove.run(wanted.id, wanted.workspaceId).changes === 0) return false;
      journal.append({ kind: 'remove', table, id: wanted.id });
      return true;
    });
  };

  return {
    listNotes: (wanted: {
      workspaceId: string;
      target?: string | undefined;
      recordId?: number | undefined;
    }) => {
      const { workspaceId, target = null, recordId = null } = wanted;
      return connection
        .prepare(
          `SELECT * FROM annotations WHERE workspace_id=:workspaceId AND (:target IS NULL OR target=:target)
           AND (:recordId IS NULL OR record_id=:recordId) ORDER BY created_at, id`,
        )
        .all({ workspaceId, target, recordId })
        .map((row) => toNote(row as NoteRow));
    },
    /** Null where the id belongs to a note of another workspace. */
    saveNote: changing((wanted: NoteRow): Note | null => {
      const known = connection
        .prepare('SELECT workspace_id FROM annotations WHERE id=?')
        .pluck()
        .get(wanted.id);
      if (known !== undefined && known !== wanted.workspace_id) return null;
      putNote.run(wanted);
      const row = findNote.get(wanted.id, wanted.workspace_id) as NoteRow;
      journal.append({ kind: 'put', table: 'annotations', row: { ...row } });
      return toNote(row);
    }),
    removeNote: removeFrom('annotations'),
    listViews: ({ workspaceId }: { workspaceId: string }) =>
      connection
        .prepare('SELECT * FROM views WHERE workspace_id=? ORDER BY name, id')
        .all(workspaceId)
        .map((row) => toView(row as ViewRow)),
    saveView: changing((wanted: ViewRow): SavedView | null => {
      const known = connection.prepare('SELECT workspace_id FROM views WHERE id=?').pluck().get(wanted.id);
      if (known !== undefined && known !== wanted.workspace_id) return null;
      putView.run(wanted);
      const row = findView.get(wanted.id, wanted.workspace_id) as ViewRow;
      journal.append({ kind: 'put', table: 'views', row: { ...row } });
      return toView(row);
    }),
    removeView: removeFrom('views'),
  };
}
