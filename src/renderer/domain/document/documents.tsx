import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { formatBytes } from '../../../rules/count.ts';
import { formatDay } from '../../../rules/days.ts';
import { documentLabels } from '../../../rules/document-kinds.ts';
import { memberOfSubject } from '../../../rules/review/member-subject.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import type { ReviewDocument } from '../../../rules/review/review-parts.ts';
import { Confirm, Dialog } from '../../components/dialog.tsx';
import { Section } from '../../components/page.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useAsk, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useIsShown } from '../../lib/shown.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useSend } from '../review/use-review.ts';
import { useUndoEvent } from '../review/use-undo.ts';
import { useHasTeam } from '../team/use-has-team.ts';
import { DocumentViewer } from './document-viewer.tsx';
import styles from './documents.module.css';

/** Makes this record the one to which files are attached that are dropped, or chosen by a command, while it is on screen. */
function useAttachTarget(subject: number, mayPress: () => boolean): void {
  const { offerTarget } = useAppActions();
  const isShown = useIsShown();
  const latest = useRef(mayPress);
  useEffect(() => {
    latest.current = mayPress;
  });
  useEffect(() => {
    if (isShown) return offerTarget({ subject, mayPress: () => latest.current() });
  }, [offerTarget, subject, isShown]);
}

/** Whether the record of the claim lacks what substantiates it, and no document is marked as sufficient. */
function useLacksItems({ claimId, documents }: ClaimReview): boolean {
  const enabled = documents.length > 0 && memberOfSubject(claimId) === null;
  const why = useWorkspaceQuery('worklists:why', { claimId }, { enabled });
  return enabled && why.data?.worklists.some(({ id }) => id === 'notSubstantiated') === true;
}

/** The documents of a claim or, without a claim, of a member; files are attached by a button or by dropping. */
export function Documents(props: {
  review: ClaimReview;
  isReadOnly: boolean;
  /** Whether the press that is handled now is for this record. */
  mayPress: () => boolean;
}) {
  const { review, isReadOnly, mayPress } = props;
  const [opened, setOpened] = useState<ReviewDocument | null>(null);
  const [removing, setRemoving] = useState<ReviewDocument | null>(null);
  const remove = useRemove(review.claimId);
  const { email } = useWorkspace();
  const undoing = useUndoEvent();
  const send = useSend();
  const lacksItems = useLacksItems(review);
  const hasTeam = useHasTeam();
  const { chooseDocument } = useAppActions();
  useAttachTarget(review.claimId, mayPress);
  return (
    <Section
      title={`Documents (${review.documents.length})`}
      actions={
        !isReadOnly && (
          <Button size="compact-xs" variant="default" onClick={() => mayPress() && chooseDocument()}>
            Attach file…
          </Button>
        )
      }
    >
      <ul className={styles.documents}>
        {review.documents.map((document) => (
          <li key={document.id}>
            <span className={styles.row}>
              <TextButton onClick={() => setOpened(document)}>{document.name}</TextButton>
              {lacksItems && !isReadOnly && (
                <TextButton
                  aria-label={`Mark ${document.name} as sufficient`}
                  title="It has what the record lacks, so this is no longer an exception"
                  onClick={() => send(review.claimId, { kind: 'substantiate', sha256: document.sha256 })}
                >
                  Mark as sufficient
                </TextButton>
              )}
              {document.sufficient !== null && !isReadOnly && (
                <TextButton
                  aria-label={`Unmark ${document.name}`}
                  disabled={undoing.isUndoing}
                  onClick={() => undoing.undo(document.sufficient?.id ?? '')}
                >
                  Unmark
                </TextButton>
              )}
              {!isReadOnly && document.author === email && (
                <TextButton
                  aria-label={`Remove ${document.name}`}
                  disabled={undoing.isUndoing}
                  onClick={() => setRemoving(document)}
                >
                  Remove…
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
      {review.documents.length === 0 && !isReadOnly && (
        <SmallPrint>Drop a file on this page to attach it.</SmallPrint>
      )}
      <Dialog
        isOpen={opened !== null}
        onClose={() => setOpened(null)}
        title={opened?.name}
        size="xl"
        classNames={{ title: styles.name ?? '' }}
      >
        {opened !== null && (
          <DocumentViewer
            claimId={review.claimId}
            document={opened}
            isOfTeam={hasTeam && opened.author !== email}
          />
        )}
      </Dialog>
      <Dialog isOpen={removing !== null} onClose={() => setRemoving(null)} title="Remove this document?">
        {removing !== null && (
          <Confirm
            action="Remove document"
            isDestructive
            errorTitle="Couldn’t remove the document"
            onConfirm={() => remove(removing.sha256)}
            onClose={() => setRemoving(null)}
          >
            <Text size="sm" className={styles.name ?? ''}>
              {removing.name} is removed from this{' '}
              {memberOfSubject(review.claimId) === null ? 'claim' : 'member'}. Unless another claim or member
              has it too, its file is erased from {hasTeam ? 'the computers of the team' : 'this computer'}{' '}
              and {hasTeam ? 'their' : 'its'} backups. This can’t be undone.
              {hasTeam &&
                ' The team’s server keeps its encrypted copy until the records are removed for the team.'}
            </Text>
          </Confirm>
        )}
      </Dialog>
    </Section>
  );
}

/** Returns a function that removes a document, which can't be undone. */
function useRemove(claimId: number) {
  const { id: workspaceId } = useWorkspace();
  const ask = useAsk();
  const cache = useQueryClient();
  return async (sha256: string) => {
    await ask('documents:remove', { claimId, sha256 });
    await cache.invalidateQueries({ queryKey: keyPrefixes.ofWorkspace('reviews', workspaceId) });
  };
}
