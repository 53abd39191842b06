import { PasswordInput } from '@mantine/core';
import type { TypedTwice } from '../lib/agreed-passphrase.ts';

/** A new passphrase, typed twice; pasting is allowed, so that a password manager can do it. */
export function PassphrasePair(props: {
  label: string;
  value: TypedTwice;
  onChange: (value: TypedTwice) => void;
  minLength: number;
  isFirst?: boolean;
}) {
  const { value, onChange, minLength } = props;
  const isTooShort = value.first !== '' && value.first.length < minLength;
  const differs = value.second !== '' && value.first !== value.second;
  return (
    <>
      <PasswordInput
        label={props.label}
        description={`At least ${minLength} characters`}
        autoComplete="new-password"
        value={value.first}
        onChange={(event) => onChange({ ...value, first: event.currentTarget.value })}
        error={isTooShort ? `At least ${minLength} characters.` : null}
        visibilityToggleButtonProps={{ 'aria-label': 'Show passphrase' }}
        data-autofocus={props.isFirst}
      />
      <PasswordInput
        label="Confirm passphrase"
        autoComplete="new-password"
        value={value.second}
        onChange={(event) => onChange({ ...value, second: event.currentTarget.value })}
        error={differs ? 'The passphrases don’t match.' : null}
        visibilityToggleButtonProps={{ 'aria-label': 'Show confirmation' }}
      />
    </>
  );
}
