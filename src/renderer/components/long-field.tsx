import { Textarea } from '@mantine/core';

/** A field for a text of several lines, which grows with it. */
export const LongField = ({
  onChange,
  ...field
}: {
  label: string;
  description?: string;
  maxLength?: number;
  value: string;
  onChange: (typed: string) => void;
}) => (
  <Textarea
    {...field}
    autosize
    minRows={2}
    maxRows={12}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
