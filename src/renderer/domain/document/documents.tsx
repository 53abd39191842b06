import { Button, FileButton, NativeSelect, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatBytes } from '../../../rules/count.ts';
import { formatDay } from '../../../rules/days.ts';
import {
  type DocumentKind,
  documentKinds,
  documentLabels,
  maxDocumentBytes,
} from '../../../rules/documents.ts';
import { memberOfSubject } from '../../../rules/review/member-subject.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import type { ReviewDocument } from '../../../rules/review/review-parts.ts';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { Section } from '../../components/page.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { sendFile } from '../../lib/send-file.ts';
import { isDialogOpen } from '../../lib/shortcuts.ts';
import { useIsShown } from '../../lib/shown.ts';
import { useSecretWork } from '../../lib/use-secret-call.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useSendAct } from '../review/use-review.ts';
import { useUndoEvent } from '../review/use-undo.ts';
import { useHasTeam } from '../team/use-has-team.ts';
import { DocumentViewer } from './document-viewer.tsx';
import styles from './documents.module.css';

/** Calls the listener with the files that are dropped anywhere on the page while no dialog is open. */
function useDroppedFiles(onFiles: (files: File[]) => void, isOn: boolean): void {
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    if (!isOn) return;
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0 && !isDialogOpen()) latest.current(files);
    };
    window.addEventListener('drop', drop);
    return () => window.removeEventListener('drop', drop);
  }, [isOn]);
}

/** Whether the record of the claim lacks what substantiates it, and no document is marked as sufficient. */
function useLacksItems(workspaceId: string, { claimId, documents }: ClaimReview): boolean {
  const enabled = documents.length > 0 && memberOfSubject(claimId) === null;
  const why = useDeskQuery('worklists:why', { workspaceId, claimId }, { enabled });
  return enabled && why.data?.worklists.some(({ id }) => id === 'notSubstantiated') === true;
}

/** The documents of a claim or, without a claim, of a member; files are attached by a button or by dropping. */
export function Documents(props: {
  workspaceId: string;
  review: ClaimReview;
  isReader: boolean;
  /** Whether the press that is handled now is for this record. */
  mayPress: () => boolean;
}) {
  const { workspaceId, review, isReader, mayPress } = props;
  const [files, setFiles] = useState<readonly File[]>([]);
  const [file = null] = files;
  const resetInput = useRef<() => void>(null);
  const closeFirst = () => {
    // The same file can be chosen again.
    resetInput.current?.();
    setFiles(files.slice(1));
  };
  const [opened, setOpened] = useState<ReviewDocument | null>(null);
  const memberId = memberOfSubject(review.claimId);
  const { email } = useWorkspace();
  const undoing = useUndoEvent(workspaceId);
  const { send } = useSendAct(workspaceId);
  const lacksItems = useLacksItems(workspaceId, review);
  const hasTeam = useHasTeam(workspaceId);
  const isShown = useIsShown();
  useDroppedFiles((dropped) => mayPress() && setFiles(dropped), isShown && !isReader);
  return (
    <Section
      title={`Documents (${review.documents.length})`}
      actions={
        !isReader && (
          <FileButton
            multiple
            onChange={setFiles}
            resetRef={resetInput}
            inputProps={{ 'aria-label': 'File to attach' }}
          >
            {(button) => (
              <Button
                {...button}
                size="compact-xs"
                variant="default"
                onClick={() => mayPress() && button.onClick()}
              >
                Attach file…
              </Button>
            )}
          </FileButton>
        )
      }
    >
      <ul className={styles.documents}>
        {review.documents.map((document) => (
          <li key={document.id}>
            <span className={styles.row}>
              <TextButton onClick={() => setOpened(document)}>{document.name}</TextButton>
              {lacksItems && !isReader && (
                <TextButton
                  aria-label={`Mark ${document.name} as sufficient`}
                  title="It has what the record lacks: the claim is no longer an exception for it"
                  onClick={() => send(review.claimId, { kind: 'substantiate', sha256: document.sha256 })}
                >
                  Mark as sufficient
                </TextButton>
              )}
              {document.sufficient !== null && !isReader && (
                <TextButton
                  aria-label={`Unmark ${document.name}`}
                  disabled={undoing.isUndoing}
                  onClick={() => undoing.undo(document.sufficient?.id ?? '')}
                >
                  Unmark
                </TextButton>
              )}
              {!isReader && document.author === email && (
                <TextButton
                  aria-label={`Remove ${document.name}`}
                  disabled={undoing.isUndoing}
                  onClick={() => undoing.undo(document.id, ...document.earlierIds)}
                >
                  Remove
                </TextButton>
              )}
            </span>
            <SmallPrint>
              {documentLabels[document.document]} · {formatBytes(document.bytes)} · {formatDay(document.day)}{' '}
              by {document.author}
              {document.sufficient !== null && ` · Marked as sufficient by ${document.sufficient.author}`}
            </SmallPrint>
          </li>
        ))}
      </ul>
      <SmallPrint>
        {review.documents.length === 0 && !isReader && 'Drop a file on this page to attach it. '}
        {hasTeam && 'Documents stay on the computer on which they were attached.'}
      </SmallPrint>
      <Dialog
        isOpen={file !== null}
        onClose={closeFirst}
        title={`Attach file: ${memberId === null ? `claim ${review.claimId}` : 'member'}${files.length > 1 ? ` (${files.length - 1} more after it)` : ''}`}
      >
        {file !== null && (
          <AttachForm
            workspaceId={workspaceId}
            claimId={review.claimId}
            isWaiting={review.state === 'waiting'}
            key={files.length}
            file={file}
            onClose={closeFirst}
          />
        )}
      </Dialog>
      <Dialog
        isOpen={opened !== null}
        onClose={() => setOpened(null)}
        title={opened?.name}
        size="xl"
        classNames={{ title: styles.name ?? '' }}
      >
        {opened !== null && (
          <DocumentViewer workspaceId={workspaceId} claimId={review.claimId} document={opened} />
        )}
      </Dialog>
    </Section>
  );
}

function AttachForm(props: {
  workspaceId: string;
  claimId: number;
  isWaiting: boolean;
  file: File;
  onClose: () => void;
}) {
  const { workspaceId, claimId, file, onClose } = props;
  const bridge = useBridge();
  const cache = useQueryClient();
  const { run, isPending, error } = useSecretWork();
  const [document, setDocument] = useState<DocumentKind>('receipt');
  const isTooLarge = file.size > maxDocumentBytes;
  const attach = async () => {
    const done = await run(async () => {
      const sent = await sendFile(bridge, workspaceId, file);
      return ask(bridge, 'documents:attach', { workspaceId, claimId, document, name: file.name, ...sent });
    });
    if (done === null) return;
    onClose();
    await cache.invalidateQueries({ queryKey: keyPrefixes.ofWorkspace('reviews', workspaceId) });
  };
  return (
    <DialogForm
      action="Attach"
      isReady={!isTooLarge}
      isPending={isPending}
      error={error}
      errorTitle="Couldn’t attach the file"
      onSubmit={attach}
      onCancel={onClose}
    >
      <Text size="sm" className={styles.name ?? ''}>
        {file.name} · {formatBytes(file.size)}
      </Text>
      {isTooLarge && (
        <Text size="sm" role="alert">
          This file is too large: a document has at most 25 MB.
        </Text>
      )}
      <NativeSelect
        label="Kind"
        data-autofocus
        value={document}
        onChange={(event) => setDocument(event.currentTarget.value as DocumentKind)}
        data={documentKinds.map((value) => ({ value, label: documentLabels[value] }))}
      />
      {props.isWaiting && (
        <SmallPrint>
          This claim is waiting.{' '}
          {document === 'other'
            ? 'A document of this kind doesn’t make it due.'
            : 'It becomes due as soon as the file is attached, whatever it is waiting for.'}
        </SmallPrint>
      )}
    </DialogForm>
  );
}
