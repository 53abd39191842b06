import { TextInput, type TextInputProps } from '@mantine/core';

type Props = Omit<TextInputProps, 'onChange'> & { onChange: (typed: string) => void };

/** A field for one line of text, which the browser neither completes nor checks. */
export const TextField = ({ onChange, ...field }: Props) => (
  <TextInput
    autoComplete="off"
    spellCheck={false}
    {...field}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
