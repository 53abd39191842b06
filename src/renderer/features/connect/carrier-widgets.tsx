import { Checkbox, PasswordInput, Radio, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isSecret, typeOf } from '../../../carrier-form/form-fields.ts';
import { isObject, type Json, listIn } from '../../../carrier-form/json.ts';
import type { CarrierUi } from './carrier-ui.ts';

interface InputProps {
  readonly id: string;
  /** The field is never sent where this is absent. */
  readonly name?: string;
  readonly label: string;
  readonly description: string;
  readonly property: Json;
  readonly ui: CarrierUi;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly isDisabled: boolean;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** One field of a carrier's form, by its type and the carrier's hint. Browsers store nothing of it. */
export function CarrierInput(props: InputProps) {
  const { property, ui } = props;
  const widget = ui['ui:widget'];
  const choices = choicesOf(property, ui);
  if (isSecret(property)) return <TextField {...props} />;
  if (choices.length > 0)
    return widget === 'radio' ? (
      <RadioField {...props} choices={choices} />
    ) : (
      <SelectField {...props} choices={choices} />
    );
  if (typeOf(property) !== 'boolean') return <TextField {...props} />;
  const yesOrNo = [
    { value: true, label: 'Yes' },
    { value: false, label: 'No' },
  ];
  if (widget === 'radio') return <RadioField {...props} choices={yesOrNo} />;
  if (widget === 'select') return <SelectField {...props} choices={yesOrNo} />;
  return <CheckboxField {...props} />;
}

interface Choice {
  readonly value: unknown;
  readonly label: string;
}

/** The values of a field that has a list of them, with their names; empty: any value may be entered. */
function choicesOf(property: Json, ui: CarrierUi): readonly Choice[] {
  const named = [...listIn(property.oneOf), ...listIn(property.anyOf)].filter(isObject);
  if (named.length > 0 && named.every((choice) => 'const' in choice))
    return named.map((choice) => ({ value: choice.const, label: String(choice.title ?? choice.const) }));
  const labels = ui['ui:enumNames'];
  return listIn(property.enum).map((value) => ({ value, label: labels?.[String(value)] ?? String(value) }));
}

function toCommon({ id, name, label, description, ui, isRequired, isDisabled, error, property }: InputProps) {
  return {
    id,
    ...(name === undefined ? {} : { name }),
    label,
    description: description === '' ? undefined : description,
    placeholder: ui['ui:placeholder'] ?? '',
    required: isRequired,
    disabled: isDisabled || property.readOnly === true,
    error,
    autoComplete: 'off',
    spellCheck: false,
  };
}

const numberText = /^-?\d+(\.\d+)?$/;

/** Text, a number, a date, or a secret. Blank is no value. */
function TextField(props: InputProps) {
  const { property, ui, value } = props;
  const [typed, setTyped] = useState('');
  const isNumber = ['integer', 'number'].includes(typeOf(property));
  // "1.50" stays as it was typed, though its value is 1.5.
  const isTyped = isNumber && numberText.test(typed) && Number(typed) === value;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const common = {
    ...toCommon(props),
    value: isTyped ? typed : text,
    onChange: (event: { currentTarget: { value: string } }) => {
      const next = event.currentTarget.value;
      setTyped(next);
      if (next === '') props.onChange(undefined);
      else props.onChange(isNumber && numberText.test(next) ? Number(next) : next);
    },
  };
  const kind = ui['ui:widget'] ?? property.format;
  if (isSecret(property))
    return (
      <PasswordInput
        {...common}
        visibilityToggleButtonProps={{ 'aria-label': `Show what is typed as ${props.label}` }}
      />
    );
  if (kind === 'textarea') return <Textarea {...common} autosize minRows={3} />;
  if (kind === 'date') return <TextInput {...common} type="date" maw={200} />;
  if (kind === 'email') return <TextInput {...common} inputMode="email" autoCapitalize="none" />;
  return <TextInput {...common} inputMode={isNumber ? 'decimal' : undefined} autoCapitalize="none" />;
}

type ChoiceProps = InputProps & { readonly choices: readonly Choice[] };

/** The place of a value among the choices as text, because a value may be null or a number. */
const placeOf = (choices: readonly Choice[], value: unknown): string | null => {
  const index = choices.findIndex((choice) => choice.value === value);
  return index === -1 ? null : String(index);
};

function SelectField(props: ChoiceProps) {
  const { choices } = props;
  return (
    <Select
      {...toCommon(props)}
      data={choices.map(({ label }, index) => ({ value: String(index), label }))}
      value={placeOf(choices, props.value)}
      onChange={(index) => props.onChange(index === null ? undefined : choices[Number(index)]?.value)}
      comboboxProps={{ withinPortal: false }}
      searchable
      selectFirstOptionOnChange
    />
  );
}

function RadioField(props: ChoiceProps) {
  const { choices } = props;
  const {
    disabled,
    placeholder: _none,
    autoComplete: _auto,
    spellCheck: _spell,
    ...common
  } = toCommon(props);
  return (
    <Radio.Group
      {...common}
      value={placeOf(choices, props.value)}
      onChange={(index) => props.onChange(choices[Number(index)]?.value)}
    >
      <Stack gap={4}>
        {choices.map((choice, index) => (
          <Radio key={choice.label} value={String(index)} label={choice.label} disabled={disabled} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** Yes or no; a box that must be checked is marked like other required fields. */
function CheckboxField(props: InputProps) {
  const { placeholder: _none, label, ...common } = toCommon(props);
  return (
    <Checkbox
      {...common}
      label={
        <>
          {label}
          {props.isRequired && (
            <Text span inherit c="var(--mantine-color-error)" aria-hidden>
              {' *'}
            </Text>
          )}
        </>
      }
      checked={props.value === true}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  );
}
