import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBookmark, IconDeviceFloppy, IconPlus, IconSettings } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { withoutSsn } from '../../../../contract/views.ts';
import { isSameJson } from '../../../../rules/review/same-value.ts';
import { Dialog, DialogForm } from '../../../components/dialog.tsx';
import { SmallButton } from '../../../components/small-button.tsx';
import { SmallPrint } from '../../../components/text.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { colorOfTone } from '../../../lib/claim-status.ts';
import { reportOf } from '../../../lib/desk-error.ts';
import type { RememberedList } from '../list-memory.tsx';
import { worklistOf } from '../list-ref.ts';
import type { ListSettings } from '../list-settings.ts';
import { useSavedViews } from '../use-saved-views.ts';
import { settingsOf, viewOf } from '../view-settings.ts';
import { ManageViews } from './manage-views.tsx';

/** The saved views of a list: open one, save the current one, manage all. */
export function ViewsMenu(props: { list: RememberedList; settings: ListSettings }) {
  const { list, settings } = props;
  const { entity } = list.plan;
  const worklist = worklistOf(list.id);
  const saved = useSavedViews();
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
  const isChanged = open !== undefined && !isSameJson(settingsOf(entity, open.content.view), content.view);
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
                  .change(open, { ...content, isPinned: open.content.isPinned })
                  .catch((error: unknown) =>
                    notifications.show({
                      color: colorOfTone.bad,
                      title: 'Couldn’t save the changes',
                      message: reportOf(error).message,
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
      <Dialog isOpen={dialog === 'save'} onClose={() => setDialog(null)} title="Save view">
        <SaveView
          taken={saved.views.map(({ name }) => name)}
          onSave={async (name) => {
            const made = await saved.put(name, content);
            list.viewId = made.id;
          }}
          onClose={() => setDialog(null)}
        />
      </Dialog>
      <ManageViews
        isOpen={dialog === 'manage'}
        onClose={() => setDialog(null)}
        onRemoved={(id) => {
          if (list.viewId === id) list.viewId = null;
        }}
      />
    </>
  );
}

function SaveView(props: {
  taken: readonly string[];
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const { taken, onSave, onClose } = props;
  const [name, setName] = useState('');
  const save = useMutation({ mutationFn: onSave, onSuccess: onClose });
  const newName = name.trim();
  const isTaken = taken.includes(newName);
  return (
    <DialogForm
      action="Save view"
      isReady={newName !== '' && !isTaken}
      isPending={save.isPending}
      error={save.error}
      errorTitle="Couldn’t save the view"
      onSubmit={() => save.mutate(newName)}
      onCancel={onClose}
    >
      <TextField
        data-autofocus
        label="View name"
        maxLength={120}
        value={name}
        error={isTaken ? 'A view with this name already exists.' : undefined}
        onChange={setName}
      />
      <SmallPrint>
        Saves filters, sort, columns, and grouping, encrypted on this computer. Appears in the sidebar. A
        search for an SSN is not saved.
      </SmallPrint>
    </DialogForm>
  );
}
