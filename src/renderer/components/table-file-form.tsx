import { FileInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { readBase64 } from '../lib/send-file.ts';
import { DialogForm } from './dialog.tsx';

/**
 * Chooses a CSV file or workbook, reads it with `read`, which gets it in base64, and shows the result with `children`.
 */
export function FileForm<Found>(props: {
  action: string;
  description: string;
  errorTitle: string;
  read: (file: string) => Promise<Found>;
  onCancel: () => void;
  fields?: ReactNode;
  children: (contents: Found) => ReactNode;
}) {
  const { read, description, fields, children, ...form } = props;
  const [file, setFile] = useState<File | null>(null);
  const reading = useMutation({
    gcTime: 0,
    mutationFn: async (chosen: File) => read(await readBase64(chosen)),
  });
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
        label="CSV or Excel file"
        description={description}
        placeholder="Choose file…"
        accept=".csv,.txt,.xlsx,text/csv"
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
