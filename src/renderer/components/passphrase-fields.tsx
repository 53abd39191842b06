import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState } from 'react';

/** The minimum length of every new passphrase; main and the engine check it as well. */
const minLength = 12;

type FieldProps = Omit<PasswordInputProps, 'onChange'> & {
  onChange: (typed: string) => void;
  /** Name of the button that shows what is typed. */
  show?: string;
};

/** A field for a passphrase. */
export const PassphraseField = ({ onChange, show = 'Show passphrase', ...field }: FieldProps) => (
  <PasswordInput
    {...field}
    onChange={(event) => onChange(event.currentTarget.value)}
    visibilityToggleButtonProps={{ 'aria-label': show }}
  />
);

/** The passphrase, once both fields are equal and it is long enough, else null. Spaces are part of it. */
export const agreedPassphrase = (first: string, second: string): string | null =>
  first.length >= minLength && first === second ? first : null;

/**
 * A new passphrase, typed twice; pasting is allowed, so that a password manager can be used. `onChange` gets null until
 * both are equal and long enough.
 */
export function PassphrasePair(props: {
  label: string;
  onChange: (agreed: string | null) => void;
  isFirst?: boolean;
}) {
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const isTooShort = first !== '' && first.length < minLength;
  return (
    <>
      <PassphraseField
        label={props.label}
        description={`At least ${minLength} characters`}
        autoComplete="new-password"
        value={first}
        onChange={(typed) => {
          setFirst(typed);
          props.onChange(agreedPassphrase(typed, second));
        }}
        error={isTooShort ? `At least ${minLength} characters.` : null}
        data-autofocus={props.isFirst}
      />
      <PassphraseField
        label="Confirm passphrase"
        show="Show confirmation"
        autoComplete="new-password"
        value={second}
        onChange={(typed) => {
          setSecond(typed);
          props.onChange(agreedPassphrase(first, typed));
        }}
        error={second !== '' && first !== second ? 'The passphrases don’t match.' : null}
      />
    </>
  );
}
