import { Button, Checkbox, Group, List, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import type { Input, Output } from '../../../contract/procedures.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { ClaimGroup } from '../../../rules/review/review.ts';
import { Total } from '../../components/amount.tsx';
import { Dialog, DialogForm } from '../../components/dialog.tsx';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { Hint, Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { showNotice } from '../../lib/notice.ts';
import { addUp } from '../claim/plan-year-sums.ts';
import styles from './bulk-groups.module.css';
import { BulkPayment, firstPayment, SumOfOpen, useOpenEstimate } from './bulk-payment.tsx';
import { BulkRule, EstimateText, firstRule, readRule, useEstimate } from './bulk-rule.tsx';
import { CauseField } from './cause-field.tsx';
import { describeFact } from './describe-event.ts';
import { isEarlyRefused, useBulkAct } from './use-review.ts';

/** An act for many claims. `onDone` is called after it. */
export interface BulkRequest {
  readonly from: Input<'reviews:freeze'>['from'];
  readonly act: ReviewAct;
  /** The rows were selected one by one: all of them are included unless you leave some out. */
  readonly isPicked: boolean;
  readonly onDone: () => void;
}

type Frozen = Output<'reviews:freeze'>;

const titles: { readonly [Kind in ReviewAct['kind']]?: string } = {
  payment: 'Pay what is open',
  byRule: 'Take proposals',
};

/** Selects the claims of an act, shows their number and sums, and applies the act after a confirmation. */
export function BulkDialog(props: { request: BulkRequest | null; onClose: () => void }) {
  const { request, onClose } = props;
  return (
    <Dialog
      isOpen={request !== null}
      onClose={onClose}
      title={
        request === null
          ? ''
          : (titles[request.act.kind] ??
            `${request.act.kind === 'decision' ? 'Mark claims' : 'Review claims:'} ${describeFact(request.act)}`)
      }
    >
      {request !== null && (
        <FrozenClaims from={request.from}>
          {(frozen) => <BulkAct frozen={frozen} request={request} onClose={onClose} />}
        </FrozenClaims>
      )}
    </Dialog>
  );
}

/** Selects the claims of a list once for each time that a dialog is opened, and shows its content with them. */
export function FrozenClaims(props: { from: BulkRequest['from']; children: (frozen: Frozen) => ReactNode }) {
  const frozen = useWorkspaceQuery('reviews:freeze', { from: props.from }, { isOnce: true });
  if (frozen.error !== null || frozen.data === undefined)
    return <NotLoaded query={frozen} what="the claims" />;
  return props.children(frozen.data);
}

function BulkAct(props: { frozen: Frozen; request: BulkRequest; onClose: () => void }) {
  const { frozen, request, onClose } = props;
  const bulk = useBulkAct();
  if (bulk.data !== undefined && hasLeftOut(bulk.data))
    return <LeftOut done={bulk.data} act={request.act} onClose={onClose} />;
  return (
    <>
      <ErrorNotice error={bulk.error} title="Couldn’t save the review" />
      <ConfirmForm
        frozen={frozen}
        request={request}
        isPending={bulk.isPending}
        asksEarly={isEarlyRefused(bulk.error)}
        onClose={onClose}
        onConfirm={(act, groups) =>
          bulk.mutate(
            {
              target: { selectionId: frozen.selectionId, groups },
              act,
              acceptsEarly: isEarlyRefused(bulk.error),
            },
            {
              onSuccess: (done) => {
                request.onDone();
                if (hasLeftOut(done)) return;
                onClose();
                if (done.unchanged > 0)
                  showNotice('review', { title: 'Already saved', message: sayDone(done, request.act) });
              },
            },
          )
        }
      />
    </>
  );
}

function ConfirmForm(props: {
  frozen: Frozen;
  request: BulkRequest;
  isPending: boolean;
  /** Some of the payments are dated before the service: the button saves them nevertheless. */
  asksEarly: boolean;
  onClose: () => void;
  onConfirm: (act: ReviewAct, groups: ClaimGroup[]) => void;
}) {
  const { frozen, request } = props;
  const { act } = request;
  const { groups } = frozen;
  const isTaking = act.kind === 'byRule';
  const [reason, setReason] = useState('');
  const [rule, setRule] = useState(firstRule);
  const [chosen, setChosen] = useState(() => groupsAtFirst(request, groups));
  const [payment, setPayment] = useState(firstPayment);
  const open = useOpenEstimate(frozen.selectionId, chosen);
  const wantsRule = act.kind === 'decision' && act.outcome === 'partlyEligible';
  const wantsCause = wantsRule || (act.kind === 'decision' && act.outcome === 'notEligible');
  const wantsReason = act.kind === 'decision' && act.reason === null;
  const partly = wantsRule ? readRule(rule) : null;
  const totals = addUp(groups.filter(({ group }) => chosen.includes(group)).map((group) => group.totals));
  const left = frozen.claims - totals.count;
  const estimate = useEstimate(frozen.selectionId, chosen, partly);
  const proposals = useProposals(frozen.selectionId, isTaking ? chosen : []);
  // The button counts the claims that the act reaches; the result counts those that already had this.
  const saved = isTaking
    ? (proposals.data?.claims ?? 0)
    : act.kind === 'payment'
      ? (open.data?.payments ?? 0)
      : totals.count - (estimate.data?.notKnown ?? 0);
  const isReady =
    saved > 0 && (!wantsRule || estimate.data !== null) && (act.kind !== 'payment' || payment.day !== '');
  const confirm = () => {
    if (act.kind === 'payment')
      return props.onConfirm({ ...act, ...payment, account: payment.account.trim() }, chosen);
    const typed = reason.trim();
    if (act.kind !== 'decision') return props.onConfirm(act, chosen);
    const why = !wantsReason || typed === '' ? {} : wantsCause ? { cause: typed } : { reason: typed };
    props.onConfirm({ ...act, ...why, ...(partly === null ? {} : { partly }) }, chosen);
  };
  return (
    <DialogForm
      action={
        isTaking
          ? `Take ${formatCountOf(saved, 'proposal')}`
          : act.kind === 'decision'
            ? `Mark ${formatCountOf(saved, 'claim')} ${describeFact(act)}`
            : `${act.kind === 'payment' ? 'Pay' : 'Review'} ${formatCountOf(saved, 'claim')}${props.asksEarly ? ' on this day' : ''}`
      }
      isReady={isReady}
      isPending={props.isPending}
      onCancel={props.onClose}
      onSubmit={() => isReady && confirm()}
    >
      {(act.kind !== 'payment' || groups.length > 1) && (
        <BulkGroups groups={groups} chosen={chosen} onChoose={setChosen} />
      )}
      {isTaking && <ProposalsText proposals={proposals} chosen={totals.count} />}
      {act.kind !== 'payment' && !isTaking && (
        <Status>
          <b>{formatCountOf(totals.count, 'claim')}</b>
          {totals.count > 0 && (
            <>
              , open <SumOfOpen estimate={open} />, patient responsibility{' '}
              <Total
                amount={totals.patientResponsibility}
                notCounted={totals.notCounted?.patientResponsibility}
              />
            </>
          )}
          . {act.kind === 'accept' && frozen.claims === 0 ? whyNoneIsKept : sayLeftOut(left)}
        </Status>
      )}
      {act.kind === 'payment' && <BulkPayment estimate={open} draft={payment} onDraft={setPayment} />}
      {wantsRule && (
        <Stack gap="xs">
          <BulkRule hasFocus={areAllOpen(groups)} draft={rule} onDraft={setRule} />
          <EstimateText estimate={estimate} />
        </Stack>
      )}
      {wantsReason && wantsCause && (
        <CauseField
          label={wantsRule ? 'Reason for the rest (optional)' : 'Reason (optional)'}
          hasFocus={!wantsRule && areAllOpen(groups)}
          value={reason}
          onChange={setReason}
        />
      )}
      {wantsReason && !wantsCause && (
        <TextField
          label="Reason (optional)"
          maxLength={10_000}
          autoFocus={areAllOpen(groups)}
          value={reason}
          onChange={setReason}
        />
      )}
    </DialogForm>
  );
}

/** Asks what rules propose of these claims; nothing where there are no groups. */
const useProposals = (selectionId: string, groups: readonly ClaimGroup[]) =>
  useWorkspaceQuery(
    'reviews:estimateProposals',
    { selectionId, groups: [...groups] },
    { enabled: groups.length > 0, isOnce: true },
  );

/** Shows how many of the chosen claims each rule has a proposal for, and what is open of these. */
function ProposalsText(props: { proposals: ReturnType<typeof useProposals>; chosen: number }) {
  const { data, error } = props.proposals;
  if (error !== null) return <ErrorNotice error={error} title="Couldn’t count the proposals" />;
  if (data === undefined) return <Status>Counting proposals…</Status>;
  const left = props.chosen - data.claims;
  return (
    <Status>
      {data.byRule.map(({ ruleId, name, claims, open }) => (
        <Fragment key={ruleId}>
          {name}: <b>{formatCountOf(claims, 'claim')}</b>, open{' '}
          <b>
            <Total amount={open} />
          </b>
          <br />
        </Fragment>
      ))}
      {sayLeftOut(left, ' without a proposal')}
    </Status>
  );
}

const sayLeftOut = (left: number, which = ''): string =>
  left === 0
    ? 'Claims that change before you confirm are left out.'
    : `${formatCountOf(left, 'claim')}${which} ${left === 1 ? 'is' : 'are'} left out, as are any that change before you confirm.`;

const whyNoneIsKept =
  'Each of these claims changed in patient responsibility, status, or patient. Open one to see what changed.';

/** The most claims that are listed; further ones are only counted. */
const maxNamed = 20;

const hasLeftOut = ({ leftOut, notKnown, needsSecond }: Output<'reviews:act'>): boolean =>
  leftOut.length + notKnown.length + needsSecond.length > 0;

const sayDone = ({ claims, unchanged }: Output<'reviews:act'>, act: ReviewAct): string =>
  `${describeFact(act)}: ${formatCountOf(claims, 'claim')} saved.${unchanged === 0 ? '' : ` ${formatCountOf(unchanged, 'claim')} already had this.`}`;

function LeftOut(props: { done: Output<'reviews:act'>; act: ReviewAct; onClose: () => void }) {
  const { done, act } = props;
  const { leftOut, notKnown, needsSecond } = done;
  return (
    <Stack gap="sm">
      <Status>{sayDone(done, act)}</Status>
      <NamedClaims
        ids={leftOut}
        why={
          act.kind === 'missing'
            ? 'left out: the service still returns them, or they changed since you selected them'
            : act.kind === 'byRule'
              ? 'left out: they have no proposal, or changed since you selected them'
              : 'left out, changed since you selected them'
        }
      />
      <NamedClaims ids={notKnown} why="left out, because the eligible amount can’t be known" />
      <NamedClaims
        ids={needsSecond}
        why="left out, because the team’s two-person rule leaves it to a colleague"
      />
      <Group justify="flex-end">
        <Button data-autofocus onClick={props.onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

function NamedClaims({ ids, why }: { ids: readonly number[]; why: string }) {
  if (ids.length === 0) return null;
  return (
    <div>
      <Text size="sm">
        {formatCountOf(ids.length, 'claim')} {why}:
      </Text>
      <List size="sm">
        {ids.slice(0, maxNamed).map((id) => (
          <List.Item key={id}>Claim {id}</List.Item>
        ))}
        {ids.length > maxNamed && <List.Item>and {formatCount(ids.length - maxNamed)} more</List.Item>}
      </List>
    </div>
  );
}

export type FrozenGroups = Output<'reviews:freeze'>['groups'];

/** After a count: "28 denied by the carrier". */
const groupLabels: Readonly<Record<ClaimGroup, string>> = {
  open: 'to review, processed by the carrier',
  reviewed: 'reviewed already (done, waiting, or escalated)',
  rejected: 'denied by the carrier',
  rejectedReviewed: 'denied by the carrier, reviewed already',
  unprocessed: 'not processed by the carrier yet',
  unprocessedReviewed: 'not processed by the carrier yet, reviewed already',
};

export const areAllOpen = (groups: FrozenGroups): boolean => groups.every(({ group }) => group === 'open');

/**
 * The groups that are included at first: a decision on a whole list includes only processed claims that need a
 * review.
 */
export const groupsAtFirst = (
  { act, isPicked }: { readonly act: ReviewAct; readonly isPicked: boolean },
  groups: FrozenGroups,
): ClaimGroup[] =>
  groups.map(({ group }) => group).filter((group) => isPicked || act.kind !== 'decision' || group === 'open');

/**
 * The number of claims in each group of a selection, and whether the group is included. Empty where all need a
 * review.
 */
export function BulkGroups(props: {
  groups: FrozenGroups;
  chosen: readonly ClaimGroup[];
  onChoose: (chosen: ClaimGroup[]) => void;
}) {
  const { groups, chosen, onChoose } = props;
  if (areAllOpen(groups)) return null;
  const all = groups.reduce((sum, { totals }) => sum + totals.count, 0);
  return (
    <fieldset className={styles.groups}>
      <legend className={styles.legend}>Which of the {formatCountOf(all, 'claim')}</legend>
      {groups.map(({ group, totals }, at) => (
        <div key={group} className={styles.group}>
          <Checkbox
            size="sm"
            label={`${formatCount(totals.count)} ${groupLabels[group]}`}
            checked={chosen.includes(group)}
            autoFocus={at === 0}
            onChange={({ currentTarget: { checked } }) =>
              onChoose(checked ? [...chosen, group] : chosen.filter((chosenGroup) => chosenGroup !== group))
            }
          />
          <Hint className={styles.amount ?? ''}>
            <Total
              amount={totals.patientResponsibility}
              notCounted={totals.notCounted?.patientResponsibility}
            />
          </Hint>
        </div>
      ))}
    </fieldset>
  );
}
