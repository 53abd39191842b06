import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import {
  type Appeal,
  appealAnswerLabels,
  appealAnswers,
  appealAskerLabels,
  appealAskers,
  mayAnswer,
  sayAppeal,
  sayAppealState,
} from '../../../rules/review/appeals.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { DialogButton, DialogForm } from '../../components/dialog.tsx';
import { LongField } from '../../components/long-field.tsx';
import { Section } from '../../components/page.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useHasTeam } from '../team/use-has-team.ts';
import { sayClaimReason } from '../worklist/say-claim-reason.ts';
import styles from './review-panel.module.css';
import { useDraft } from './use-draft.ts';
import { useSendAct } from './use-review.ts';

interface OfClaim {
  readonly review: ClaimReview;
}
/** `mayPress`: whether the press that is handled now is for this claim. */
type Pressed = OfClaim & { mayPress: () => boolean };

const smallButton = { size: 'compact-xs' } as const;

/** The appeals of a claim that was denied, declined or disputed, by the carrier or by you; nothing on other claims. */
export function ReviewAppeals({ review, mayPress }: Pressed) {
  const { claimId, appeals, outcome } = review;
  const why = useWorkspaceQuery('worklists:why', { claimId }).data?.worklists ?? [];
  const today = localDayOf(useNow());
  const disagreement = why.find(({ id }) => id === 'carrierDisagrees');
  const isDenied = outcome === 'notEligible' || outcome === 'partlyEligible' || outcome === 'disputed';
  const mayBeAppealed = isDenied || disagreement !== undefined || why.some(({ id }) => id === 'denied');
  if (appeals.length === 0 && !mayBeAppealed) return null;
  const isOpen = appeals.some(({ answered }) => answered === null);
  return (
    <Section
      title={appeals.length === 0 ? 'Appeal' : `Appeals (${appeals.length})`}
      actions={
        !isOpen && (
          <DialogButton
            label="Add appeal…"
            button={smallButton}
            mayPress={mayPress}
            title={`Appeal: claim ${claimId}`}
          >
            {(close) => (
              <AppealForm
                review={review}
                proof={
                  disagreement === undefined
                    ? ''
                    : sayClaimReason('carrierDisagrees', disagreement.values, today)
                }
                onClose={close}
              />
            )}
          </DialogButton>
        )
      }
    >
      {appeals.length > 0 && (
        <ul className={styles.history} aria-label="Appeals">
          {appeals.map((appeal) => (
            <AppealRow key={appeal.id} review={review} mayPress={mayPress} appeal={appeal} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function AppealRow({ review, mayPress, appeal }: Pressed & { appeal: Appeal }) {
  const { answered, asker, due, reason } = appeal;
  const { email } = useWorkspace();
  const hasTeam = useHasTeam();
  const isOwn = !mayAnswer(appeal, email);
  return (
    <li>
      {sayAppeal(appeal)} · {appealAskerLabels[asker]}
      <div className={styles.aside}>
        {answered === null
          ? `Answer due ${formatDay(due)}`
          : `${sayAppealState(appeal)} on ${formatDay(answered.day)} by ${answered.author}${answered.letterDay === null ? '' : `, letter of ${formatDay(answered.letterDay)}`}`}
      </div>
      {reason !== null && <div className={styles.aside}>{reason}</div>}
      {answered !== null && <div className={styles.aside}>{answered.reason}</div>}
      {answered === null && isOwn && (
        <SmallPrint>
          {hasTeam
            ? 'You decided this claim before it was appealed: a colleague has to answer the appeal.'
            : 'You decided this claim before it was appealed. There is no team, so the appeal is answered without a second reviewer.'}
        </SmallPrint>
      )}
      {answered === null && !(isOwn && hasTeam) && (
        <DialogButton
          label="Answer…"
          button={smallButton}
          mayPress={mayPress}
          title={`Answer to the appeal: claim ${review.claimId}`}
        >
          {(close) => <AnswerForm review={review} appeal={appeal} onClose={close} />}
        </DialogButton>
      )}
    </li>
  );
}

/** Saves an act of a form; the dialog stays open where that fails. */
function useSave(claimId: number, onSaved: () => void) {
  const { sendAndWait, isSending } = useSendAct();
  const save = (act: ReviewAct) => sendAndWait(claimId, act).then(onSaved, () => undefined);
  return { save, isSending };
}

const kinds = [
  { value: 'sent', label: 'Sent to the carrier' },
  { value: 'received', label: 'Received by the plan' },
] as const;

function AppealForm(props: OfClaim & { proof: string; onClose: () => void }) {
  const { review, proof, onClose } = props;
  const { claimId, outcome, appeals } = review;
  const [direction, setDirection] = useState<Appeal['direction']>(outcome === null ? 'sent' : 'received');
  const [asker, setAsker] = useState<Appeal['asker']>('member');
  const [day, setDay] = useState(() => localDayOf(new Date()));
  const [due, setDue] = useState('');
  const [draft, write] = useDraft(claimId, 'appeal');
  const reason = draft ?? proof;
  const { save, isSending } = useSave(claimId, () => {
    write(null);
    onClose();
  });
  const askers = appealAskers.filter((asker) => direction === 'sent' || asker !== 'us');
  const before = appeals.filter(
    (appeal) => appeal.direction === direction && appeal.answered?.answer !== 'withdrawn',
  );
  const level = Math.min(before.length + 1, 3);
  const today = localDayOf(useNow());
  return (
    <DialogForm
      action="Add appeal"
      isReady={day !== '' && day <= today && (due === '' || due >= day)}
      isPending={isSending}
      onCancel={onClose}
      onSubmit={() =>
        save({
          kind: 'appeal',
          direction,
          asker,
          level,
          day,
          due: due === '' ? null : due,
          reason: reason.trim() === '' ? null : reason.trim(),
        })
      }
    >
      <NativeSelect
        label="Appeal"
        data={kinds}
        value={direction}
        onChange={(event) => {
          setDirection(event.currentTarget.value as Appeal['direction']);
          setAsker('member');
        }}
      />
      <NativeSelect
        label="Who appeals"
        data={askers.map((value) => ({ value, label: appealAskerLabels[value] }))}
        value={asker}
        onChange={(event) => setAsker(event.currentTarget.value as Appeal['asker'])}
      />
      <TextField
        type="date"
        label={direction === 'sent' ? 'Sent on' : 'Received on'}
        value={day}
        onChange={setDay}
      />
      <TextField
        type="date"
        label="Answer due (optional)"
        description="Leave blank to use the employer’s days to answer."
        value={due}
        onChange={setDue}
      />
      <LongField label="Reason (optional)" maxLength={10_000} value={reason} onChange={write} />
    </DialogForm>
  );
}

function AnswerForm({ review, appeal, onClose }: OfClaim & { appeal: Appeal; onClose: () => void }) {
  const { claimId } = review;
  const [answer, setAnswer] = useState<(typeof appealAnswers)[number]>('upheld');
  const [day, setDay] = useState(() => localDayOf(new Date()));
  const [letterDay, setLetterDay] = useState('');
  const [draft, write] = useDraft(claimId, 'answer');
  const reason = (draft ?? '').trim();
  const { save, isSending } = useSave(claimId, () => {
    write(null);
    onClose();
  });
  const today = localDayOf(useNow());
  const isReopened = appeal.direction === 'received' && (answer === 'overturned' || answer === 'partly');
  return (
    <DialogForm
      action="Save answer"
      isReady={day >= appeal.day && day <= today && reason !== '' && (letterDay === '' || letterDay >= day)}
      isPending={isSending}
      onCancel={onClose}
      onSubmit={() =>
        save({
          kind: 'answerAppeal',
          appealId: appeal.id,
          answer,
          day,
          letterDay: letterDay === '' ? null : letterDay,
          reason,
        })
      }
    >
      <NativeSelect
        label={appeal.direction === 'sent' ? 'The carrier’s answer' : 'Answer'}
        description={isReopened ? 'You then decide the claim again.' : undefined}
        data={appealAnswers.map((value) => ({ value, label: appealAnswerLabels[value] }))}
        value={answer}
        onChange={(event) => setAnswer(event.currentTarget.value as typeof answer)}
      />
      <TextField type="date" label="Answered on" value={day} onChange={setDay} />
      <TextField type="date" label="Letter sent on (optional)" value={letterDay} onChange={setLetterDay} />
      <LongField label="Reason" maxLength={10_000} value={draft ?? ''} onChange={write} />
    </DialogForm>
  );
}
