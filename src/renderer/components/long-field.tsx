import { Textarea } from '@mantine/core';

/** A field for a text of several lines, which grows with it. `onCursor`: called with the place of the cursor that is left. */
export const LongField = ({
  onChange,
  onCursor,
  ...field
}: {
  label: string;
  description?: string;
  maxLength?: number;
  value: string;
  onChange: (typed: string) => void;
  onCursor?: (at: number) => void;
}) => (
  <Textarea
    {...field}
    autosize
    minRows={2}
    maxRows={12}
    onChange={(event) => onChange(event.currentTarget.value)}
    {...(onCursor && { onBlur: (event) => onCursor(event.currentTarget.selectionEnd) })}
  />
);
