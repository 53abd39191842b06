import { Button, Menu } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { formatCountOf } from '../../../rules/count.ts';
import { missingAnswers } from '../../../rules/money/chain-claim.ts';
import { missingAnswerLabels } from '../../../rules/money/say-chain.ts';
import { decide } from '../../../rules/review/acts/decision.ts';
import { actOf, type ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { outcomeLabels } from '../../../rules/review/review-labels.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { deskQuery } from '../../lib/desk-query.ts';
import { showNotice } from '../../lib/notice.ts';
import { mayPress, takePress } from '../../lib/presses.ts';
import { useIsShown } from '../../lib/shown.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import type { RowKeyPress } from '../list/grid/use-grid-keys.ts';
import type { RememberedList } from '../list/list-memory.tsx';
import { worklistClaimsList } from '../list/list-ref.ts';
import type { RecordListProps } from '../list/record-list.tsx';
import { MakeRunDialog, type RunRequest } from '../run/make-run-dialog.tsx';
import { useHasTeam } from '../team/use-has-team.ts';
import { useReadOnlyReason } from '../team/use-is-reader.ts';
import { WriterOnly } from '../team/writer-only.tsx';
import { ActDialog, type AskedFor } from './act-dialog.tsx';
import { BulkDialog, type BulkRequest } from './bulk-dialog.tsx';
import styles from './bulk-groups.module.css';
import { openPayment } from './bulk-payment.tsx';
import { DealDialog, type DealRequest } from './deal-dialog.tsx';
import {
  type AskedOutcome,
  checkCommands,
  detailCommands,
  findReviewCommand,
  isAskedOutcome,
  keepCommand,
  outcomeCommands,
  proposalCommand,
  type ReviewCommand,
  stateCommands,
  takeCommand,
} from './group-commands.ts';
import { KeyCap } from './key-cap.tsx';
import { OutcomeForm } from './outcome-form.tsx';
import { PaymentForm } from './review-payments.tsx';
import { SavedStrip } from './saved-strip.tsx';
import { useReview, useSend } from './use-review.ts';

/** The selected rows of a list, or all of its rows. */
type ManyClaims = { readonly kind: 'selection' | 'list'; readonly list: RememberedList };
/** The claims of an act: many, or one row. */
type Target = ManyClaims | { readonly kind: 'row'; readonly claimId: number; readonly press: RowKeyPress };

/** Commands for many claims by section. They are confirmed in a dialog, which also asks for a reason. */
const bulkSections = [
  { label: 'Decide', commands: [proposalCommand, ...outcomeCommands] },
  { label: 'Set', commands: [...stateCommands, keepCommand] },
  { label: 'Mark and pay', commands: detailCommands },
] as const;
/** On many claims a payment is of what is open of each. */
const bulkLabel = ({ label, does }: ReviewCommand): string =>
  'asks' in does && does.asks === 'payment' ? 'Pay what is open' : label;

/** The claims of a selection or a list, to be fixed for an act on them; null while the list is not there. */
function requestOf({ kind, list }: ManyClaims): Omit<BulkRequest, 'act'> | null {
  const { rowsOf: snapshotId } = list;
  if (snapshotId === null) return null;
  const { snapshot } = list.source.getState();
  const total = snapshot?.snapshotId === snapshotId ? snapshot.total : Number.POSITIVE_INFINITY;
  const places = list.selection.getRanges().map(([first, last]): [number, number] => [first, last]);
  return {
    from: { kind: 'list', snapshotId, ...(kind === 'selection' ? { places } : {}) },
    isPicked: kind === 'selection' && list.selection.count < total,
    onDone: () => list.selection.clear(),
  };
}

/** The worklist in which decisions can be kept without looking at each claim. */
const listOfChanged = worklistClaimsList('changed');
/** The worklists from which a run is made at once. */
const listsOfMissing = [worklistClaimsList('exceptions'), worklistClaimsList('missing')];
const listsOfRuns = [worklistClaimsList('toPay'), worklistClaimsList('owedBack')];

/** A run of the claims of a selection or a list; of *Owed back*, of what differs. */
function runOf(target: ManyClaims): RunRequest | null {
  const request = requestOf(target);
  return request && { ...request, corrections: target.list.id === listsOfRuns[1] };
}

/** The dialogs of a list's reviews; what each asks for, or null while it is closed. */
function useQuestions() {
  const [asked, setAsked] = useState<{ readonly for: AskedFor; readonly target: Target } | null>(null);
  const [bulk, setBulk] = useState<BulkRequest | null>(null);
  const [deal, setDeal] = useState<DealRequest | null>(null);
  const [ofClaim, setOfClaim] = useState<(AskedOfClaim & { readonly target: Target }) | null>(null);
  const [run, setRun] = useState<RunRequest | null>(null);
  return { asked, setAsked, bulk, setBulk, deal, setDeal, run, setRun, ofClaim, setOfClaim };
}
type Questions = ReturnType<typeof useQuestions>;
type Act = (target: Target, act: ReviewAct, goesOn: boolean) => void;

/** Runs acts on a target: at once in a row, after a confirmation on many claims. */
function useActs({ setAsked, setBulk, setOfClaim }: Questions) {
  const { id: workspaceId, email } = useWorkspace();
  const bridge = useBridge();
  const cache = useQueryClient();
  const send = useSend();

  const act: Act = (target, reviewAct, goesOn) => {
    if (target.kind !== 'row') {
      const many = requestOf(target);
      if (many !== null) setBulk({ ...many, act: reviewAct });
      return;
    }
    target.press.patch(actOf(reviewAct).cells?.(reviewAct) ?? {});
    send(target.claimId, reviewAct);
    if (goesOn) target.press.focusNext();
  };
  /** Runs an action that depends on the claim's current review. */
  const withReview = (target: Target, then: (review: ClaimReview) => void) => {
    if (target.kind === 'row')
      void cache
        .fetchQuery(deskQuery(bridge, 'reviews:get', { workspaceId, claimId: target.claimId }))
        .then(then, () => undefined);
  };
  const run = (command: ReviewCommand, target: Target): boolean => {
    const { does } = command;
    if ('asks' in does) {
      const { asks } = does;
      if (asks !== 'payment' && !isAskedOutcome(asks)) setAsked({ for: asks, target });
      else if (target.kind === 'row') setOfClaim({ claimId: target.claimId, asks, target });
      else if (asks === 'payment') act(target, openPayment, false);
      else act(target, decide('done', asks), true);
    } else if ('takes' in does) act(target, { kind: 'owner', owner: email }, false);
    else if ('toggles' in does) {
      if (target.kind !== 'row') act(target, { kind: 'flag', isFlagged: true }, false);
      withReview(target, ({ isFlagged }) => act(target, { kind: 'flag', isFlagged: !isFlagged }, false));
    } else if (does.act.kind === 'accept' && target.kind === 'row') {
      withReview(target, ({ changedAt }) => {
        if (changedAt !== null) act(target, does.act, true);
      });
    } else if (does.act.kind === 'byRule' && target.kind === 'row') {
      const { 'facts.proposal': proposed } = target.press.row;
      if (typeof proposed !== 'string') return sayNoProposal(target.claimId, proposed === undefined);
      send(target.claimId, does.act, proposed);
      target.press.focusNext();
    } else act(target, does.act, command.goesOn);
    return true;
  };
  return { act, run };
}

/** Reviews claims in their list: by key in the focused row or for all selected rows, and from a menu. */
export function useReviewList(): Pick<RecordListProps, 'onRowKey' | 'selectionActions' | 'listActions'> & {
  dialogs: ReactNode;
} {
  const questions = useQuestions();
  const hasTeam = useHasTeam();
  const readOnlyReason = useReadOnlyReason();
  const { act, run } = useActs(questions);
  const keepUnchanged = (target: ManyClaims) => {
    const many = requestOf(target);
    if (many === null) return;
    questions.setBulk({ ...many, from: { ...many.from, kind: 'acceptable' }, act: { kind: 'accept' } });
  };
  const menusOf = (target: ManyClaims) => (
    <>
      {listsOfMissing.includes(target.list.id) && (
        <MissingMenu size={sizeOf[target.kind]} onAnswer={(answer) => act(target, answer, false)} />
      )}
      <ReviewMenu
        of={target.kind}
        onRun={(command) => run(command, target)}
        onUnflag={() => act(target, removeFlag, false)}
        onRunOf={() => questions.setRun(runOf(target))}
        {...(hasTeam ? { onDeal: () => questions.setDeal(requestOf(target)) } : {})}
        {...(target.kind === 'list' && target.list.id === listOfChanged
          ? { onKeepUnchanged: () => keepUnchanged(target) }
          : {})}
      />
    </>
  );

  return {
    onRowKey: (press, list) => {
      const command = findReviewCommand(press.key);
      const claimId = press.row.id;
      if (command === null || typeof claimId !== 'number' || (command === takeCommand && !hasTeam))
        return false;
      if (readOnlyReason !== null) return sayReadOnly(readOnlyReason);
      const isMany = list.selection.count > 0;
      if (checkCommands.includes(command)) {
        if (list.id !== worklistClaimsList('qualityCheck')) return false;
        if (isMany) return sayOneAtATime();
      }
      const isAsking = isMany || 'asks' in command.does;
      if (!(isAsking ? mayPress(press.isReady) : takePress(press.isReady))) return true;
      return run(command, isMany ? { kind: 'selection', list } : { kind: 'row', claimId, press });
    },
    selectionActions: (list) => (
      <WriterOnly isSaid={false}>
        {list.id === worklistClaimsList('toPay') && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => act({ kind: 'selection', list }, openPayment, false)}
          >
            Pay selected…
          </Button>
        )}
        {menusOf({ kind: 'selection', list })}
      </WriterOnly>
    ),
    listActions: (list, isEmpty) => (
      <WriterOnly isEmpty={isEmpty}>
        {listsOfRuns.includes(list.id) && (
          <Button
            size="compact-sm"
            onClick={() =>
              questions.setRun(runOf({ kind: list.selection.count > 0 ? 'selection' : 'list', list }))
            }
          >
            Make run…
          </Button>
        )}
        {menusOf({ kind: 'list', list })}
      </WriterOnly>
    ),
    dialogs: <ReviewDialogs {...questions} act={act} />,
  };
}

/** Decides what the missing claims of a list or a selection mean; the others are not changed. */
const MissingMenu = (props: { size: string; onAnswer: (act: ReviewAct) => void }) => (
  <Menu>
    <Menu.Target>
      <Button size={props.size} variant="default">
        Gone claims…
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {missingAnswers.map((answer) => (
        <Menu.Item key={answer} onClick={() => props.onAnswer({ kind: 'missing', answer })}>
          {missingAnswerLabels[answer]}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

function nameTarget(target: Target): string {
  if (target.kind === 'row') return `claim ${target.claimId}`;
  return target.kind === 'list'
    ? 'all claims in this list'
    : formatCountOf(target.list.selection.count, 'claim');
}

function ReviewDialogs(props: Questions & { act: Act }) {
  const { asked, setAsked, bulk, setBulk, deal, setDeal, run, setRun, ofClaim, setOfClaim, act } = props;
  const isShown = useIsShown();
  return (
    <>
      {isShown && <SavedStrip isOfList isSaid={({ memberId }) => memberId === undefined} />}
      <ActDialog
        asked={asked?.for ?? null}
        of={asked === null ? '' : nameTarget(asked.target)}
        onClose={() => setAsked(null)}
        onAct={(reviewAct) => {
          if (asked === null) return;
          setAsked(null);
          act(asked.target, reviewAct, reviewAct.kind === 'decision' || reviewAct.kind === 'check');
        }}
      />
      <BulkDialog request={bulk} onClose={() => setBulk(null)} />
      <DealDialog request={deal} onClose={() => setDeal(null)} />
      <MakeRunDialog request={run} onClose={() => setRun(null)} />
      <ClaimDialog
        asked={ofClaim}
        onClose={() => setOfClaim(null)}
        onAct={(reviewAct) => {
          if (ofClaim === null) return;
          setOfClaim(null);
          act(ofClaim.target, reviewAct, true);
        }}
      />
    </>
  );
}

/** A second person checks each claim by itself. */
function sayOneAtATime(): true {
  showNotice('review', {
    title: 'Check one claim at a time',
    message: 'Clear the selection, then press the key in a row.',
  });
  return true;
}

function sayNoProposal(claimId: number, isHidden: boolean): true {
  showNotice('review', {
    title: 'Not saved',
    message: isHidden
      ? 'This list doesn’t show what rules propose. Add the column Proposed, or open the claim.'
      : `Claim ${claimId} has no proposal.`,
  });
  return true;
}

function sayReadOnly(message: string): true {
  showNotice('review', { title: 'Not saved', message });
  return true;
}

const removeFlag: ReviewAct = { kind: 'flag', isFlagged: false };

/** The buttons of a selection are in the bar of totals, those of the list above it. */
const sizeOf = { selection: 'compact-xs', list: 'compact-sm' };

/** A menu of acts on many claims. For those on the whole list there are no keys. */
const ReviewMenu = (props: {
  of: ManyClaims['kind'];
  onRun: (command: ReviewCommand) => void;
  onUnflag: () => void;
  onRunOf: () => void;
  /** Only in a team. */
  onDeal?: () => void;
  onKeepUnchanged?: () => void;
}) => (
  <Menu position={props.of === 'list' ? 'bottom-end' : 'top-start'}>
    <Menu.Target>
      <Button size={sizeOf[props.of]} variant="default" leftSection={<IconChecks size={14} aria-hidden />}>
        {props.of === 'list' ? 'Review all…' : 'Review…'}
      </Button>
    </Menu.Target>
    <Menu.Dropdown className={styles.menu ?? ''}>
      {bulkSections.map(({ label, commands }) => (
        <Fragment key={label}>
          <Menu.Label>{label}</Menu.Label>
          {commands.map((command) => (
            <Menu.Item
              key={command.key}
              {...(props.of === 'list'
                ? {}
                : { 'aria-keyshortcuts': command.key, rightSection: <KeyCap>{command.key}</KeyCap> })}
              onClick={() => props.onRun(command)}
            >
              {bulkLabel(command)}
            </Menu.Item>
          ))}
        </Fragment>
      ))}
      <Menu.Item onClick={props.onRunOf}>Make reimbursement run…</Menu.Item>
      <Menu.Item onClick={props.onUnflag}>Remove flag</Menu.Item>
      {props.onDeal !== undefined && <Menu.Item onClick={props.onDeal}>Assign to people…</Menu.Item>}
      {props.onKeepUnchanged !== undefined && (
        <Menu.Item onClick={props.onKeepUnchanged}>
          Keep decisions where patient responsibility, status, and patient are the same
        </Menu.Item>
      )}
    </Menu.Dropdown>
  </Menu>
);

/** A question about one claim of a list: a payment, or the values of an outcome. */
interface AskedOfClaim {
  readonly claimId: number;
  readonly asks: 'payment' | AskedOutcome;
}

interface ClaimDialogProps {
  /** The question; null: closed. */
  asked: AskedOfClaim | null;
  onAct: (act: ReviewAct) => void;
  onClose: () => void;
}

/** Asks about one claim of a list. It opens at the key press, so that keys typed next do not decide another claim. */
function ClaimDialog(props: ClaimDialogProps) {
  const { asked, onClose } = props;
  const what = asked === null || asked.asks === 'payment' ? 'Payment' : outcomeLabels[asked.asks];
  return (
    <Dialog
      isOpen={asked !== null}
      onClose={onClose}
      title={asked === null ? '' : `${what}: claim ${asked.claimId}`}
    >
      {asked !== null && <OfClaim {...props} asked={asked} />}
    </Dialog>
  );
}

function OfClaim({ asked, onAct, onClose }: ClaimDialogProps & { asked: AskedOfClaim }) {
  const { review, error } = useReview(asked.claimId);
  if (review === undefined)
    return error === null ? null : <ErrorNotice error={error} title="Couldn’t open the review" />;
  if (asked.asks === 'payment') return <PaymentForm review={review} onClose={onClose} />;
  return <OutcomeForm review={review} outcome={asked.asks} onAct={onAct} onClose={onClose} />;
}
