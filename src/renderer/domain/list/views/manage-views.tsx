import { FileButton, Group, Stack, Switch } from '@mantine/core';
import { IconFileExport, IconFileImport, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { DeskBridge } from '../../../../contract/bridge.ts';
import { formatCountOf } from '../../../../rules/count.ts';
import { fullNameOf } from '../../../../rules/worklists/worklist-table.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { SavedPath } from '../../../components/saved-path.tsx';
import { SmallButton } from '../../../components/small-button.tsx';
import { Hint, Status } from '../../../components/text.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useBridge } from '../../../lib/desk-context.tsx';
import { ask } from '../../../lib/desk-error.ts';
import { useWorkspace } from '../../../lib/workspace-context.tsx';
import { nounsOf } from '../open-record.ts';
import { useSavedViews } from '../use-saved-views.ts';
import { freeName, type NamedView, readViewFile } from '../view-settings.ts';
import styles from './manage-views.module.css';

/** The largest file of a view that is read, in characters. */
const maxBytes = 200_000;

/** Saves a view as a file, and says where; empty where no file was chosen. */
async function exportView(bridge: DeskBridge, workspaceId: string, view: NamedView): Promise<ReactNode> {
  const target = await ask(bridge, 'files:chooseSaveTarget', {
    purpose: 'view',
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
      ? 'It contains no records.'
      : `${formatCountOf(leftOut, 'filter')} that could identify someone ${leftOut === 1 ? 'was' : 'were'} left out.`;
  return (
    <>
      Saved as <SavedPath path={target.displayPath} />. {rest}
    </>
  );
}

/** Adds the view of a file under a free name, and reports what was added. */
async function importView(file: File, saved: ReturnType<typeof useSavedViews>): Promise<string> {
  const read = readViewFile(file.size > maxBytes ? '' : await file.text());
  const name = freeName(
    read.name,
    saved.views.map((view) => view.name),
  );
  await saved.put(name, {
    version: 2,
    kind: 'list',
    entity: read.entity,
    ...(read.worklist === undefined ? {} : { worklist: read.worklist }),
    isPinned: true,
    view: read.view,
  });
  return read.leftOut === 0
    ? `Imported “${name}”.`
    : `Imported “${name}”. ${formatCountOf(read.leftOut, 'filter')} had been left out of the file.`;
}

/** All saved views: rename, pin, export, remove; and import one from a file. */
export function ManageViews(props: {
  isOpen: boolean;
  onClose: () => void;
  onRemoved: (id: string) => void;
}) {
  const workspace = useWorkspace();
  const workspaceId = workspace.id;
  const bridge = useBridge();
  const saved = useSavedViews();
  const [failure, setFailure] = useState<{ title: string; error: unknown } | null>(null);
  const [said, setSaid] = useState<ReactNode>('');
  /** Runs an operation; `title` is the heading of its error. */
  const run = (title: string, work: () => Promise<ReactNode>) => {
    setFailure(null);
    setSaid('');
    work().then(setSaid, (error: unknown) => setFailure({ title, error }));
  };
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title="Saved views" size="lg">
      <Stack gap="sm">
        <ErrorNotice error={saved.error} title="Couldn’t load the saved views" />
        {failure !== null && <ErrorNotice error={failure.error} title={failure.title} />}
        {saved.views.length === 0 ? (
          <Hint>
            No saved views yet. Filter a list, choose its columns, and save that as a view, or import one from
            a file.
          </Hint>
        ) : (
          <ul className={styles.views} aria-label="Saved views">
            {saved.views.map((view) => (
              <ViewRow
                key={view.id}
                view={view}
                taken={saved.views.filter(({ id }) => id !== view.id).map(({ name }) => name)}
                onRename={(name) =>
                  run(
                    'Couldn’t rename the view',
                    async () => `Renamed to “${(await saved.rename(view, name)).name}”.`,
                  )
                }
                onPin={(isPinned) =>
                  run('Couldn’t change the sidebar', async () => {
                    await saved.pin(view, isPinned);
                    return isPinned ? 'Pinned to sidebar.' : 'Unpinned from sidebar.';
                  })
                }
                onShare={
                  workspace.team === undefined
                    ? null
                    : (isOfTeam) =>
                        run('Couldn’t share the view', async () => {
                          await saved.share(view, isOfTeam);
                          return isOfTeam ? 'Shared with the team.' : 'Only on this computer now.';
                        })
                }
                onExport={() => run('Couldn’t export the view', () => exportView(bridge, workspaceId, view))}
                onRemove={() =>
                  run('Couldn’t remove the view', async () => {
                    await saved.remove(view);
                    props.onRemoved(view.id);
                    return `Removed “${view.name}”. No record was changed.`;
                  })
                }
              />
            ))}
          </ul>
        )}
        <Group gap="xs">
          <FileButton
            accept="application/json,.json"
            onChange={(file) =>
              file !== null && run('Couldn’t import the view', () => importView(file, saved))
            }
          >
            {(button) => (
              <SmallButton {...button} leftSection={<IconFileImport size={14} aria-hidden />}>
                Import view…
              </SmallButton>
            )}
          </FileButton>
          <Status>{said}</Status>
        </Group>
      </Stack>
    </Dialog>
  );
}

const nameList = ({ entity, worklist }: NamedView['content']): string =>
  worklist === undefined ? nounsOf[entity].title : fullNameOf(worklist);

function ViewRow(props: {
  view: NamedView;
  taken: readonly string[];
  onRename: (name: string) => void;
  onPin: (isPinned: boolean) => void;
  /** Null: there is no team. */
  onShare: ((isOfTeam: boolean) => void) | null;
  onExport: () => void;
  onRemove: () => void;
}) {
  const { view } = props;
  const [name, setName] = useState(view.name);
  useEffect(() => setName(view.name), [view.name]);
  const newName = name.trim();
  const isTaken = props.taken.includes(newName);
  const rename = () => {
    if (newName !== '' && newName !== view.name && !isTaken) props.onRename(newName);
  };
  return (
    <li className={styles.view}>
      <TextField
        size="xs"
        className={styles.name ?? ''}
        aria-label={`View name: ${view.name}`}
        maxLength={120}
        value={name}
        error={isTaken ? 'A view with this name already exists.' : undefined}
        onChange={setName}
        onBlur={rename}
        onKeyDown={(event) => {
          if (event.key === 'Enter') rename();
        }}
      />
      <span className={styles.list}>{nameList(view.content)}</span>
      <Switch
        size="xs"
        label="Pin to sidebar"
        aria-label={`Pin ${view.name} to sidebar`}
        checked={view.content.isPinned}
        onChange={(event) => props.onPin(event.currentTarget.checked)}
      />
      {props.onShare !== null && (
        <Switch
          size="xs"
          label="Share with team"
          aria-label={`Share ${view.name} with team`}
          checked={view.isOfTeam}
          onChange={(event) => props.onShare?.(event.currentTarget.checked)}
        />
      )}
      <IconButton
        label={`Export ${view.name}…`}
        icon={<IconFileExport size={15} aria-hidden />}
        onClick={props.onExport}
      />
      <IconButton
        label={`Remove ${view.name}`}
        icon={<IconTrash size={15} aria-hidden />}
        onClick={props.onRemove}
      />
    </li>
  );
}
