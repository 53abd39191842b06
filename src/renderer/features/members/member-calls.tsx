import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { subjectOfMember } from '../../../rules/review/member-subject.ts';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { Documents } from '../../domain/document/documents.tsx';
import { KeyCap } from '../../domain/review/key-cap.tsx';
import { NoteList } from '../../domain/review/review-notes.tsx';
import { useDraft } from '../../domain/review/use-draft.ts';
import { useReview, useSendAct } from '../../domain/review/use-review.ts';
import { useReadOnlyReason } from '../../domain/team/use-is-reader.ts';
import { WriterOnly } from '../../domain/team/writer-only.tsx';
import { mayPress } from '../../lib/presses.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';

interface OfMember {
  memberId: number;
}

/** A button, with a key, that asks for a note about a call with a member. */
export function LogCall({ name, ...of }: OfMember & { name: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const isReadOnly = useReadOnlyReason() !== null;
  const open = () => !isReadOnly && setIsOpen(true);
  const close = () => setIsOpen(false);
  useSingleKeys({ l: open });
  return (
    <>
      <SmallButton
        aria-label="Log this call"
        aria-keyshortcuts="l"
        disabled={isReadOnly}
        onClick={open}
        rightSection={<KeyCap>l</KeyCap>}
      >
        Log this call
      </SmallButton>
      <Dialog isOpen={isOpen} onClose={close} title={`Call with ${name}`}>
        <CallForm {...of} onClose={close} />
      </Dialog>
    </>
  );
}

/** The typed text is kept, also where the dialog is closed by Esc, until it is saved or discarded. */
function CallForm({ memberId, onClose }: OfMember & { onClose: () => void }) {
  const subject = subjectOfMember(memberId);
  const [draft, write] = useDraft(subject, 'call');
  const { sendAndWait, isSending } = useSendAct();
  const text = (draft ?? '').trim();
  const leave = () => {
    write(null);
    onClose();
  };
  return (
    <DialogForm
      action="Save call"
      cancel="Discard"
      isReady={text !== ''}
      isPending={isSending}
      onCancel={leave}
      onSubmit={() => sendAndWait(subject, { kind: 'note', text }).then(leave, () => undefined)}
    >
      <Textarea
        label="What the call was about"
        description="Saved with day and time, and linked to the family’s open claims."
        autoFocus
        data-autofocus
        rows={5}
        maxLength={10_000}
        value={draft ?? ''}
        onChange={(event) => write(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

const shownAtFirst = 3;

/** The documents of a member that belong to no single claim, and why nothing can be recorded on the page, if so. */
export function MemberDocuments({ memberId }: OfMember) {
  const { review } = useReview(subjectOfMember(memberId));
  const reason = useReadOnlyReason();
  return (
    review && (
      <>
        {reason !== null && <SmallPrint>{reason}</SmallPrint>}
        <Documents review={review} isReadOnly={reason !== null} mayPress={mayPress} />
      </>
    )
  );
}

/** The calls with a member, the newest first; nothing where there are none. */
export function MemberCalls({ memberId }: OfMember) {
  const { review } = useReview(subjectOfMember(memberId));
  const [isWhole, setIsWhole] = useState(false);
  if (review === undefined || review.notes.length === 0) return null;
  const calls = review.notes.toReversed();
  return (
    <Section title={`Calls (${calls.length})`}>
      <WriterOnly isSaid={false}>
        <NoteList claimId={review.claimId} notes={isWhole ? calls : calls.slice(0, shownAtFirst)} />
      </WriterOnly>
      {!isWhole && calls.length > shownAtFirst && (
        <TextButton onClick={() => setIsWhole(true)}>Show all {calls.length} calls</TextButton>
      )}
    </Section>
  );
}
