import { ActionIcon, Button, FileButton, Group, Modal, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconFileExport, IconFileImport, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Workspace } from '../../../contract/workspace.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { formatCountOf } from '../../lib/format-value.ts';
import { freeName, type NamedView, readViewFile } from '../../lib/saved-views.ts';
import { useSavedViews } from '../../lib/use-saved-views.ts';
import { ErrorNotice } from '../error-notice.tsx';
import styles from './manage-views.module.css';

/** No view comes near this. */
const mostBytes = 200_000;

/** All saved views: rename, pin, hand on as a file, remove; and take one in from a file. */
export function ManageViews(props: {
  workspace: Workspace;
  isOpen: boolean;
  onClose: () => void;
  onRemoved: (id: string) => void;
}) {
  const workspaceId = props.workspace.id;
  const bridge = useBridge();
  const saved = useSavedViews(workspaceId);
  const [error, setError] = useState<unknown>(null);
  const [said, setSaid] = useState('');
  const run = (work: () => Promise<string>) => {
    setError(null);
    setSaid('');
    work().then(setSaid, setError);
  };

  const exportView = (view: NamedView) =>
    run(async () => {
      const target = await ask(bridge, 'files:chooseSaveTarget', {
        suggestedName: `view-${view.name.replace(/[^\w-]+/g, '-').slice(0, 60)}.json`,
      });
      if (target === null) return '';
      const { leftOut } = await ask(bridge, 'views:export', {
        workspaceId,
        name: view.name,
        content: view.content,
        targetId: target.targetId,
      });
      const rest =
        leftOut === 0
          ? 'It holds no record.'
          : `${formatCountOf(leftOut, 'filter')} that could name a person ${leftOut === 1 ? 'is' : 'are'} not in it.`;
      return `Saved to ${target.displayPath}. ${rest}`;
    });
  const importView = (file: File | null) => {
    if (file === null) return;
    run(async () => {
      const read = readViewFile(file.size > mostBytes ? '' : await file.text());
      const name = freeName(
        read.name,
        saved.views.map((view) => view.name),
      );
      await saved.put(name, {
        version: 1,
        kind: 'list',
        entity: read.entity,
        isPinned: true,
        view: read.view,
      });
      return read.leftOut === 0
        ? `“${name}” is there.`
        : `“${name}” is there. ${formatCountOf(read.leftOut, 'filter')} had been left out of the file.`;
    });
  };
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title="Saved views"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        {(error ?? saved.error) !== null && (
          <ErrorNotice error={error ?? saved.error} title="That did not work" />
        )}
        {saved.views.length === 0 ? (
          <Text size="sm" c="dimmed">
            No view is saved yet. Filter a list, choose its columns, and save that as a view; or take one in
            from a file.
          </Text>
        ) : (
          <ul className={styles.views} aria-label="Saved views">
            {saved.views.map((view) => (
              <ViewRow
                key={view.id}
                view={view}
                taken={saved.views.filter(({ id }) => id !== view.id).map(({ name }) => name)}
                onRename={(name) => run(async () => `Renamed: ${(await saved.rename(view, name)).name}`)}
                onPin={(isPinned) =>
                  run(async () => {
                    await saved.pin(view, isPinned);
                    return isPinned ? 'It stands in the sidebar.' : 'It no longer stands in the sidebar.';
                  })
                }
                onExport={() => exportView(view)}
                onRemove={() =>
                  run(async () => {
                    await saved.remove(view);
                    props.onRemoved(view.id);
                    return `“${view.name}” was removed. No record was touched.`;
                  })
                }
              />
            ))}
          </ul>
        )}
        <Group gap="xs">
          <FileButton accept="application/json,.json" onChange={importView}>
            {(button) => (
              <Button
                {...button}
                variant="default"
                size="compact-sm"
                leftSection={<IconFileImport size={14} aria-hidden />}
              >
                Import a view…
              </Button>
            )}
          </FileButton>
          <Text size="sm" role="status">
            {said}
          </Text>
        </Group>
      </Stack>
    </Modal>
  );
}

const lists = { claims: 'Claims', lines: 'Claim lines', members: 'Members', dependents: 'Dependents' };

function ViewRow(props: {
  view: NamedView;
  taken: readonly string[];
  onRename: (name: string) => void;
  onPin: (isPinned: boolean) => void;
  onExport: () => void;
  onRemove: () => void;
}) {
  const { view } = props;
  const [name, setName] = useState(view.name);
  useEffect(() => setName(view.name), [view.name]);
  const wanted = name.trim();
  const isTaken = props.taken.includes(wanted);
  const rename = () => {
    if (wanted !== '' && wanted !== view.name && !isTaken) props.onRename(wanted);
  };
  return (
    <li className={styles.view}>
      <TextInput
        size="xs"
        className={styles.name ?? ''}
        aria-label={`Name of the view ${view.name}`}
        maxLength={120}
        value={name}
        error={isTaken ? 'There is a view of this name.' : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={rename}
        onKeyDown={(event) => {
          if (event.key === 'Enter') rename();
        }}
      />
      <span className={styles.list}>{lists[view.content.entity]}</span>
      <Switch
        size="xs"
        label="In the sidebar"
        aria-label={`${view.name} in the sidebar`}
        checked={view.content.isPinned}
        onChange={(event) => props.onPin(event.currentTarget.checked)}
      />
      <ActionIcon variant="subtle" color="gray" aria-label={`Export ${view.name}…`} onClick={props.onExport}>
        <IconFileExport size={15} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${view.name}`} onClick={props.onRemove}>
        <IconTrash size={15} aria-hidden />
      </ActionIcon>
    </li>
  );
}
