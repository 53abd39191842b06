import { Autocomplete } from '@mantine/core';
import { usualWhom } from '../../../rules/review/spellings.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useMembers } from '../team/use-members.ts';

const other = 'Other…';

/** The names that claims of this workspace wait on or are escalated to, with the number of claims. */
export function useUsedWhom() {
  const { data } = useWorkspaceQuery(
    'records:group',
    {
      query: {
        entity: 'claims',
        conditions: [{ field: 'review.on_whom', operator: 'isNotEmpty', values: [] }],
        includesMissing: true,
      },
      by: 'review.on_whom',
      order: 'count',
      direction: 'desc',
      limit: 200,
    },
    { isReadAgain: true },
  );
  return (data?.groups ?? []).flatMap(({ value, totals }) =>
    typeof value === 'string' ? [{ name: value, count: totals.count }] : [],
  );
}

/** The choices, each once: roles, people of the team, and names that were used before. */
export function useWhomChoices(hasRoles: boolean) {
  const members = useMembers() ?? [];
  const roles = hasRoles ? usualWhom : [];
  const before = useUsedWhom()
    .map(({ name }) => name)
    .filter((name) => !roles.includes(name) && !members.includes(name));
  return [
    { group: 'Roles', items: roles },
    { group: 'Your team', items: members },
    { group: 'Used before', items: before },
  ].filter(({ items }) => items.length > 0);
}

/**
 * Who a claim waits on, as a choice. Enter takes the first match that begins as typed; *Other…*, or typing on, gives another
 * name.
 */
export function WhomField(props: {
  label: string;
  choices: ReturnType<typeof useWhomChoices>;
  value: string;
  onChange: (value: string) => void;
}) {
  const { choices, value, onChange, label } = props;
  const typed = value.trim();
  const isListed = choices.some(({ items }) => items.includes(typed));
  const begin = (name: string): boolean => name.toLowerCase().startsWith(typed.toLowerCase());
  const listed = choices.map(({ group, items }) => ({
    group,
    items: [...items].sort((left, two) => Number(begin(two)) - Number(begin(left))),
  }));
  const first = listed.findIndex(({ items }) => items.some(begin));
  const more = isListed ? [] : [typed === '' ? other : typed];
  return (
    <Autocomplete
      label={label}
      autoFocus
      data-autofocus
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      maxDropdownHeight={360}
      selectFirstOptionOnChange
      data={first < 0 ? [...more, ...listed] : [...listed.slice(first), ...listed.slice(0, first), ...more]}
      value={value}
      onChange={(next) => onChange(next === other ? '' : next)}
    />
  );
}
