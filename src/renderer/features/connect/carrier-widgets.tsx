import { Checkbox, PasswordInput, Select, Text, TextInput } from '@mantine/core';
import { Widgets } from '@rjsf/mantine';
import type { RegistryWidgetsType, WidgetProps } from '@rjsf/utils';

/** Properties of every field of a carrier's form: no autocomplete and no spell check. */
function commonProps(props: WidgetProps) {
  const { id, htmlName, required, disabled, readonly, label, hideLabel, placeholder, rawErrors } = props;
  const description = props.options.description ?? props.schema.description;
  return {
    id,
    name: htmlName ?? id,
    value: typeof props.value === 'string' || typeof props.value === 'number' ? props.value : '',
    label: hideLabel ? undefined : label,
    'aria-label': hideLabel ? label : undefined,
    description: typeof description === 'string' ? description : undefined,
    placeholder: placeholder ?? '',
    required: required === true,
    disabled: disabled === true || readonly === true,
    error: rawErrors !== undefined && rawErrors.length > 0 ? rawErrors.join(' ') : undefined,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      props.onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value),
  };
}

function TextWidget(props: WidgetProps) {
  if (props.schema.format === 'password') return <PasswordWidget {...props} />;
  return <TextInput {...commonProps(props)} autoCapitalize="none" />;
}

function EmailWidget(props: WidgetProps) {
  return <TextInput {...commonProps(props)} inputMode="email" autoCapitalize="none" />;
}

function DateWidget(props: WidgetProps) {
  return <TextInput {...commonProps(props)} type="date" maw={200} />;
}

function PasswordWidget(props: WidgetProps) {
  const { label } = props;
  return (
    <PasswordInput
      {...commonProps(props)}
      visibilityToggleButtonProps={{ 'aria-label': `Show what is typed as ${label}` }}
    />
  );
}

/** A choice of one. The theme's own shows nothing where null is one of the values and was chosen. */
function SelectWidget(props: WidgetProps) {
  const { value: _text, onChange: _onType, ...common } = commonProps(props);
  const choices = props.options.enumOptions ?? [];
  const chosen = choices.findIndex(({ value }) => value === props.value);
  const { SelectWidget: OfTheme } = Widgets;
  if (props.multiple === true && OfTheme !== undefined) return <OfTheme {...props} />;
  return (
    <Select
      {...common}
      data={choices.map(({ label }, index) => ({ value: String(index), label }))}
      value={chosen === -1 ? null : String(chosen)}
      onChange={(index) => props.onChange(index === null ? undefined : choices[Number(index)]?.value)}
      comboboxProps={{ withinPortal: false }}
      searchable
      selectFirstOptionOnChange
    />
  );
}

/** Yes or no; one that has to be yes says so like other fields that are required. */
function CheckboxWidget(props: WidgetProps) {
  const { value: _text, onChange: _onType, placeholder: _none, label, ...common } = commonProps(props);
  const star = props.required === true && (
    <Text span inherit c="var(--mantine-color-error)" aria-hidden>
      {' *'}
    </Text>
  );
  return (
    <Checkbox
      {...common}
      label={
        <>
          {label}
          {star}
        </>
      }
      checked={props.value === true}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  );
}

/**
 * Replacements for the theme's widgets: their descriptions are announced by screen readers, and browsers store
 * nothing.
 */
export const carrierWidgets: RegistryWidgetsType = {
  TextWidget,
  EmailWidget,
  DateWidget,
  PasswordWidget,
  SelectWidget,
  CheckboxWidget,
};
