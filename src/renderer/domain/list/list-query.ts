import { type Entity, fieldsOf } from '../../../rules/fields.ts';
import type { Condition, ListQuery, Sort } from '../../../rules/query.ts';

/** Combines a list's parts; empty parts are left out, so that equal lists have equal queries. */
export function buildListQuery(
  entity: Entity,
  parts: {
    readonly search?: string;
    readonly conditions?: readonly Condition[];
    readonly sort?: readonly Sort[];
    readonly includesArchived?: boolean;
    readonly includesMissing?: boolean;
  },
): ListQuery {
  const search = (parts.search ?? '').trim().slice(0, 500);
  return {
    entity,
    ...(search === '' ? {} : { search, findsSimilar: true }),
    ...(parts.conditions?.length ? { conditions: [...parts.conditions] } : {}),
    ...(parts.sort?.length ? { sort: [...parts.sort] } : {}),
    ...(entity === 'members' && parts.includesArchived ? { includesArchived: true } : {}),
    ...(parts.includesMissing ? { includesMissing: true } : {}),
  };
}

/**
 * The columns that a window of rows must contain: the visible ones, the ID, and the column by which a row is opened.
 */
export function fieldsToFetch(entity: Entity, shown: readonly string[]): string[] {
  const known = new Set(fieldsOf[entity].map((spec) => spec.path));
  const wanted = new Set(['id', ...shown]);
  if (entity === 'lines') wanted.add('$claim_id');
  if (entity === 'dependents') wanted.add('$member_id');
  if (entity === 'members') wanted.add('archived');
  return [...wanted].filter((path) => known.has(path));
}
