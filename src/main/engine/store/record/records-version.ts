import type { Entity } from '../../../../rules/list-fields.ts';
import type { Database } from '../file/database.ts';

/**
 * The version of the rows, which every change increments: it shows a list whether newer data exist, and a cache whether
 * it is current. For claims, changes to members count as well, because a claim is found by the tenant of its member.
 * Triggers count deletions and missing marks; other writers call `createVersionCounter` in the same transaction.
 */
export function readVersion(database: Database, entity: Entity): number {
  const isOfMembers = entity === 'members' || entity === 'dependents';
  return database
    .prepare('SELECT sum(version) FROM record_versions WHERE kind=? OR kind=?')
    .pluck()
    .get('members', isOfMembers ? 'members' : 'claims') as number;
}

/**
 * The version of the reviews. It is separate because a review outdates only the columns of reviews: lists of claims
 * keep their rows.
 */
export const readReviewVersion = (database: Database): number =>
  database.prepare("SELECT version FROM record_versions WHERE kind='reviews'").pluck().get() as number;

/** Makes the function that a writer calls, in its transaction, after it has added or changed records. */
export function createVersionCounter(database: Database): (kind: 'members' | 'claims' | 'reviews') => void {
  const count = database.prepare('UPDATE record_versions SET version=version+1 WHERE kind=?');
  return (kind) => void count.run(kind);
}
