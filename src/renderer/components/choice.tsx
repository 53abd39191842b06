import {
  Checkbox,
  type CheckboxProps,
  NativeSelect,
  type NativeSelectProps,
  Switch,
  type SwitchProps,
} from '@mantine/core';

type With<Props, Value> = Omit<Props, 'onChange'> & { readonly onChange: (value: Value) => void };

/** A checkbox, whose `onChange` gets whether it is checked. */
export const Check = ({ onChange, ...field }: With<CheckboxProps, boolean>) => (
  <Checkbox {...field} onChange={(event) => onChange(event.currentTarget.checked)} />
);

/** The same as a switch. */
export const Toggle = ({ onChange, ...field }: With<SwitchProps, boolean>) => (
  <Switch {...field} onChange={(event) => onChange(event.currentTarget.checked)} />
);

/** A choice of one of a few values. */
export const Choice = ({ onChange, ...field }: With<NativeSelectProps, string>) => (
  <NativeSelect {...field} onChange={(event) => onChange(event.currentTarget.value)} />
);
