import { Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { fieldsByName, typeOf } from '../../../carrier-form/form-fields.ts';
import { isObject, type Json, listIn, namesIn } from '../../../carrier-form/json.ts';
import { isChoice, resolveForm } from './carrier-choices.ts';
import styles from './carrier-form.module.css';
import { type CarrierUi, uiOf } from './carrier-ui.ts';
import { CarrierInput } from './carrier-widgets.tsx';

/** The path from the form to a field; entries of a list are numbers. */
type Path = readonly string[];

interface CarrierFormState {
  /** The sentence about the error of a field; undefined: none. */
  readonly errorAt: (path: Path) => string | undefined;
  readonly isDisabled: boolean;
}

/** The ID of a field's element, which is its name as well. */
export const fieldId = (path: Path): string => ['carrier', ...path].join('_');

/** Text that the carrier gives for a field, in its hints or in its form. */
function textOf(ui: CarrierUi, property: Json, key: 'title' | 'description'): string | undefined {
  const text = ui[`ui:${key}`] ?? property[key];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The fields of an object, in the carrier's order. */
export function ObjectFields(props: {
  form: Json;
  ui: CarrierUi;
  values: Json;
  path: Path;
  state: CarrierFormState;
  onChange: (values: Json) => void;
}) {
  const { form, values, ui } = props;
  const required = namesIn(form.required);
  const names = orderNames([...fieldsByName({ properties: form.properties }).keys()], ui['ui:order']);
  return names.map((name) => {
    const property = (form.properties as Json)[name];
    if (!isObject(property)) return null;
    return (
      <CarrierField
        key={name}
        name={name}
        property={property}
        ui={uiOf(ui, name)}
        value={values[name]}
        isRequired={required.includes(name)}
        path={[...props.path, name]}
        state={props.state}
        onChange={(value) => props.onChange({ ...values, [name]: value })}
      />
    );
  });
}

/** Names in the carrier's order; `*` in it is where all others are. */
function orderNames(names: readonly string[], order: readonly string[] | undefined): readonly string[] {
  if (order === undefined) return names;
  const others = names.filter((name) => !order.includes(name));
  return order.flatMap((name) => (name === '*' ? others : names.includes(name) ? [name] : []));
}

interface FieldProps {
  readonly name: string;
  readonly property: Json;
  readonly ui: CarrierUi;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly path: Path;
  readonly state: CarrierFormState;
  readonly onChange: (value: unknown) => void;
}

function CarrierField(props: FieldProps) {
  const { property, ui, path, state } = props;
  if (ui['ui:widget'] === 'hidden') return null;
  const label = textOf(ui, property, 'title') ?? props.name;
  const description = [textOf(ui, property, 'description'), ui['ui:help']].filter(Boolean).join(' ');
  const type = typeOf(property);
  if (type === 'object')
    return (
      <Fieldset {...props} label={label} description={description}>
        <ObjectFields
          form={property}
          ui={ui}
          values={isObject(props.value) ? props.value : {}}
          path={path}
          state={state}
          onChange={props.onChange}
        />
      </Fieldset>
    );
  if (type === 'array') return <ListField {...props} label={label} description={description} />;
  return (
    <CarrierInput
      id={fieldId(path)}
      {...(isChoice(props.name) ? {} : { name: fieldId(path) })}
      label={label}
      description={description}
      property={property}
      ui={ui}
      value={props.value}
      isRequired={props.isRequired}
      isDisabled={state.isDisabled}
      error={state.errorAt(path)}
      onChange={props.onChange}
    />
  );
}

interface Described extends FieldProps {
  readonly label: string;
  readonly description: string;
}

function Fieldset(props: Described & { children: ReactNode }) {
  const error = props.state.errorAt(props.path);
  return (
    <fieldset id={fieldId(props.path)} className={styles.fieldset}>
      <legend className={styles.legend}>{props.label}</legend>
      {props.description !== '' && <Text c="dimmed">{props.description}</Text>}
      <Stack gap="sm">{props.children}</Stack>
      {error !== undefined && <Text c="var(--mantine-color-error)">{error}</Text>}
    </fieldset>
  );
}

/** A list: several of a few values, or entries of the same fields. */
function ListField(props: Described) {
  const { property, state, path, onChange } = props;
  const items = isObject(property.items) ? property.items : {};
  const entries = listIn(props.value);
  const choices = listIn(items.enum);
  const change = (index: number, value: unknown) => onChange(entries.with(index, value));
  if (choices.length > 0)
    return (
      <MultiSelect
        id={fieldId(path)}
        name={fieldId(path)}
        label={props.label}
        description={props.description}
        withAsterisk={props.isRequired}
        disabled={state.isDisabled}
        error={state.errorAt(path)}
        data={choices.map((value, index) => ({ value: String(index), label: String(value) }))}
        value={entries.map((entry) => String(choices.indexOf(entry)))}
        onChange={(chosen) => onChange(chosen.map((index) => choices[Number(index)]))}
        comboboxProps={{ withinPortal: false }}
      />
    );
  const isFull = typeof property.maxItems === 'number' && entries.length >= property.maxItems;
  return (
    <Fieldset {...props}>
      {entries.map((entry, index) => {
        const number = `${props.label} ${index + 1}`;
        const isOfFields = typeOf(items) === 'object';
        const drawn = isOfFields ? resolveForm(items, isObject(entry) ? entry : {}) : null;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its place in the list
          <Group key={index} align="end" wrap="nowrap">
            <Stack gap="sm" flex={1}>
              <CarrierField
                name={number}
                property={drawn === null ? { ...items, title: number } : { ...drawn.form, title: number }}
                ui={uiOf(props.ui, 'items')}
                value={drawn === null ? entry : drawn.values}
                isRequired={false}
                path={[...path, String(index)]}
                state={state}
                onChange={(value) => change(index, value)}
              />
            </Stack>
            <Button
              variant="default"
              disabled={state.isDisabled}
              aria-label={`Remove ${number}`}
              onClick={() => onChange(entries.toSpliced(index, 1))}
            >
              Remove
            </Button>
          </Group>
        );
      })}
      <Group>
        <Button
          variant="default"
          disabled={state.isDisabled || isFull}
          aria-label={`Add ${props.label}`}
          onClick={() => onChange([...entries, typeOf(items) === 'object' ? {} : undefined])}
        >
          Add
        </Button>
      </Group>
    </Fieldset>
  );
}
