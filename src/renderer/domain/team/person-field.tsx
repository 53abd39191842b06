import { Autocomplete, type AutocompleteProps } from '@mantine/core';

/** Asks for a name: members of the team are offered, Enter takes the first match, any text can be typed. */
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
