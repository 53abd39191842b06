import { FileInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DialogForm } from './dialog.tsx';

/** Chooses a CSV file, reads it by `read`, and shows by `children` what was read. */
export function CsvForm<Found>(props: {
  action: string;
  /** The columns of the file. */
  description: string;
  errorTitle: string;
  read: (csv: string) => Promise<Found>;
  onCancel: () => void;
  /** Further fields. */
  fields?: ReactNode;
  children: (found: Found) => ReactNode;
}) {
  const { read, description, fields, children, ...form } = props;
  const [file, setFile] = useState<File | null>(null);
  const reading = useMutation({ gcTime: 0, mutationFn: async (chosen: File) => read(await chosen.text()) });
  if (reading.data !== undefined) return children(reading.data);
  return (
    <DialogForm
      {...form}
      isReady={file !== null}
      isPending={reading.isPending}
      error={reading.error}
      onSubmit={() => file !== null && reading.mutate(file)}
    >
      <FileInput
        label="CSV file"
        description={description}
        placeholder="Choose file…"
        accept=".csv,text/csv"
        value={file}
        onChange={setFile}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear file' }}
        data-autofocus
      />
      {fields}
    </DialogForm>
  );
}
