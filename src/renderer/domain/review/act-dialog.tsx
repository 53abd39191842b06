import { Group, TagsInput, Textarea } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { addDays, localDayOf } from '../../../rules/days.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import { chooseSpelling } from '../../../rules/review/spellings.ts';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useNow } from '../../lib/use-now.ts';
import { PersonField } from '../team/person-field.tsx';
import { useMembers } from '../team/use-members.ts';
import { useWhomChoices, WhomField } from './whom-field.tsx';

/** The inputs of the dialog; notes and other texts of one claim are written on its page instead. */
export type AskedFor = 'waiting' | 'escalated' | 'disagree' | 'note' | 'tags' | 'owner' | 'reminder';

const askedLabels: Readonly<Record<AskedFor, string>> = {
  waiting: 'Waiting',
  escalated: 'Escalate',
  disagree: 'Disagree',
  note: 'Note',
  tags: 'Tags',
  owner: 'Owner',
  reminder: 'Reminder',
};

/**
 * Asks for the values of an act: on whom and why, a text, a day. `asked` null: closed. `of`: the claims, in words.
 * Fields take the focus when they appear; `data-autofocus` prevents the dialog from moving it afterwards.
 */
export function ActDialog(props: {
  asked: AskedFor | null;
  of: string;
  onClose: () => void;
  onAct: (act: ReviewAct) => void;
}) {
  const { asked, of, onClose, onAct } = props;
  const Form = asked === 'waiting' || asked === 'escalated' ? DecisionForm : TextForm;
  return (
    <Dialog
      isOpen={asked !== null}
      onClose={onClose}
      title={asked === null ? '' : `${askedLabels[asked]}: ${of}`}
    >
      {asked !== null && <Form asked={asked} onClose={onClose} onAct={onAct} />}
    </Dialog>
  );
}

interface FormProps {
  asked: AskedFor;
  onClose: () => void;
  onAct: (act: ReviewAct) => void;
}

/** Enter submits the form; Shift+Enter starts a new line. */
function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

function DecisionForm({ asked, onClose, onAct }: FormProps) {
  const isWaiting = asked === 'waiting';
  const [onWhom, setOnWhom] = useState('');
  const [reason, setReason] = useState('');
  const [reminder, setReminder] = useState('');
  const choices = useWhomChoices(isWaiting);
  const isReady = onWhom.trim() !== '' && reason.trim() !== '';
  return (
    <DialogForm
      action={isWaiting ? 'Mark as waiting' : 'Escalate'}
      isReady={isReady}
      onCancel={onClose}
      onSubmit={() => {
        if (!isReady) return;
        onAct({
          kind: 'decision',
          state: isWaiting ? 'waiting' : 'escalated',
          outcome: null,
          onWhom: chooseSpelling(
            onWhom,
            choices.flatMap(({ items }) => items),
          ),
          reason: reason.trim(),
          reminder: reminder === '' ? null : reminder,
        });
      }}
    >
      <WhomField
        label={isWaiting ? 'Waiting on' : 'Escalate to'}
        choices={choices}
        value={onWhom}
        onChange={setOnWhom}
      />
      <Textarea
        label="Reason"
        autosize
        minRows={2}
        maxLength={10_000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        onKeyDown={submitByEnter}
      />
      {isWaiting && (
        <TextField
          type="date"
          label="Reminder"
          description="The claim comes back on this day, or when it changes."
          value={reminder}
          onChange={setReminder}
        />
      )}
      {isWaiting && <QuickDays onChoose={setReminder} />}
    </DialogForm>
  );
}

const quickDays = [
  ['Tomorrow', 1],
  ['In 7 days', 7],
  ['In 30 days', 30],
] as const;

/** Days from today that a button chooses. */
function QuickDays({ onChoose }: { onChoose: (day: string) => void }) {
  const today = localDayOf(useNow());
  return (
    <Group gap="xs" role="group" aria-label="Days from today">
      {quickDays.map(([label, days]) => (
        <SmallButton key={label} onClick={() => onChoose(addDays(today, days) ?? '')}>
          {label}
        </SmallButton>
      ))}
    </Group>
  );
}

/** The act for the typed values; null: they cannot be saved. */
function actOf(asked: AskedFor, text: string, tags: readonly string[]): ReviewAct | null {
  const typed = text.trim();
  switch (asked) {
    case 'note':
      return typed === '' ? null : { kind: 'note', text: typed };
    case 'disagree':
      return typed === '' ? null : { kind: 'check', agrees: false, reason: typed };
    case 'owner':
      return { kind: 'owner', owner: typed === '' ? null : typed };
    case 'reminder':
      return { kind: 'reminder', day: typed === '' ? null : typed };
    case 'tags':
      return tags.length === 0 ? null : { kind: 'tag', add: [...tags], remove: [] };
    default:
      return null;
  }
}

function TextForm({ asked, onClose, onAct }: FormProps) {
  const [text, setText] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const members = useMembers();
  const act = actOf(asked, text, tags);
  return (
    <DialogForm
      action={asked === 'disagree' ? 'Send back' : 'Save'}
      isReady={act !== null}
      onCancel={onClose}
      onSubmit={() => act !== null && onAct(act)}
    >
      {(asked === 'note' || asked === 'disagree') && (
        <Textarea
          label={asked === 'note' ? 'Note' : 'Reason'}
          description={
            asked === 'note' ? undefined : 'The claim goes back to its reviewer, as to do, with this reason.'
          }
          autoFocus
          data-autofocus
          autosize
          minRows={3}
          maxLength={10_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={submitByEnter}
        />
      )}
      {asked === 'tags' && (
        <TagsInput
          label="Add tags"
          autoFocus
          data-autofocus
          maxTags={50}
          acceptValueOnBlur
          value={tags}
          onChange={(next) => setTags(next.map((tag) => tag.trim().slice(0, 200)).filter(Boolean))}
        />
      )}
      {asked === 'owner' && members !== null && (
        <PersonField
          label={askedLabels.owner}
          description="Leave blank to remove the owner."
          autoFocus
          data-autofocus
          people={members}
          value={text}
          onChange={setText}
        />
      )}
      {(asked === 'reminder' || (asked === 'owner' && members === null)) && (
        <TextField
          type={asked === 'reminder' ? 'date' : 'text'}
          label={askedLabels[asked]}
          description={
            asked === 'owner' ? 'Leave blank to remove the owner.' : 'Leave blank to remove the reminder.'
          }
          autoFocus
          data-autofocus
          maxLength={200}
          value={text}
          onChange={setText}
        />
      )}
    </DialogForm>
  );
}
