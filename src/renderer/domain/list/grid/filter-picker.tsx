import { Combobox, ScrollArea, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { formatCount } from '../../../../rules/count.ts';
import { localDayOf } from '../../../../rules/days.ts';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { Condition, ListQuery } from '../../../../rules/query.ts';
import { TextField } from '../../../components/text-field.tsx';
import { useNow } from '../../../lib/use-now.ts';
import { usePlanYearStart } from '../../claim/use-plan-year-start.ts';
import { findFilterFields } from '../filter-topics.ts';
import { useColumnValues } from '../use-column-values.ts';
import {
  chosenValues,
  columnsOfFewValues,
  isChosen,
  toggleCondition,
  toggleValue,
  usualAmounts,
  usualColumns,
  usualDates,
} from '../usual-filters.ts';
import styles from './filter-picker.module.css';

/** The most values of a column that are offered as buttons; others are in the column's editor. */
const maxUsualValues = 6;
/** From so many letters on, values are searched as well as columns. */
const minLetters = 2;
/** More than any of these columns has. */
const allValues = 1000;

/** Makes the scrollable list of columns focusable by keyboard. */
const scrollable = { tabIndex: 0, role: 'group', 'aria-label': 'Columns, scrollable' } as const;

/** Filters to press at once, and below them every column by topic. A column that is chosen opens its editor. */
export function FilterPicker(props: {
  entity: Entity;
  /** The only columns that are offered; all, where absent. */
  only?: readonly string[];
  conditions: readonly Condition[];
  /** The list without the filters on this column, for counts of its values. */
  queryWithout: (path: string) => Omit<ListQuery, 'sort'>;
  onConditions: (conditions: readonly Condition[], labels?: ReadonlyMap<string, string>) => void;
  onColumn: (path: string) => void;
  onClose: () => void;
  /** Content at the end of the picker. */
  more: ReactNode;
}) {
  const { entity, only } = props;
  const isOffered = ({ path }: { path: string }): boolean => only?.includes(path) !== false;
  const [search, setSearch] = useState('');
  const matches = findFilterFields(entity, search, only);
  const store = useCombobox({ opened: true });
  const [values, setValues] = useState<ReadonlyMap<string, FoundValue>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter takes the first of what was found
  useEffect(() => {
    if (search === '') store.resetSelectedOption();
    else store.selectFirstOption();
  }, [search, values]);
  return (
    <Combobox
      store={store}
      onOptionSubmit={(option) => {
        const value = values.get(option);
        if (value === undefined) return props.onColumn(option);
        props.onConditions(
          toggleValue(props.conditions, value.path, value.value),
          new Map(value.name === value.value ? [] : [[option, value.name]]),
        );
        props.onClose();
      }}
    >
      <div className={styles.picker}>
        <Combobox.EventsTarget>
          <TextField
            size="xs"
            autoFocus
            data-autofocus
            aria-label="Search filters"
            placeholder="Search filters"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={search}
            onChange={setSearch}
            onKeyDown={(event) => {
              if (event.key === 'Escape') props.onClose();
            }}
          />
        </Combobox.EventsTarget>
        {search === '' && (
          <>
            {usualColumns(entity)
              .filter(isOffered)
              .map(({ path, label }) => (
                <UsualValues key={path} {...props} path={path} label={label} />
              ))}
            <UsualConditions {...props} isOffered={isOffered} />
          </>
        )}
        <ScrollArea.Autosize mah={230} type="auto" offsetScrollbars viewportProps={scrollable}>
          <Combobox.Options aria-label="Filters" className={styles.columns ?? ''}>
            {search.trim().length >= minLetters && (
              <Combobox.Group
                {...(values.size > 0 ? { label: 'Values' } : {})}
                classNames={{ group: styles.topic ?? '', groupLabel: styles.topicName ?? '' }}
              >
                {columnsOfFewValues(entity)
                  .filter(isOffered)
                  .map(({ path, label }) => (
                    <FoundValues
                      key={path}
                      {...props}
                      path={path}
                      label={label}
                      search={search}
                      setValues={setValues}
                    />
                  ))}
              </Combobox.Group>
            )}
            {matches.map(({ topic, fields }) => (
              <Combobox.Group
                key={topic}
                label={topic}
                classNames={{ group: styles.topic ?? '', groupLabel: styles.topicName ?? '' }}
              >
                {fields.map(({ path, label }) => (
                  <Combobox.Option key={path} value={path} className={styles.column ?? ''}>
                    {label}
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
            {matches.length === 0 && values.size === 0 && (
              <Combobox.Empty>No matching filters.</Combobox.Empty>
            )}
          </Combobox.Options>
        </ScrollArea.Autosize>
        <div className={styles.others}>{props.more}</div>
      </div>
    </Combobox>
  );
}

interface FoundValue {
  readonly path: string;
  readonly value: string;
  readonly name: string;
}

/** The values of a column that contain the typed text, or whose label does, each a separate filter. */
function FoundValues(
  props: Pick<Parameters<typeof FilterPicker>[0], 'queryWithout'> & {
    path: string;
    label: string;
    search: string;
    setValues: (change: (before: ReadonlyMap<string, FoundValue>) => ReadonlyMap<string, FoundValue>) => void;
  },
) {
  const { path, label, setValues } = props;
  const searchText = props.search.trim().toLowerCase();
  const { choices } = useColumnValues({
    query: props.queryWithout(path),
    path,
    search: '',
    limit: allValues,
  });
  const matching = choices
    .filter(({ label, value }) => `${label}\n${value}`.toLowerCase().includes(searchText))
    .slice(0, maxUsualValues);
  const shown = matching.map(({ value }) => value).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` says which values match
  useEffect(() => {
    const isOwn = ([, foundValue]: readonly [string, FoundValue]): boolean => foundValue.path === path;
    setValues((before) => {
      const others = [...before].filter((entry) => !isOwn(entry));
      const ownValues = matching.map(
        ({ value, label: name }) => [`${path} ${value}`, { path, value, name }] as const,
      );
      return new Map([...others, ...ownValues]);
    });
    return () => setValues((before) => new Map([...before].filter((entry) => !isOwn(entry))));
  }, [path, shown, setValues]);
  return matching.map(({ value, label: name, count }) => (
    <Combobox.Option key={value} value={`${path} ${value}`} className={styles.column ?? ''}>
      {label}: {name} <span className={styles.count}>{formatCount(count)}</span>
    </Combobox.Option>
  ));
}

/** Dates and amounts that are often filtered. */
function UsualConditions(
  props: Pick<Parameters<typeof FilterPicker>[0], 'entity' | 'conditions' | 'onConditions'> & {
    isOffered: (column: { path: string }) => boolean;
  },
) {
  const { entity, conditions, isOffered } = props;
  const today = localDayOf(useNow());
  const employers = chosenValues(conditions, 'members.employer.id');
  const employerId = employers.length === 1 ? Number(employers[0]) : null;
  const { start } = usePlanYearStart(employerId);
  const rows = [
    { label: 'Dates of service', filters: usualDates(entity, today, start) },
    { label: 'Billed more than', filters: usualAmounts(entity) },
  ];
  return rows
    .filter(({ filters: [first] }) => first !== undefined && isOffered({ path: first.condition.field }))
    .map(({ label, filters }) => (
      <fieldset key={label} className={styles.usual}>
        <legend className={styles.label}>{label}</legend>
        {filters.map((filter) => (
          <button
            key={filter.label}
            type="button"
            className={styles.press}
            aria-pressed={isChosen(conditions, filter.condition)}
            onClick={() => props.onConditions(toggleCondition(conditions, filter.condition))}
          >
            {filter.label}
          </button>
        ))}
      </fieldset>
    ));
}

/** The commonest values of a column, with their counts within the other filters. */
function UsualValues(
  props: Pick<
    Parameters<typeof FilterPicker>[0],
    'conditions' | 'queryWithout' | 'onConditions' | 'onColumn'
  > & { path: string; label: string },
) {
  const { path, label, conditions } = props;
  const { choices, hidden } = useColumnValues({
    query: props.queryWithout(path),
    path,
    search: '',
    limit: maxUsualValues,
  });
  const chosen = chosenValues(conditions, path);
  // Values keep their places while others are pressed, including values that no longer have a row.
  const [names] = useState(() => new Map<string, string>());
  const counts = new Map<string, number>();
  for (const { value, label: name, count } of choices) {
    names.set(value, name);
    counts.set(value, count);
  }
  const values = [...names]
    .map(([value, name]) => ({ value, name, count: counts.get(value) ?? 0 }))
    .sort((left, right) => left.name.localeCompare(right.name));
  return (
    <fieldset className={styles.usual}>
      <legend className={styles.label}>{label}</legend>
      {values.map(({ value, name, count }) => (
        <button
          key={value}
          type="button"
          className={styles.press}
          aria-pressed={chosen.includes(value)}
          onClick={() =>
            props.onConditions(
              toggleValue(conditions, path, value),
              new Map(name === value ? [] : [[`${path} ${value}`, name]]),
            )
          }
        >
          {name} <span className={styles.count}>{formatCount(count)}</span>
        </button>
      ))}
      {hidden > 0 && (
        <button type="button" className={styles.more} onClick={() => props.onColumn(path)}>
          More…
        </button>
      )}
    </fieldset>
  );
}
