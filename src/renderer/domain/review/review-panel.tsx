import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp, IconFlag, IconFlagFilled } from '@tabler/icons-react';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { ReviewQuestion } from '../../../rules/review/event-kind.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { colorOfTone } from '../../lib/claim-status.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { showNotice } from '../../lib/notice.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { Documents } from '../document/documents.tsx';
import type { RecordGate } from '../list/record-gate.ts';
import { useHasTeam } from '../team/use-has-team.ts';
import { useReadOnlyReason } from '../team/use-is-reader.ts';
import { WriterOnly } from '../team/writer-only.tsx';
import { ActDialog } from './act-dialog.tsx';
import { ClaimWorklists } from './claim-worklists.tsx';
import {
  checkCommands,
  declineCommand,
  findReviewCommand,
  isAskedOutcome,
  outcomeCommands,
  paletteCheckCommands,
  paletteCommands,
  proposalCommand,
  type ReviewCommand,
  reviewCommands,
  stateCommands,
  takeCommand,
  takeShown,
  useCommand,
} from './group-commands.ts';
import { KeyCap } from './key-cap.tsx';
import { OutcomeForm } from './outcome-form.tsx';
import { ReviewAppeals } from './review-appeals.tsx';
import { ChangeNotice, OlderRecord } from './review-changes.tsx';
import { ReviewDetails } from './review-details.tsx';
import { ReviewHistory } from './review-history.tsx';
import { ReviewNotes } from './review-notes.tsx';
import styles from './review-panel.module.css';
import { ReviewPayments } from './review-payments.tsx';
import { DecidedByRule, Proposal, useRuleOf } from './review-rule.tsx';
import { DecidedBy, OpenAmount, StateChip } from './review-standing.tsx';
import { useOfferReview } from './review-target.ts';
import { DecidedTwice, PaidTwice } from './review-twice.tsx';
import { sayUse } from './say-keep.ts';
import { sayUndo } from './undo-route.ts';
import { useReview, useSend } from './use-review.ts';
import { useUndoOf } from './use-undo.ts';

/**
 * The review of one claim: decision, the data behind it, payments, notes and history. Its two parts are two items of
 * the page's grid. `onNext`: shows the next claim of the list; null where there is no list.
 */
export const ReviewPanel = memo(function ReviewPanel(props: {
  gate: RecordGate;
  claimId: number;
  onNext: (() => void) | null;
  classNames: { readonly decision: string | undefined; readonly record: string | undefined };
}) {
  const { gate, claimId, onNext, classNames } = props;
  const { review, error, refetch } = useReview(claimId);
  const send = useSend();
  const explained = useRuleOf(claimId);
  const isReadOnly = useReadOnlyReason() !== null;
  const [question, setQuestion] = useState<{ readonly of: number; readonly asks: ReviewQuestion } | null>(
    null,
  );
  /** The question about this claim; a question about another claim is not shown. */
  const asked = question?.of === claimId ? question.asks : null;
  if (question !== null && asked === null) setQuestion(null);
  const outcome = asked !== null && isAskedOutcome(asked) ? asked : null;
  /** A form of the panel is open, which has the primary button. */
  const isFormOpen = outcome !== null || asked === 'payment';
  const decision = useRef<HTMLDivElement>(null);
  const record = useRef<HTMLDivElement>(null);
  const act = (reviewAct: ReviewAct) => send(claimId, reviewAct);
  /** Acts by a press, if that is for this claim. `goesOn`: shows the next claim. */
  const pressAct = (reviewAct: ReviewAct, goesOn = false) => {
    if (isReadOnly || review === undefined || !gate.take(claimId)) return;
    act(reviewAct);
    if (goesOn) onNext?.();
  };
  const actAndContinue = (reviewAct: ReviewAct) => pressAct(reviewAct, true);
  /** Decides by the form or dialog of this claim. */
  const answer = (decided: ReviewAct) => {
    setQuestion(null);
    act(decided);
    onNext?.();
  };

  const ask = (asks: ReviewQuestion) => {
    if (isReadOnly || review === undefined || !gate.mayPress(claimId)) return;
    if (isInField(asks)) {
      for (const part of [decision.current, record.current])
        part?.querySelector<HTMLElement>(`[data-question="${asks}"]`)?.focus();
    } else setQuestion({ of: claimId, asks });
  };
  /** The act of a command; null: it is impossible. Keeping a decision needs a change of the claim, taking a proposal needs one. */
  const findAct = (reviewAct: ReviewAct): ReviewAct | null => {
    if (reviewAct.kind === 'accept') return review?.changedAt == null ? null : reviewAct;
    if (reviewAct.kind !== 'byRule') return reviewAct;
    if (explained === undefined) sayUnknownProposal(claimId);
    const shown = explained?.proposal ?? null;
    return shown && takeShown(shown);
  };
  const run = (command: ReviewCommand) => {
    const { does, goesOn } = command;
    if ('asks' in does) ask(does.asks);
    else if ('takes' in does) pressAct({ kind: 'owner', owner: email });
    else if ('toggles' in does) pressAct({ kind: 'flag', isFlagged: review?.isFlagged !== true });
    else {
      const allowedAct = findAct(does.act);
      if (allowedAct !== null) pressAct(allowedAct, goesOn);
    }
  };
  const latestRun = useRef(run);
  useEffect(() => {
    latestRun.current = run;
  });
  const runLatest = useCallback((command: ReviewCommand) => latestRun.current(command), []);
  const isChecked = useIsInQualityCheck(review);
  const hasTeam = useHasTeam();
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

  // Of a claim that changed, the notice above offers what the rules give, or keeping it.
  const isAbove =
    review?.changedAt != null && (review.ifKept?.outcome === 'eligible' || sayUse(review) !== null);
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
                disabled={isReadOnly}
                onClick={() => pressAct({ kind: 'flag', isFlagged: !review.isFlagged })}
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
          <DecidedByRule rule={review?.rule} explained={explained} />
          {review !== undefined && (review.olderRecord !== null || review.foundBy !== null) && (
            <OlderRecord review={review} />
          )}
          <WriterOnly>
            {review !== undefined && review.decidedTwice.length > 0 && (
              <DecidedTwice review={review} onAct={actAndContinue} />
            )}
            {review != null && review.paidTwice !== null && (
              <PaidTwice review={review} onAct={actAndContinue} />
            )}
            {review?.changedAt != null && (
              <ChangeNotice
                review={review}
                isQuiet={isFormOpen}
                onKeep={() => actAndContinue({ kind: 'accept' })}
                onUse={() => runLatest(useCommand)}
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
            {review !== undefined && <OpenAmount review={review} />}
            {review !== undefined && (
              <Proposal proposal={explained?.proposal ?? null} onTake={() => runLatest(proposalCommand)} />
            )}
            <fieldset className={styles.decide} disabled={review === undefined} data-screen-only>
              <legend className={styles.hidden}>Decide</legend>
              {(isAbove ? firstOfChanged : firstCommands).map((command) => (
                <CommandButton
                  key={command.key}
                  command={command}
                  isOn={review !== undefined && isStateOf(command, review, outcome)}
                  onRun={runLatest}
                  isPrimary={command.key === primaryKey}
                  isFilled={!isFormOpen && review !== undefined && isToDecide(review)}
                  label={labels[command.key]}
                  amount={command.key === primaryKey ? (review?.byRules ?? null) : null}
                />
              ))}
            </fieldset>
            {review !== undefined && outcome !== null && (
              <OutcomeForm
                key={`${claimId} ${outcome}`}
                review={review}
                outcome={outcome}
                onClose={() => {
                  setQuestion(null);
                  decision.current?.querySelector<HTMLElement>(`[data-asks="${outcome}"]`)?.focus();
                }}
                onAct={answer}
              />
            )}
            <details className={styles.others} data-screen-only>
              <summary className={styles.more}>More</summary>
              <fieldset className={styles.commands} disabled={review === undefined}>
                <legend className={styles.hidden}>More</legend>
                {otherCommands.map((command) => (
                  <CommandButton
                    key={command.key}
                    command={command}
                    isOn={review !== undefined && isStateOf(command, review, outcome)}
                    onRun={runLatest}
                  />
                ))}
              </fieldset>
            </details>
            {review !== undefined && (
              <ReviewDetails key={claimId} review={review} onAct={act} onPress={pressAct} />
            )}
            <UndoButton claimId={claimId} />
          </WriterOnly>
        </Section>
      </div>
      <div className={classNames.record} ref={record}>
        {review !== undefined && (
          <>
            <ClaimWorklists claimId={claimId} />
            <WriterOnly isSaid={false}>
              <ReviewPayments
                key={`payments ${claimId}`}
                review={review}
                isAdding={asked === 'payment'}
                onAdding={(isAdding) => setQuestion(isAdding ? { of: claimId, asks: 'payment' } : null)}
              />
              <ReviewAppeals
                key={`appeals ${claimId}`}
                review={review}
                mayPress={() => gate.mayPress(claimId)}
              />
              <ReviewNotes review={review} />
            </WriterOnly>
            <Documents
              key={`documents ${claimId}`}
              review={review}
              isReadOnly={isReadOnly}
              mayPress={() => gate.mayPress(claimId)}
            />
            <ReviewHistory claimId={claimId} />
          </>
        )}
      </div>
      <ActDialog
        asked={asked === 'waiting' || asked === 'escalated' || asked === 'disagree' ? asked : null}
        of={`claim ${claimId}`}
        onClose={() => setQuestion(null)}
        onAct={answer}
      />
    </>
  );
});

/** A field of the page has these; for the others a form or a dialog opens. */
const isInField = (asks: ReviewQuestion): boolean =>
  asks === 'note' || asks === 'tags' || asks === 'owner' || asks === 'reminder';

/** Whether the claim waits for a second person, and you are one: another member reviewed it. */
function useIsInQualityCheck(review: ClaimReview | undefined): boolean {
  const { email } = useWorkspace();
  const hasTeam = useHasTeam();
  const isOfOther = hasTeam && review?.state === 'done' && review.reviewedBy !== email;
  const why = useWorkspaceQuery('worklists:why', { claimId: review?.claimId ?? 0 }, { enabled: isOfOther });
  return isOfOther && why.data?.worklists.some(({ id }) => id === 'qualityCheck') === true;
}

/** Whether an amount is known that nothing decides yet. */
const isToDecide = ({ open, byRules, outcome, changedAt }: ClaimReview): boolean =>
  open !== null && byRules !== null && outcome === null && changedAt === null;

/** Whether this command asks what an open form asks or, without one, gives the state or outcome that the claim has. */
const isStateOf = (
  { does }: ReviewCommand,
  { state, outcome }: ClaimReview,
  open: ReviewQuestion | null,
): boolean => {
  if (open !== null) return 'asks' in does && does.asks === open;
  if ('act' in does)
    return does.act.kind === 'decision' && does.act.state === state && does.act.outcome === outcome;
  return 'asks' in does && (does.asks === state || (state === 'done' && does.asks === outcome));
};

const sayUnknownProposal = (claimId: number): void =>
  showNotice('review', {
    title: 'Not saved',
    message: `What rules propose for claim ${claimId} isn’t loaded yet.`,
  });

const decisions = [...outcomeCommands, declineCommand, ...stateCommands];

/** The decision that is made most, which is the page's primary button. */
const primaryKey = '1';
const labels: Readonly<Record<string, string>> = { 2: 'Partly…', c: 'Not eligible…', w: 'Waiting…' };
const firstCommands = decisions.filter(({ key }) => key === primaryKey || key in labels);
/** The decisions beside a notice that has the primary button. */
const firstOfChanged = firstCommands.filter((command) => command !== useCommand);
/** The decisions under *More*. "Not eligible" without a reason has a key only. */
const otherCommands = decisions.filter((command) => !firstCommands.includes(command) && command.key !== '3');

/**
 * The button of a command. `isPrimary`: the largest, with the amount in ten-thousandths of a dollar. `isFilled`: that one
 * is the page's primary button now.
 */
const CommandButton = memo(function CommandButton(props: {
  command: ReviewCommand;
  isOn: boolean;
  onRun: (command: ReviewCommand) => void;
  label?: string | undefined;
  isPrimary?: boolean;
  isFilled?: boolean;
  amount?: number | null;
}) {
  const { command, isOn, isPrimary = false, isFilled = false, amount = null } = props;
  const asks = 'asks' in command.does;
  const plain = isOn ? 'light' : 'default';
  return (
    <SmallButton
      variant={isPrimary && isFilled && !isOn ? 'filled' : plain}
      justify="space-between"
      className={isPrimary ? (styles.primary ?? '') : (styles.command ?? '')}
      aria-pressed={isOn}
      data-asks={'asks' in command.does ? command.does.asks : undefined}
      aria-keyshortcuts={command.key}
      rightSection={<KeyCap>{command.key}</KeyCap>}
      onClick={() => props.onRun(command)}
    >
      {props.label ?? `${command.label}${asks ? '…' : ''}`}
      {amount !== null && ` ${formatTenThousandths(amount)}`}
    </SmallButton>
  );
});

/** A button that undoes the newest act on this claim and names it. */
function UndoButton({ claimId }: { claimId: number }) {
  const { event, isNewest, undo } = useUndoOf(claimId);
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
      {sayUndo(event)}
    </SmallButton>
  );
}
