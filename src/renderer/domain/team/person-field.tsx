import { Autocomplete, type AutocompleteProps } from '@mantine/core';

/** A person of a team: its members are offered, the first match is taken by Enter, and any other text can be typed. */
export const PersonField = (
  props: Omit<AutocompleteProps, 'data'> & { people: readonly string[]; 'data-question'?: string },
) => {
  const { people, ...field } = props;
  return (
    <Autocomplete
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      selectFirstOptionOnChange
      data={[...people]}
      {...field}
    />
  );
};
