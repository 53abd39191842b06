import { TagsInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ClaimReview, ReviewAct } from '../../../contract/review.ts';
import { TextField } from '../../components/text-field.tsx';
import { KeyCap } from './key-cap.tsx';
import styles from './review-panel.module.css';

/** Owner, reminder and tags; each is saved when the field is left or Enter is pressed. */
export function ReviewDetails({ review, onAct }: { review: ClaimReview; onAct: (act: ReviewAct) => void }) {
  return (
    <div className={styles.details}>
      <SavedField
        label="Owner"
        shortcut="o"
        question="owner"
        value={review.owner ?? ''}
        onSave={(text) => onAct({ kind: 'owner', owner: text.trim() === '' ? null : text.trim() })}
      />
      <SavedField
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
        acceptValueOnBlur
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
  label: string;
  shortcut: string;
  question: 'owner' | 'reminder';
  type?: 'date';
  value: string;
  onSave: (value: string) => void;
}) {
  const { value, onSave } = props;
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const save = () => {
    if (typed.trim() !== value) onSave(typed);
  };
  return (
    <TextField
      size="xs"
      type={props.type ?? 'text'}
      label={<KeyedLabel label={props.label} shortcut={props.shortcut} />}
      aria-keyshortcuts={props.shortcut}
      data-question={props.question}
      maxLength={200}
      value={typed}
      onChange={setTyped}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key !== 'Escape') return;
        // Leaving the field would save the typed text.
        setTyped(value);
        requestAnimationFrame(
          () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
        );
      }}
    />
  );
}

function KeyedLabel({ label, shortcut }: { label: string; shortcut: string }) {
  return (
    <>
      {label} <KeyCap>{shortcut}</KeyCap>
    </>
  );
}
