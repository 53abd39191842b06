import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp, IconFlag, IconFlagFilled } from '@tabler/icons-react';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import type { ClaimReview, ReviewAct } from '../../../contract/review.ts';
import { outcomeLabels, stateLabels } from '../../../contract/review-labels.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { colorOfTone, toneOfCode } from '../../lib/claim-status.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatDay, formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useHasTeam } from '../team/use-has-team.ts';
import { ActDialog } from './act-dialog.tsx';
import { ClaimWorklists } from './claim-worklists.tsx';
import { KeyCap } from './key-cap.tsx';
import { OutcomeForm } from './outcome-form.tsx';
import { ChangeNotice, OlderRecord } from './review-changes.tsx';
import {
  type AskedOutcome,
  checkCommands,
  declineCommand,
  findReviewCommand,
  isAskedOutcome,
  outcomeCommands,
  paletteCheckCommands,
  paletteCommands,
  type ReviewCommand,
  type ReviewQuestion,
  reviewCommands,
  stateCommands,
  takeCommand,
} from './review-commands.ts';
import { ReviewDetails } from './review-details.tsx';
import { ReviewHistory } from './review-history.tsx';
import { ReviewNotes } from './review-notes.tsx';
import styles from './review-panel.module.css';
import { ReviewPayments } from './review-payments.tsx';
import { useOfferReview } from './review-target.ts';
import { DecidedTwice, PaidTwice } from './review-twice.tsx';
import { labelOfUndo } from './undo-route.ts';
import { useReview, useSendAct } from './use-review.ts';
import { useUndoOf } from './use-undo.ts';

/**
 * The review of one claim: decision, the data behind it, payments, notes and history. Its two parts are two items of
 * the page's grid. `onNext`: shows the next claim of the list; null where there is no list.
 */
export const ReviewPanel = memo(function ReviewPanel(props: {
  workspaceId: string;
  claimId: number;
  onNext: (() => void) | null;
  classNames: { readonly decision: string | undefined; readonly record: string | undefined };
}) {
  const { workspaceId, claimId, onNext, classNames } = props;
  const { review, error, refetch } = useReview(workspaceId, claimId);
  const { send } = useSendAct(workspaceId);
  const [asked, setAsked] = useState<'waiting' | 'escalated' | 'disagree' | null>(null);
  const [isPaying, setIsPaying] = useState(false);
  const [outcome, setOutcome] = useState<{ readonly of: number; readonly asked: AskedOutcome } | null>(null);
  const decision = useRef<HTMLDivElement>(null);
  const record = useRef<HTMLDivElement>(null);
  const act = (one: ReviewAct) => send(claimId, one);
  const settle = (one: ReviewAct) => {
    act(one);
    onNext?.();
  };

  const focusOn = (question: ReviewQuestion) => {
    for (const part of [decision.current, record.current]) {
      part?.querySelector<HTMLElement>(`[data-question="${question}"]`)?.focus();
    }
  };
  const run = (command: ReviewCommand) => {
    const { does } = command;
    if ('act' in does) {
      if (does.act.kind === 'accept' && review?.changedAt == null) return;
      act(does.act);
      if (command.goesOn) onNext?.();
    } else if ('takes' in does) act({ kind: 'owner', owner: email });
    else if ('toggles' in does) {
      if (review !== undefined) act({ kind: 'flag', isFlagged: !review.isFlagged });
    } else if (isAskedOutcome(does.asks)) setOutcome({ of: claimId, asked: does.asks });
    else if (does.asks === 'waiting' || does.asks === 'escalated' || does.asks === 'disagree')
      setAsked(does.asks);
    else if (does.asks === 'payment') setIsPaying(true);
    else focusOn(does.asks);
  };
  const latestRun = useRef(run);
  useEffect(() => {
    latestRun.current = run;
  });
  const runLatest = useCallback((command: ReviewCommand) => latestRun.current(command), []);
  const isChecked = useIsInQualityCheck(workspaceId, review);
  const hasTeam = useHasTeam(workspaceId);
  const { email } = useWorkspace();
  const commands = [
    ...reviewCommands,
    ...(isChecked ? checkCommands : []),
    ...(hasTeam ? [takeCommand] : []),
  ];
  useSingleKeys(Object.fromEntries(commands.map((command) => [command.key, () => run(command)])));

  useOfferReview(isChecked ? paletteCheckCommands : paletteCommands, (key) => {
    const command = findReviewCommand(key);
    if (command !== null) run(command);
  });

  return (
    <>
      <div className={classNames.decision} ref={decision}>
        <Section
          title="Review"
          beside={review !== undefined && <StateChip review={review} />}
          actions={
            review !== undefined && (
              <ActionIcon
                variant="subtle"
                color={colorOfTone[review.isFlagged ? 'caution' : 'todo']}
                aria-label="Flag"
                aria-pressed={review.isFlagged}
                aria-keyshortcuts="m"
                title="Flag (m)"
                onClick={() => act({ kind: 'flag', isFlagged: !review.isFlagged })}
              >
                {review.isFlagged ? (
                  <IconFlagFilled size={16} aria-hidden />
                ) : (
                  <IconFlag size={16} aria-hidden />
                )}
              </ActionIcon>
            )
          }
        >
          {error !== null && review === undefined && (
            <ErrorNotice error={error} title="Couldn’t load the review" onRetry={refetch} />
          )}
          {review !== undefined && <DecidedBy review={review} />}
          {review !== undefined && review.olderRecord !== null && (
            <OlderRecord workspaceId={workspaceId} claimId={claimId} older={review.olderRecord} />
          )}
          {review !== undefined && review.decidedTwice.length > 0 && (
            <DecidedTwice review={review} onAct={settle} />
          )}
          {review != null && review.paidTwice !== null && <PaidTwice review={review} onAct={settle} />}
          {review?.changedAt != null && (
            <ChangeNotice
              review={review}
              isQuiet={outcome?.of === claimId}
              onAccept={() => {
                act({ kind: 'accept' });
                onNext?.();
              }}
            />
          )}
          {isChecked && (
            <fieldset className={styles.commands} data-screen-only>
              <legend className={styles.legend}>Quality check</legend>
              {checkCommands.map((command) => (
                <CommandButton key={command.key} command={command} isOn={false} onRun={runLatest} />
              ))}
            </fieldset>
          )}
          <fieldset className={styles.commands} disabled={review === undefined} data-screen-only>
            <legend className={styles.legend}>Done</legend>
            {[...outcomeCommands, declineCommand].map((command) => (
              <CommandButton
                key={command.key}
                command={command}
                isOn={
                  review?.state === 'done' &&
                  review.outcome !== null &&
                  outcomeLabels[review.outcome] === command.label
                }
                onRun={runLatest}
              />
            ))}
          </fieldset>
          {review !== undefined && outcome?.of === claimId && (
            <OutcomeForm
              key={`${claimId} ${outcome.asked}`}
              workspaceId={workspaceId}
              review={review}
              outcome={outcome.asked}
              onClose={() => {
                setOutcome(null);
                decision.current?.querySelector<HTMLElement>(`[data-asks="${outcome.asked}"]`)?.focus();
              }}
              onAct={(decided) => {
                setOutcome(null);
                act(decided);
                onNext?.();
              }}
            />
          )}
          <fieldset className={styles.commands} disabled={review === undefined} data-screen-only>
            <legend className={styles.legend}>Not done yet</legend>
            {stateCommands.map((command) => (
              <CommandButton
                key={command.key}
                command={command}
                isOn={review !== undefined && isStateOf(command, review)}
                onRun={runLatest}
              />
            ))}
          </fieldset>
          {review !== undefined && <ReviewDetails key={claimId} review={review} onAct={act} />}
          <UndoButton workspaceId={workspaceId} claimId={claimId} />
        </Section>
      </div>
      <div className={classNames.record} ref={record}>
        {review !== undefined && (
          <>
            <ClaimWorklists workspaceId={workspaceId} claimId={claimId} />
            <ReviewPayments
              key={`payments ${claimId}`}
              workspaceId={workspaceId}
              review={review}
              isAdding={isPaying}
              onAdding={setIsPaying}
            />
            <ReviewNotes workspaceId={workspaceId} review={review} />
            <ReviewHistory workspaceId={workspaceId} claimId={claimId} />
          </>
        )}
      </div>
      <ActDialog
        asked={asked}
        of={`claim ${claimId}`}
        onClose={() => setAsked(null)}
        onAct={(decided) => {
          setAsked(null);
          act(decided);
          onNext?.();
        }}
      />
    </>
  );
});

/** Whether the claim waits for a second person, and this one is: somebody else reviewed it. */
function useIsInQualityCheck(workspaceId: string, review: ClaimReview | undefined): boolean {
  const { email } = useWorkspace();
  const isOfOther = review?.state === 'done' && review.reviewedBy !== email;
  const why = useDeskQuery(
    'worklists:why',
    { workspaceId, claimId: review?.claimId ?? 0 },
    { enabled: isOfOther },
  );
  return isOfOther && why.data?.worklists.some(({ id }) => id === 'qualityCheck') === true;
}

const isStateOf = ({ does }: ReviewCommand, { state }: ClaimReview): boolean =>
  'act' in does
    ? does.act.kind === 'decision' && does.act.state === state
    : 'asks' in does && does.asks === state;

function StateChip({ review: { state, outcome } }: { review: ClaimReview }) {
  return outcome === null ? (
    <StatusChip label={stateLabels[state]} tone={toneOfCode('review.state', state)} />
  ) : (
    <StatusChip label={outcomeLabels[outcome]} tone={toneOfCode('review.outcome', outcome)} />
  );
}

/** Who decided, when, and what the claim waits for. */
const onWhomLabels = { waiting: 'Waiting on', back: 'Was waiting on', escalated: 'Escalated to' } as const;

function DecidedBy({ review }: { review: ClaimReview }) {
  const now = useNow();
  const { onWhom, reason, receipt, reminder, reviewedAt, reviewedBy, state } = review;
  return (
    <>
      {(state === 'waiting' || state === 'back' || state === 'escalated') && onWhom !== null && (
        <p className={styles.waits}>
          <b>
            {onWhomLabels[state]} {onWhom}
          </b>
          {reason !== null && <span>{reason}</span>}
        </p>
      )}
      {state === 'todo' && reason !== null && (
        <p className={styles.waits}>
          <b>Sent back by the quality check</b>
          <span>{reason}</span>
        </p>
      )}
      {state === 'back' && reminder !== null && (
        <p className={styles.waits}>Reminder was due on {formatDay(reminder)}.</p>
      )}
      {reviewedAt !== null && (
        <SmallPrint className={styles.by ?? ''}>
          Reviewed {formatWhen(reviewedAt, now)} by {reviewedBy}
          {receipt !== null && `, on records synced ${formatWhen(receipt.finishedAt, now)}`}
        </SmallPrint>
      )}
    </>
  );
}

const CommandButton = memo(function CommandButton(props: {
  command: ReviewCommand;
  isOn: boolean;
  onRun: (command: ReviewCommand) => void;
}) {
  const { command, isOn } = props;
  const asks = 'asks' in command.does;
  return (
    <SmallButton
      variant={isOn ? 'light' : 'default'}
      justify="space-between"
      className={`${styles.command ?? ''} ${command === declineCommand ? (styles.wide ?? '') : ''}`}
      aria-pressed={isOn}
      data-asks={'asks' in command.does ? command.does.asks : undefined}
      aria-keyshortcuts={command.key}
      rightSection={<KeyCap>{command.key}</KeyCap>}
      onClick={() => props.onRun(command)}
    >
      {command.label}
      {asks && '…'}
    </SmallButton>
  );
});

/** A button that undoes the newest act on this claim and names it. */
function UndoButton({ workspaceId, claimId }: { workspaceId: string; claimId: number }) {
  const { event, isNewest, undo } = useUndoOf(workspaceId, claimId);
  if (event === null) return null;
  return (
    <SmallButton
      variant="subtle"
      className={styles.undo ?? ''}
      justify="flex-start"
      leftSection={<IconArrowBackUp size={14} aria-hidden />}
      {...(isNewest ? { 'aria-keyshortcuts': 'Control+Z Meta+Z' } : {})}
      onClick={undo}
    >
      Undo: {labelOfUndo(event)}
    </SmallButton>
  );
}
