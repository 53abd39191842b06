import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Workspace, workspaceColors } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';

/** Name and colour of a workspace, which tell several apart at a glance. */
export function RenameWorkspace({ workspace }: { workspace: Workspace }) {
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState(workspace.name);
  const [color, setColor] = useState(workspace.color);
  const rename = useDeskMutation('workspaces:rename');
  const close = () => {
    setIsOpen(false);
    rename.reset();
  };
  const open = () => {
    setName(workspace.name);
    setColor(workspace.color);
    setIsOpen(true);
  };
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        Rename
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Name and color"
        size="sm"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate({ workspaceId: workspace.id, name: name.trim(), color }, { onSuccess: close });
          }}
        >
          <Stack gap="sm">
            <TextInput
              label="Name"
              maxLength={80}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <Select
              label="Color"
              data={[...workspaceColors]}
              value={color}
              onChange={(value) => setColor((value ?? workspace.color) as Workspace['color'])}
              allowDeselect={false}
            />
            {rename.error !== null && <ErrorNotice error={rename.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" disabled={name.trim() === ''} loading={rename.isPending}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
