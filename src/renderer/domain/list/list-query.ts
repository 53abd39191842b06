import { type Entity, fieldsOf } from '../../../rules/list-fields.ts';
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
  const knownPaths = new Set(fieldsOf[entity].map((spec) => spec.path));
  const paths = new Set(['id', ...shown]);
  if (entity === 'lines') paths.add('$claim_id');
  if (entity === 'dependents') paths.add('$member_id');
  if (entity === 'members') paths.add('archived');
  return [...paths].filter((path) => knownPaths.has(path));
}
