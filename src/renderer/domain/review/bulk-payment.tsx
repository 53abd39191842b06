import { NativeSelect } from '@mantine/core';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import type { PaymentKind } from '../../../rules/money/reimbursement.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { ClaimGroup } from '../../../rules/review/review.ts';
import { paymentLabels } from '../../../rules/review/review-labels.ts';
import { Total } from '../../components/amount.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { NotLoaded } from '../../components/error-notice.tsx';
import { SmallPrint, Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { describeBroken } from './describe-broken.ts';

/** A payment of what is open of each claim. */
export const openPayment: ReviewAct = {
  kind: 'payment',
  payment: 'reimbursed',
  amount: null,
  day: null,
  account: '',
};

const kinds: readonly PaymentKind[] = ['reimbursed', 'matchedToCard'];

export const firstPayment = () => ({
  payment: 'reimbursed' as PaymentKind,
  day: localDayOf(new Date()),
  account: '',
});
type PaymentDraft = ReturnType<typeof firstPayment>;

/** The sum of the payments of these claims' open amounts, and how many claims get none. */
export const useOpenEstimate = (selectionId: string, groups: readonly ClaimGroup[]) =>
  useWorkspaceQuery(
    'reviews:estimateOpen',
    { selectionId, groups: [...groups] },
    { enabled: groups.length > 0, isOnce: true },
  );

/** The total open amount of these claims, and for how many it is not known. */
export function SumOfOpen({ estimate }: { estimate: ReturnType<typeof useOpenEstimate> }) {
  const { data, isError } = estimate;
  if (data === undefined) return isError ? 'not known' : '…';
  const isAnyKnown = data.payments + data.nothingOpen + data.needsSecond > 0;
  return (
    <>
      <b>
        <Total amount={isAnyKnown ? data.open : null} />
      </b>
      {data.notKnown > 0 && ` (unknown for ${formatCountOf(data.notKnown, 'claim')})`}
    </>
  );
}

/** Warns before payments of claims in a run without a recorded payment. `listed`: these claims and their runs, as text. */
export const sayPaidTwice = (claims: number, listed = ''): string => {
  const where = `${formatCountOf(claims, 'claim')} ${claims === 1 ? 'is' : 'are'} in a run that isn’t recorded yet`;
  const next = claims === 1 ? 'leave it out of the run, or it is' : 'leave them out of the run, or they are';
  return `${where}: ${next} paid twice${listed === '' ? '' : `: ${listed}`}.`;
};

const areLeftOut = (claims: number): string =>
  `${formatCountOf(claims, 'claim')} ${claims === 1 ? 'is' : 'are'} left out`;

/** The day and kind of such payments, and their sum before anything is saved. */
export function BulkPayment(props: {
  estimate: ReturnType<typeof useOpenEstimate>;
  draft: PaymentDraft;
  onDraft: (draft: PaymentDraft) => void;
}) {
  const { estimate, draft, onDraft } = props;
  const { data } = estimate;
  return (
    <>
      {estimate.error !== null && <NotLoaded query={estimate} what="the open amounts" />}
      {data !== undefined && (
        <Status>
          <b>
            <Total amount={data.amount} />
          </b>{' '}
          open of {formatCountOf(data.payments, 'claim')}, recorded as one act that you can undo. For your
          records: Claimdesk moves no money.
          {data.notKnown > 0 && ` ${areLeftOut(data.notKnown)}, because the open amount is not known.`}
          {data.nothingOpen > 0 && ` ${areLeftOut(data.nothingOpen)} with nothing open.`}
          {data.needsSecond > 0 &&
            ` ${areLeftOut(data.needsSecond)}, because the team’s two-person rule leaves the payment to a colleague.`}
          {data.inRun > 0 && <b> {sayPaidTwice(data.inRun)}</b>}
        </Status>
      )}
      {data !== undefined && data.broken.length > 0 && (
        <DataTable
          label="Claims that need a second person"
          verticalSpacing={3}
          rows={data.broken}
          keyOf={({ claimId }) => claimId}
          columns={[
            ['Claim', ({ claimId }) => claimId],
            ['Why', describeBroken],
          ]}
        />
      )}
      {data !== undefined && data.needsSecond > data.broken.length && (
        <SmallPrint>Showing the first {formatCount(data.broken.length)}.</SmallPrint>
      )}
      <TextField
        type="date"
        label="Date"
        autoFocus
        value={draft.day}
        onChange={(day) => onDraft({ ...draft, day })}
      />
      <NativeSelect
        label="Kind"
        data={kinds.map((value) => ({ value, label: paymentLabels[value] }))}
        value={draft.payment}
        onChange={({ currentTarget: { value } }) =>
          onDraft({ ...draft, payment: kinds.find((kind) => kind === value) ?? 'reimbursed' })
        }
      />
      <TextField
        label="Account or reference"
        maxLength={200}
        value={draft.account}
        onChange={(account) => onDraft({ ...draft, account })}
      />
    </>
  );
}
