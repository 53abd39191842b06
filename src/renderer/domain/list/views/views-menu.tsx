import { Button, Group, Menu, Modal, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBookmark, IconDeviceFloppy, IconPlus, IconSettings } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { withoutSsn } from '../../../../contract/views.ts';
import type { Workspace } from '../../../../contract/workspace.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SmallButton } from '../../../components/small-button.tsx';
import { SmallPrint } from '../../../components/text.tsx';
import { reportOf } from '../../../lib/desk-error.ts';
import type { RememberedList } from '../list-memory.tsx';
import { worklistOf } from '../list-ref.ts';
import { isSame, type ListSettings } from '../list-settings.ts';
import { settingsOf, viewOf } from '../saved-views.ts';
import { useSavedViews } from '../use-saved-views.ts';
import { ManageViews } from './manage-views.tsx';

/** The saved views of a list: open one, save the current one, manage all. */
export function ViewsMenu(props: { workspace: Workspace; list: RememberedList; settings: ListSettings }) {
  const { workspace, list, settings } = props;
  const { entity } = list.plan;
  const worklist = worklistOf(list.id);
  const saved = useSavedViews(workspace.id);
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const views = saved.views.filter(
    ({ content }) => content.entity === entity && content.worklist === worklist,
  );
  const open = views.find(({ id }) => id === list.viewId);
  const content = {
    version: 2 as const,
    kind: 'list' as const,
    entity,
    ...(worklist === undefined ? {} : { worklist }),
    isPinned: true,
    view: withoutSsn(entity, viewOf(settings)),
  };
  const isChanged = open !== undefined && !isSame(settingsOf(entity, open.content.view), content.view);
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <SmallButton
            variant={open === undefined ? 'default' : 'light'}
            leftSection={<IconBookmark size={14} aria-hidden />}
          >
            {open === undefined ? 'Views' : `View: ${open.name}${isChanged ? ' (changed)' : ''}`}
          </SmallButton>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((view) => (
            <Menu.Item
              key={view.id}
              leftSection={<IconBookmark size={14} aria-hidden />}
              onClick={() => {
                list.viewId = view.id;
                list.change(settingsOf(entity, view.content.view));
              }}
            >
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setDialog('save')}>
            Save view…
          </Menu.Item>
          {open !== undefined && isChanged && (
            <Menu.Item
              leftSection={<IconDeviceFloppy size={14} aria-hidden />}
              onClick={() =>
                void saved
                  .put(open.name, { ...content, isPinned: open.content.isPinned }, open.id)
                  .catch((error: unknown) =>
                    notifications.show({
                      color: 'red',
                      title: 'Couldn’t save the changes',
                      message: reportOf(error).message,
                      closeButtonProps: { 'aria-label': 'Close this notice' },
                    }),
                  )
              }
            >
              Save changes to “{open.name}”
            </Menu.Item>
          )}
          <Menu.Item
            onClick={() => {
              list.viewId = null;
              list.change(list.plan.initial);
            }}
          >
            Reset to default view
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconSettings size={14} aria-hidden />} onClick={() => setDialog('manage')}>
            Manage views…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SaveView
        isOpen={dialog === 'save'}
        taken={saved.views.map(({ name }) => name)}
        onSave={async (name) => {
          const made = await saved.put(name, content);
          list.viewId = made.id;
        }}
        onClose={() => setDialog(null)}
      />
      <ManageViews
        workspace={workspace}
        isOpen={dialog === 'manage'}
        onClose={() => setDialog(null)}
        onRemoved={(id) => {
          if (list.viewId === id) list.viewId = null;
        }}
      />
    </>
  );
}

/** Asks for the name of a new view. */
function SaveView(props: {
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
