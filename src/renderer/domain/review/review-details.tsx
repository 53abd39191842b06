import { TagsInput } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { SmallButton } from '../../components/small-button.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { PersonField } from '../team/person-field.tsx';
import { useMembers } from '../team/use-members.ts';
import { useOutsiders } from '../team/use-outsiders.ts';
import { takeCommand } from './group-commands.ts';
import { KeyCap } from './key-cap.tsx';
import styles from './review-panel.module.css';
import { useDraft } from './use-draft.ts';

/**
 * Owner, reminder and tags; each is saved when the field is left or Enter is pressed. What is typed while the claim leaves the
 * page stays as a draft of it.
 */
export function ReviewDetails(props: {
  review: ClaimReview;
  /** Saves what was typed or chosen. */
  onAct: (act: ReviewAct) => void;
  /** Acts by a press, which may be refused. */
  onPress: (act: ReviewAct) => void;
}) {
  const { review, onAct, onPress } = props;
  const members = useMembers();
  const { email } = useWorkspace();
  const isOutsider = useOutsiders();
  const isOwnerOutside = review.owner !== null && isOutsider(review.owner);
  const noteId = useId();
  const [tag, writeTag] = useDraft(review.claimId, 'tag');
  return (
    <div className={styles.details}>
      <SavedField
        claimId={review.claimId}
        label="Owner"
        shortcut="o"
        question="owner"
        people={members}
        describedBy={isOwnerOutside ? noteId : undefined}
        value={review.owner ?? ''}
        onSave={(text) => onAct({ kind: 'owner', owner: text.trim() === '' ? null : text.trim() })}
      />
      {members !== null && (
        <SmallButton
          variant={review.owner === email ? 'light' : 'default'}
          className={styles.take ?? ''}
          justify="space-between"
          aria-pressed={review.owner === email}
          aria-keyshortcuts={takeCommand.key}
          rightSection={<KeyCap>{takeCommand.key}</KeyCap>}
          onClick={() => onPress({ kind: 'owner', owner: review.owner === email ? null : email })}
        >
          {review.owner === email ? 'Yours' : takeCommand.label}
        </SmallButton>
      )}
      {isOwnerOutside && (
        <SmallPrint id={noteId} className={styles.wide ?? ''}>
          Not in the team
        </SmallPrint>
      )}
      <SavedField
        claimId={review.claimId}
        label="Reminder"
        shortcut="r"
        question="reminder"
        type="date"
        value={review.reminder ?? ''}
        onSave={(day) => onAct({ kind: 'reminder', day: day === '' ? null : day })}
      />
      <TagsInput
        className={styles.wide ?? ''}
        size="xs"
        label={<KeyedLabel label="Tags" shortcut="t" />}
        aria-keyshortcuts="t"
        data-question="tags"
        maxTags={50}
        // Nothing is offered: the list would be placed in each claim that is opened.
        comboboxProps={{ keepMounted: false }}
        acceptValueOnBlur
        searchValue={tag ?? ''}
        onSearchChange={(text) => writeTag(text === '' ? null : text)}
        value={review.tags}
        onChange={(next) => {
          const tags = next.map((tag) => tag.trim().slice(0, 200)).filter((tag) => tag !== '');
          const add = tags.filter((tag) => !review.tags.includes(tag));
          const remove = review.tags.filter((tag) => !tags.includes(tag));
          if (add.length + remove.length > 0) onAct({ kind: 'tag', add, remove });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </div>
  );
}

function SavedField(props: {
  claimId: number;
  label: string;
  shortcut: string;
  question: 'owner' | 'reminder';
  type?: 'date';
  /** The people who are offered; absent or null: it is a plain text. */
  people?: readonly string[] | null;
  /** The ID of the message about the saved value. */
  describedBy?: string | undefined;
  value: string;
  onSave: (value: string) => void;
}) {
  const { value, onSave, people = null } = props;
  const [draft, write] = useDraft(props.claimId, props.question);
  /** The draft was there when one came back to the claim. */
  const [isOlder] = useState(draft !== null);
  /** The saved value, until the review has it. */
  const [sent, setSent] = useState<{ readonly text: string; readonly before: string } | null>(null);
  if (sent !== null && sent.before !== value) setSent(null);
  const saved = sent?.before === value ? sent.text : value;
  const typed = draft ?? saved;
  const save = (text: string) => {
    write(null);
    if (text.trim() === saved) return;
    setSent({ text: text.trim(), before: value });
    onSave(text);
  };
  const leave = () =>
    requestAnimationFrame(
      () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
    );
  const field = {
    size: 'xs',
    label: <KeyedLabel label={props.label} shortcut={props.shortcut} />,
    'aria-keyshortcuts': props.shortcut,
    'data-question': props.question,
    maxLength: 200,
    description: isOlder && draft !== null ? 'Not saved. Enter saves it, Esc discards it.' : undefined,
    value: typed,
    onChange: write,
    onBlur: () => save(typed),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      // A list of people takes the key first.
      if (event.key === 'Enter') people === null ? event.currentTarget.blur() : leave();
      if (event.key !== 'Escape') return;
      // Leaving the field would save the typed text.
      write(null);
      leave();
    },
  };
  if (people === null) return <TextField {...field} type={props.type ?? 'text'} />;
  return (
    <PersonField
      {...field}
      people={people}
      aria-describedby={props.describedBy}
      onOptionSubmit={(person) => {
        save(person);
        leave();
      }}
    />
  );
}

const KeyedLabel = ({ label, shortcut }: { label: string; shortcut: string }) => (
  <>
    {label} <KeyCap>{shortcut}</KeyCap>
  </>
);
