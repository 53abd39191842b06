import { Autocomplete, type MantineSize } from '@mantine/core';
import { useDeclineCauses } from './decline-causes.ts';

/** The reason why a claim, or the rest of it, is declined: one of the workspace's list, or any text. */
export function CauseField(props: {
  label: string;
  size?: MantineSize;
  /** Whether this is the first field of the dialog, which gets the focus. */
  hasFocus: boolean;
  value: string;
  onChange: (cause: string) => void;
}) {
  const { causes } = useDeclineCauses();
  return (
    <Autocomplete
      size={props.size ?? 'sm'}
      label={props.label}
      autoComplete="off"
      maxLength={200}
      data={[...causes]}
      value={props.value}
      onChange={props.onChange}
      {...(props.hasFocus ? { autoFocus: true, 'data-autofocus': true } : {})}
    />
  );
}
