import { Badge, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { MissingPage } from '../../components/missing-page.tsx';
import { FieldList, Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { SavedPath } from '../../components/saved-path.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import {
  describeKeyAge,
  nameKeyType,
  suggestKeyFileName,
  wantsTypedName,
} from '../../domain/key/key-labels.ts';
import { PublicKey } from '../../domain/key/public-key.tsx';
import { Registration } from '../../domain/key/registration.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { WorkspaceSelect } from '../../domain/workspace/workspace-section.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { formatWhen, titleWhen } from '../../lib/format-date.ts';
import { useLeaveFor } from '../../lib/use-leave-for.ts';
import { useNow } from '../../lib/use-now.ts';
import { useSaveLabel } from '../../lib/use-save-label.ts';
import { useSaveFile } from '../../lib/use-secret-call.ts';
import { BackUpKey } from './back-up-key.tsx';
import { KeyUsers } from './key-users.tsx';
import { RetireKey } from './retire-key.tsx';

/** One SSH key: its facts, its workspaces, its registration, its backup, its retirement. */
export function KeyPage({ keyId }: { keyId: string }) {
  const list = useDeskQuery('keys:list', {});
  const { data } = list;
  const { workspaces, active } = useWorkspaces();
  const navigate = useNavigate();
  const leaveForList = useLeaveFor('keys');
  const toList = () => void navigate({ to: '/settings/$section', params: { section: 'keys' } });
  const key = data?.keys.find(({ id }) => id === keyId);
  const back = <BackButton label="Keys" onBack={toList} />;
  if (key === undefined) {
    return (
      <Page title="SSH key" documentTitle="SSH key" actions={back} isNarrow>
        {data === undefined ? (
          <NotLoaded query={list} what="the key" />
        ) : (
          <MissingPage what="key" section="keys" why="It was retired, or its file can’t be read." />
        )}
      </Page>
    );
  }
  // Keys of the sample and real keys are kept apart.
  const candidates = workspaces.filter(({ isSample }) => isSample === key.isSample);
  return (
    <Page
      title={key.name}
      documentTitle="SSH key"
      beside={key.isSample && <Badge variant="default">Sample</Badge>}
      actions={back}
      isNarrow
    >
      <KeySections
        sshKey={key}
        keys={data?.keys ?? []}
        workspaces={candidates}
        active={active}
        onRetired={leaveForList}
      />
    </Page>
  );
}

function KeySections(props: {
  sshKey: SshKey;
  keys: readonly SshKey[];
  workspaces: readonly Workspace[];
  active: Workspace | null;
  onRetired: () => void;
}) {
  const { sshKey, workspaces } = props;
  return (
    <Stack gap={10}>
      <Section
        title="Key"
        actions={
          <>
            <RenameKey sshKey={sshKey} />
            <BackUpKey sshKey={sshKey} />
            <RetireKey
              keyId={sshKey.id}
              name={sshKey.name}
              wantsName={wantsTypedName(sshKey, props.keys)}
              onRetired={props.onRetired}
            />
          </>
        }
      >
        <KeyFacts sshKey={sshKey} />
      </Section>
      <Section title="Public key and fingerprint">
        <PublicKey sshKey={sshKey} beside={<SavePublicKey sshKey={sshKey} />} />
      </Section>
      {workspaces.length > 0 && (
        <>
          <Section title="Registration">
            <KeyRegistration sshKey={sshKey} workspaces={workspaces} active={props.active} />
          </Section>
          <Section title="Workspaces">
            <KeyUsers sshKey={sshKey} workspaces={workspaces} />
          </Section>
        </>
      )}
    </Stack>
  );
}

function KeyFacts({ sshKey }: { sshKey: SshKey }) {
  const now = useNow();
  const settings = useDeskQuery('settings:get', {});
  const reminderDays = settings.data?.keyReminderDays ?? 0;
  const age = describeKeyAge(sshKey.createdAt, reminderDays, now);
  const reminder = age.isDue
    ? `due for rotation (older than ${reminderDays} days)`
    : reminderDays > 0
      ? `rotation due after ${reminderDays} days`
      : null;
  return (
    <FieldList
      fields={[
        ['Type', nameKeyType(sshKey)],
        ['Created', titleWhen(sshKey.createdAt, now)],
        ['Age', [age.label, ...(reminder === null ? [] : [reminder])].join('; ')],
        ['Last used', sshKey.lastSignedAt === null ? 'Never' : titleWhen(sshKey.lastSignedAt, now)],
        [
          'Verification',
          sshKey.provenAt === null ? 'Not verified' : `Verified ${formatWhen(sshKey.provenAt, now)}`,
        ],
      ]}
    />
  );
}

/** Registration for one of the workspaces: one that uses the key, else the open one. */
function KeyRegistration(props: {
  sshKey: SshKey;
  workspaces: readonly Workspace[];
  active: Workspace | null;
}) {
  const { sshKey, workspaces, active } = props;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const workspace =
    workspaces.find(({ id }) => id === chosenId) ??
    workspaces.find(({ id }) => sshKey.workspaceIds.includes(id)) ??
    workspaces.find(({ id }) => id === active?.id) ??
    workspaces[0];
  if (workspace === undefined) return null;
  return (
    <Stack gap="sm">
      <WorkspaceSelect workspaces={workspaces} value={workspace.id} onChange={setChosenId} />
      <Registration key={workspace.id} workspace={workspace} sshKey={sshKey} hidesKey />
    </Stack>
  );
}

/** Saves the public half as a `.pub` file. */
function SavePublicKey({ sshKey: { id: keyId, name } }: { sshKey: SshKey }) {
  const bridge = useBridge();
  const saveLabel = useSaveLabel('public key');
  const suggestedName = suggestKeyFileName(name, '.pub');
  const { saved, save, isPending, error } = useSaveFile({ purpose: 'publicKey', suggestedName });
  return (
    <>
      <SmallButton
        onClick={() => save((targetId) => ask(bridge, 'keys:savePublic', { keyId, targetId }))}
        loading={isPending}
      >
        {saveLabel}
      </SmallButton>
      {saved !== null && (
        <Status>
          Saved as <SavedPath path={saved.displayPath} />
        </Status>
      )}
      <ErrorNotice error={error} title="Couldn’t save the public key" />
    </>
  );
}

/** The name of a key, which is also the comment of its public half. */
const RenameKey = ({ sshKey }: { sshKey: SshKey }) => (
  <DialogButton label="Rename…" button={{ size: 'compact-sm' }} title="Rename key" size="sm">
    {(close) => <Rename sshKey={sshKey} onClose={close} />}
  </DialogButton>
);

function Rename({ sshKey, onClose }: { sshKey: SshKey; onClose: () => void }) {
  const rename = useDeskMutation('keys:rename');
  const [name, setName] = useState(sshKey.name);
  return (
    <DialogForm
      action="Rename"
      isReady={name.trim() !== ''}
      isPending={rename.isPending}
      error={rename.error}
      onSubmit={() => rename.mutate({ keyId: sshKey.id, name: name.trim() }, { onSuccess: onClose })}
      onCancel={onClose}
    >
      <TextField
        label="Name"
        description="Changes the name on this computer only"
        maxLength={80}
        value={name}
        onChange={setName}
        data-autofocus
      />
    </DialogForm>
  );
}
