import { formatCode, hasCodeLabels } from '../../../contract/code-labels.ts';
import type { ListQuery } from '../../../rules/query.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { findFilterField } from './describe-filter.ts';

interface ColumnValue {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** The most IDs whose names are searched in the window: names are not in the rows. */
const maxNames = 1000;

/**
 * The commonest values of a column in a list, with how many rows of the list have each; those that contain `search`.
 * `hidden` counts those beyond `limit`. A newer search cancels the previous one.
 */
export function useColumnValues(options: {
  query: Omit<ListQuery, 'sort'>;
  path: string;
  search: string;
  limit: number;
}): { choices: readonly ColumnValue[]; hidden: number; isFetching: boolean; error: Error | null } {
  const { query, path, search, limit } = options;
  const { entity, ...within } = query;
  const isNamed = findFilterField(entity, path)?.isNamed === true;
  // What is typed is a part of a label or of a code.
  const isCoded = hasCodeLabels(path);
  const listed = useWorkspaceQuery(
    'records:listValues',
    {
      entity,
      field: path,
      search: isCoded ? '' : search,
      within,
      order: 'count',
      limit: isCoded ? maxNames : limit,
    },
    { enabled: !isNamed, keepsPrevious: true },
  );
  const grouped = useWorkspaceQuery(
    'records:group',
    { query, by: path, order: 'count', limit: maxNames },
    { enabled: isNamed, keepsPrevious: true },
  );
  const error = listed.error ?? grouped.error;
  const isFetching = listed.isFetching || grouped.isFetching;
  const values = listed.data?.values ?? [];
  const choices = isNamed
    ? (grouped.data?.groups ?? [])
        .filter(({ value }) => value !== null)
        .map(({ value, label, totals }) => ({
          value: String(value),
          label: label ?? String(value),
          count: totals.count,
        }))
    : values.map(({ value, count }) => ({
        value: String(value),
        label: String(formatCode(path, value)),
        count,
      }));
  if (!isNamed && !isCoded)
    return { choices, hidden: (listed.data?.total ?? 0) - values.length, isFetching, error };
  const typed = search.toLowerCase();
  const matching = choices.filter(
    ({ label, value }) =>
      label.toLowerCase().includes(typed) || (isCoded && value.toLowerCase().includes(typed)),
  );
  return {
    choices: matching.slice(0, limit),
    hidden: Math.max(0, matching.length - limit),
    isFetching,
    error,
  };
}
