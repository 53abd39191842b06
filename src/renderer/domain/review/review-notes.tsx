import { Button, Menu, Textarea } from '@mantine/core';
import { IconPencil, IconTemplate, IconTrash } from '@tabler/icons-react';
import { Fragment, useRef, useState } from 'react';
import type { ClaimReview } from '../../../rules/review/review.ts';
import type { ReviewNote } from '../../../rules/review/review-parts.ts';
import { Form } from '../../components/form.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { AnchorLink, linkClaim } from '../../components/links.tsx';
import { leaveField, Section } from '../../components/page.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { formatWhen, titleWhen } from '../../lib/format-date.ts';
import { takePress } from '../../lib/presses.ts';
import { useNow } from '../../lib/use-now.ts';
import { useSettings } from '../../lib/use-settings.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { KeyCap } from './key-cap.tsx';
import styles from './review-panel.module.css';
import { useDraft } from './use-draft.ts';
import { useNoteTemplates } from './use-note-templates.ts';
import { useSendAct } from './use-review.ts';

/** The notes on a claim on this computer. Earlier versions of a note are in the history. */
export function ReviewNotes({ review }: { review: ClaimReview }) {
  const { claimId } = review;
  return (
    <Section title={`Notes (${review.notes.length})`}>
      <NoteList claimId={claimId} notes={review.notes} />
      <NoteForm key={claimId} claimId={claimId} />
    </Section>
  );
}

/** Notes on a claim, or calls with a member (`member-subject.ts`). */
export const NoteList = (props: { claimId: number; notes: readonly ReviewNote[] }) => (
  <ul className={styles.notes}>
    {props.notes.map((note) => (
      <Note key={note.id} claimId={props.claimId} note={note} />
    ))}
  </ul>
);

function NoteForm({ claimId }: { claimId: number }) {
  const [draft, write] = useDraft(claimId, 'note');
  const text = draft ?? '';
  const latest = useRef(text);
  latest.current = text;
  const field = useRef<HTMLTextAreaElement>(null);
  const { sendAndWait, isSending } = useSendAct();
  const templates = useNoteTemplates();
  const save = () => {
    if (text.trim() === '' || isSending) return;
    // At once, so that what is pressed next is no part of the note.
    write(null);
    leaveField(field.current);
    sendAndWait(claimId, { kind: 'note', text: text.trim() }).catch(() =>
      write(latest.current === '' ? text : `${text}\n${latest.current}`),
    );
  };
  return (
    <Form className={styles.noteForm} onSubmit={save} gap={null}>
      <Textarea
        ref={field}
        size="xs"
        rows={2}
        classNames={{ input: styles.noteField }}
        maxLength={10_000}
        aria-label="New note"
        aria-keyshortcuts="n"
        placeholder="Private note"
        data-question="note"
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <div className={styles.formEnd}>
        {templates.texts.length > 0 && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button size="compact-xs" variant="subtle" leftSection={<IconTemplate size={13} aria-hidden />}>
                Templates
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {templates.texts.map((template) => (
                <Menu.Item
                  key={template}
                  onClick={() => {
                    write(text === '' ? template : `${text}\n${template}`);
                    field.current?.focus();
                  }}
                >
                  {template}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        <Button
          type="submit"
          size="compact-xs"
          variant="default"
          disabled={text.trim() === ''}
          loading={isSending}
          rightSection={text === '' ? <KeyCap>n</KeyCap> : undefined}
        >
          Add note
        </Button>
      </div>
    </Form>
  );
}

function Note({ claimId, note }: { claimId: number; note: ReviewNote }) {
  const now = useNow();
  const { isDeskMode } = useSettings();
  const { email } = useWorkspace();
  const { sendAndWait, isSending } = useSendAct();
  const noun = note.claimIds === undefined ? 'note' : 'call';
  const [edited, setEdited] = useDraft(claimId, `note ${note.id}`);
  const save = () => {
    if (edited === null || edited.trim() === '') return;
    sendAndWait(claimId, { kind: 'editNote', noteId: note.id, text: edited.trim() }).then(
      () => setEdited(null),
      () => undefined,
    );
  };
  return (
    <li className={styles.note}>
      {edited === null ? (
        <p className={styles.noteText}>{note.text}</p>
      ) : (
        <Textarea
          size="xs"
          autosize
          minRows={2}
          maxLength={10_000}
          aria-label={`Edit ${noun}`}
          autoFocus
          value={edited}
          onChange={(event) => setEdited(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setEdited(null);
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
          }}
        />
      )}
      <div className={styles.noteEnd}>
        <SmallPrint>
          {titleWhen(note.at, now)} by {note.author}
          {note.editedAt !== null && `, edited ${formatWhen(note.editedAt, now)}`}
          <CallLinks note={note} />
        </SmallPrint>
        {edited === null && note.author === email && note.memberId === undefined && (
          <span className={styles.noteActions}>
            <IconButton
              label={`Edit ${noun}`}
              icon={<IconPencil size={14} aria-hidden />}
              size="sm"
              disabled={isDeskMode}
              onClick={() => setEdited(note.text)}
            />
            <IconButton
              label={`Delete ${noun}`}
              icon={<IconTrash size={14} aria-hidden />}
              size="sm"
              disabled={isSending}
              onClick={() => {
                // The next note moves below the pointer.
                if (!takePress()) return;
                sendAndWait(claimId, { kind: 'deleteNote', noteId: note.id }).catch(() => undefined);
              }}
            />
          </span>
        )}
        {edited !== null && (
          <span className={styles.noteActions}>
            <Button size="compact-xs" variant="subtle" onClick={() => setEdited(null)}>
              Cancel
            </Button>
            <Button size="compact-xs" variant="default" loading={isSending} onClick={save}>
              Save {noun}
            </Button>
          </span>
        )}
      </div>
    </li>
  );
}

const linksAtFirst = 4;

/** The links of a call: on a claim's page to the member, else to the claims that were open during it. */
function CallLinks({ note: { memberId, claimIds = [] } }: { note: ReviewNote }) {
  const [isWhole, setIsWhole] = useState(false);
  if (memberId !== undefined)
    return (
      <>
        {', in a '}
        <AnchorLink to="/members/$memberId" params={{ memberId }}>
          call with the member
        </AnchorLink>
      </>
    );
  const shown = isWhole ? claimIds : claimIds.slice(0, linksAtFirst);
  const left = claimIds.length - shown.length;
  return (
    <>
      {shown.map((claimId, at) => (
        <Fragment key={claimId}>
          {at > 0 ? ', ' : claimIds.length === 1 ? ' · Open claim: ' : ' · Open claims: '}
          {linkClaim({ claimId })}
        </Fragment>
      ))}
      {left > 0 && (
        <>
          {' and '}
          <TextButton onClick={() => setIsWhole(true)}>{left} more</TextButton>
        </>
      )}
    </>
  );
}
