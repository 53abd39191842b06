import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SmallPrint } from '../../../components/text.tsx';

/** Asks for the name of a new view. */
export function SaveView(props: {
  isOpen: boolean;
  taken: readonly string[];
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const { isOpen, onClose } = props;
  const [name, setName] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setIsSaving] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    setName('');
    setError(null);
  }, [isOpen]);
  const isTaken = props.taken.includes(name.trim());
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || isTaken) return;
    setIsSaving(true);
    try {
      await props.onSave(name.trim());
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title="Save view" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={save}>
        <Stack gap="sm">
          <ErrorNotice error={error} title="Couldn’t save the view" />
          <TextInput
            data-autofocus
            label="View name"
            maxLength={120}
            autoComplete="off"
            value={name}
            error={isTaken ? 'A view with this name already exists.' : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <SmallPrint>
            Saves filters, sort, columns, and grouping, encrypted on this computer. Appears in the sidebar. A
            search for an SSN is not saved.
          </SmallPrint>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving} disabled={name.trim() === '' || isTaken}>
              Save view
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
