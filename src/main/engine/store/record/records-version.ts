import type { Entity } from '../../../../contract/fields.ts';
import type { Connection } from '../file/connection.ts';

/**
 * Counts the changes of rows, so that a list knows whether newer data exist and a cache whether it still holds.
 * Claims count members too: a claim is found by the tenant of its member. Deletions and marks of what is gone
 * are counted by triggers; whoever writes rows otherwise calls `noteRecordsChanged` in the same transaction.
 */
export function createVersionReader(connection: Connection): (entity: Entity) => number {
  const prepare = () =>
    connection.prepare('SELECT sum(version) FROM record_versions WHERE kind=? OR kind=?').pluck();
  let select: ReturnType<typeof prepare> | null = null;
  return (entity) => {
    select ??= prepare();
    const isOfMembers = entity === 'members' || entity === 'dependents';
    return select.get('members', isOfMembers ? 'members' : 'claims') as number;
  };
}

/** Makes the function that a writer calls, in its transaction, when it added or changed records. */
export function createVersionCounter(connection: Connection): (kind: 'members' | 'claims') => void {
  const count = connection.prepare('UPDATE record_versions SET version=version+1 WHERE kind=?');
  return (kind) => void count.run(kind);
}
