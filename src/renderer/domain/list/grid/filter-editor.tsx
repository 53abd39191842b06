import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { memo, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { operatorLabel } from '../../../../contract/filter-words.ts';
import { formatCount } from '../../../../rules/count.ts';
import { type Entity, isDated } from '../../../../rules/list-fields.ts';
import type { Condition, ListQuery, Operator } from '../../../../rules/query.ts';
import { Form } from '../../../components/form.tsx';
import { SmallButton } from '../../../components/small-button.tsx';
import { SmallPrint } from '../../../components/text.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { reportOf } from '../../../lib/desk-error.ts';
import { asTyped, type FilterField, operatorsOf, readValues, valueCount } from '../describe-filter.ts';
import { useColumnValues } from '../use-column-values.ts';
import styles from './filter-editor.module.css';

/** The operator last chosen for a column, with which the next filter on it begins. */
const lastOperators = new Map<string, Operator>();
const maxValues = 60;

interface Props {
  entity: Entity;
  field: FilterField;
  /** The existing filter; null: a new one. */
  condition: Condition | null;
  /** The list without the filters on this column, for counts of its values. */
  query: Omit<ListQuery, 'sort'>;
  onApply: (condition: Condition, labels: ReadonlyMap<string, string>) => void;
  onRemove: () => void;
}

/** One filter: operator and values, with the column's values to choose from. */
export function FilterEditor(props: Props) {
  const { field, condition } = props;
  const operators = operatorsOf(field);
  const remembered = lastOperators.get(`${props.entity} ${field.path}`);
  const [operator, setOperator] = useState<Operator>(
    condition?.operator ?? remembered ?? operators[0] ?? 'is',
  );
  const [typed, setTyped] = useState<readonly string[]>(condition?.values.map(asTyped) ?? []);
  const [labels] = useState(() => new Map<string, string>());
  const [isRefused, setIsRefused] = useState(false);

  const change = (next: Operator) => {
    setOperator(next);
    setIsRefused(false);
    const count = valueCount(next);
    if (count !== null) setTyped(typed.slice(0, Math.max(count, 1)));
  };
  const submit = () => {
    const values = readValues(field, operator, typed);
    if (values === null) {
      setIsRefused(true);
      return;
    }
    lastOperators.set(`${props.entity} ${field.path}`, operator);
    props.onApply({ field: field.path, operator, values }, labels);
  };
  const count = valueCount(operator);
  return (
    <Form gap={8} onSubmit={submit} className={styles.form} aria-label={`Filter by ${field.label}`}>
      <Text size="sm" fw={600}>
        {field.label}
      </Text>
      {operators.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label="Operator"
          data={operators.map((value) => ({ value, label: operatorLabel(value, field.kind) }))}
          value={operator}
          onChange={(event) => change(event.currentTarget.value as Operator)}
        />
      )}
      {count === null && (
        <ValueChoice {...props} chosen={typed} labels={labels} onChange={(values) => setTyped(values)} />
      )}
      {count !== null &&
        Array.from({ length: count }, (_none, index) => (
          <ValueInput
            // biome-ignore lint/suspicious/noArrayIndexKey: a first and a second value, always the same two
            key={index}
            field={field}
            label={count === 2 ? (index === 0 ? 'From' : 'To') : 'Value'}
            value={typed[index] ?? ''}
            onChange={(text) => {
              const next = [typed[0] ?? '', typed[1] ?? ''];
              next[index] = text;
              setTyped(count === 2 ? next : next.slice(0, 1));
              setIsRefused(false);
            }}
          />
        ))}
      {isRefused && (
        <Text size="xs" role="alert" c="var(--mantine-color-error)">
          {refusal(field, operator)}
        </Text>
      )}
      <Group gap={8}>
        <Button type="submit" size="compact-sm">
          Apply
        </Button>
        {condition !== null && (
          <SmallButton variant="subtle" onClick={props.onRemove}>
            Remove filter
          </SmallButton>
        )}
      </Group>
    </Form>
  );
}

function refusal(field: FilterField, operator: Operator): string {
  if (operator === 'isOneOf') return 'Choose at least one value.';
  switch (field.kind) {
    case 'money':
      return 'Enter an amount, for example 1500 or 12.50.';
    case 'date':
    case 'dateTime':
    case 'dateRange':
      return operator === 'between' ? 'Enter both dates.' : 'Enter a date.';
    case 'text':
      return 'Enter some text.';
    default:
      return 'Enter a number.';
  }
}

function ValueInput(props: {
  field: FilterField;
  label: string;
  value: string;
  onChange: (text: string) => void;
}) {
  const { field } = props;
  if (field.kind === 'boolean') {
    return (
      <NativeSelect
        size="xs"
        aria-label={props.label}
        data={[
          { value: '', label: 'Choose' },
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
    );
  }
  const isDay = isDated(field.kind);
  return (
    <TextField
      size="xs"
      type={isDay ? 'date' : 'text'}
      inputMode={field.kind === 'money' || field.kind === 'number' ? 'decimal' : undefined}
      label={props.label}
      value={isDay ? props.value.slice(0, 10) : props.value}
      leftSection={field.kind === 'money' ? <span aria-hidden>$</span> : undefined}
      onChange={props.onChange}
    />
  );
}

/** The values of the column with their counts within the other filters, and the chosen ones whatever the search. */
function ValueChoice(
  props: Pick<Props, 'field' | 'query'> & {
    chosen: readonly string[];
    labels: Map<string, string>;
    onChange: (values: string[]) => void;
  },
) {
  const { field, chosen, labels } = props;
  const [search, setSearch] = useState('');
  const values = useColumnValues({ ...props, path: field.path, search: search.trim(), limit: maxValues });
  const { choices, hidden } = values;
  for (const { value, label } of choices) labels.set(value, label);
  const kept = chosen.filter((value) => !choices.some((listed) => listed.value === value));
  const choose = (value: string, isChosen: boolean) =>
    props.onChange(isChosen ? [...chosen, value] : chosen.filter((other) => other !== value));
  const latest = useRef(choose);
  useLayoutEffect(() => {
    latest.current = choose;
  });
  const onChoose = useCallback((value: string, isChosen: boolean) => latest.current(value, isChosen), []);
  return (
    <>
      <TextField
        size="xs"
        aria-label={`Search values of ${field.label}`}
        placeholder="Search values"
        value={search}
        onChange={setSearch}
      />
      <Stack gap={10} className={styles.values ?? ''} role="group" aria-label={`Values of ${field.label}`}>
        {kept.map((value) => (
          <ValueBox
            key={value}
            value={value}
            label={labels.get(value) ?? value}
            isChosen
            onChoose={onChoose}
          />
        ))}
        {choices.map(({ value, label, count }) => (
          <ValueBox
            key={value}
            value={value}
            label={label}
            count={count}
            onChoose={onChoose}
            isChosen={chosen.includes(value)}
          />
        ))}
      </Stack>
      <SmallPrint role="status">
        {values.error !== null
          ? reportOf(values.error).message
          : values.isFetching && choices.length === 0
            ? 'Loading…'
            : choices.length === 0
              ? 'No matching values.'
              : hidden > 0
                ? `Showing ${formatCount(choices.length)} of ${formatCount(choices.length + hidden)}. Type to narrow.`
                : ''}
      </SmallPrint>
    </>
  );
}

/** One value to choose, as plain elements: at each letter of a search up to sixty of them are drawn. */
const ValueBox = memo(function ValueBox(props: {
  value: string;
  label: string;
  count?: number;
  isChosen: boolean;
  onChoose: (value: string, isChosen: boolean) => void;
}) {
  const { value, label, count, isChosen, onChoose } = props;
  return (
    <label className={styles.value}>
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => onChoose(value, event.currentTarget.checked)}
      />
      <span>
        {label}
        {count !== undefined && <span className={styles.count}> {formatCount(count)}</span>}
      </span>
    </label>
  );
});
