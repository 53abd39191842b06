import { PasswordInput, TextInput } from '@mantine/core';
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

/**
 * Replacements for the theme's widgets: their descriptions are announced by screen readers, and browsers store
 * nothing.
 */
export const carrierWidgets: RegistryWidgetsType = { TextWidget, EmailWidget, DateWidget, PasswordWidget };
